import { BellOff, BellRing } from 'lucide'
import { useState } from 'preact/hooks'
import type { QuietTimes } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { useSave } from '#client/commands/use-save.ts'
import { openPauseDialog, pauseEnd, pauseNotifications } from '#client/notices/pause.ts'
import { FieldFrame } from '#client/settings/ui/field-frame.tsx'
import { Button } from '#client/ui/button.tsx'
import { formatTime } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

type Schedule = NonNullable<QuietTimes['schedule']>

/** Nights of the working week, in the zone of this browser. */
function usualSchedule(): Schedule {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    days: [0, 1, 2, 3, 4, 5, 6],
    start_minute: 22 * 60,
    end_minute: 8 * 60,
    timezone: timeZone,
  }
}

/** The user's pause and quiet hours. */
export function QuietHours() {
  const app = useApp()
  const known = app.store.realm.value.quiet_times?.schedule ?? null
  // While switched off, the hours stay on the page, for the next time.
  const [last, setLast] = useState(known ?? usualSchedule())
  const saving = useSave(known, (schedule) => app.api.patch('/users/me/quiet_times', { schedule }))
  const shown = saving.shown ?? last
  const isOn = saving.shown !== null
  const paused = pauseEnd(app)

  function change(part: Partial<Schedule>): void {
    const next = { ...shown, ...part }
    setLast(next)
    if (isOn) void saving.save(next)
  }

  return (
    <section class="setting-group">
      <h4>{t('Pause and quiet hours')}</h4>
      <p class="field-help">
        {t(
          'No notifications on any of your devices, and no sounds. Emails about messages come when it is over.',
        )}
      </p>
      <div class="row cluster">
        {paused ? (
          <>
            <Button icon={BellRing} onClick={() => void pauseNotifications(app, null)}>
              {t('Resume notifications')}
            </Button>
            <span class="field-help">{t('Paused until {when}', { when: paused })}</span>
          </>
        ) : (
          <Button icon={BellOff} aria-haspopup="dialog" onClick={() => openPauseDialog(app)}>
            {t('Pause notifications')}
          </Button>
        )}
      </div>
      <FieldFrame name="quiet_hours" label={t('Quiet hours')} status={saving.status} isInline>
        <input
          type="checkbox"
          class="switch"
          id="field-quiet_hours"
          aria-describedby="note-quiet_hours"
          checked={isOn}
          onChange={({ currentTarget }) => void saving.save(currentTarget.checked ? last : null)}
        />
      </FieldFrame>
      {isOn && <Hours schedule={shown} onChange={change} />}
    </section>
  )
}

interface HoursProps {
  readonly schedule: Schedule
  readonly onChange: (part: Partial<Schedule>) => void
}

function Hours({ schedule, onChange }: HoursProps) {
  return (
    <div class="stack loose">
      <fieldset class="row cluster" aria-label={t('Days')}>
        {weekdays().map(({ day, name, long }) => (
          <label key={day} class="quiet-day">
            <input
              type="checkbox"
              aria-label={long}
              checked={schedule.days.includes(day)}
              onChange={({ currentTarget }) =>
                onChange({
                  days: currentTarget.checked
                    ? [...schedule.days, day]
                    : schedule.days.filter((each) => each !== day),
                })
              }
            />
            <span class="center" aria-hidden="true">
              {name}
            </span>
          </label>
        ))}
      </fieldset>
      <div class="row cluster">
        <TimeOfDay
          label={t('From')}
          value={schedule.start_minute}
          onChange={(start_minute) => onChange({ start_minute })}
        />
        <TimeOfDay
          label={t('To')}
          value={schedule.end_minute}
          onChange={(end_minute) => onChange({ end_minute })}
        />
        <span class="field-help">{schedule.timezone.replaceAll('_', ' ')}</span>
        {schedule.timezone !== usualSchedule().timezone && (
          <Button kind="quiet" onClick={() => onChange({ timezone: usualSchedule().timezone })}>
            {t('Use the time zone of this device')}
          </Button>
        )}
      </div>
    </div>
  )
}

interface TimeOfDayProps {
  readonly label: string
  /** In minutes since midnight. */
  readonly value: number
  readonly onChange: (value: number) => void
}

function TimeOfDay({ label, value, onChange }: TimeOfDayProps) {
  const two = (number: number) => String(number).padStart(2, '0')
  return (
    <label class="row tight quiet-time">
      <span class="field-label">{label}</span>
      <input
        class="input"
        type="time"
        required
        value={`${two(Math.floor(value / 60))}:${two(value % 60)}`}
        onChange={({ currentTarget }) => {
          const [hours, minutes] = currentTarget.value.split(':').map(Number)
          if (hours !== undefined && minutes !== undefined) onChange(hours * 60 + minutes)
        }}
      />
    </label>
  )
}

/** The days of the week in the page's language, from Monday on; 0 is Sunday. */
function weekdays(): { day: number; name: string; long: string }[] {
  const name = (day: number, weekday: 'short' | 'long') =>
    // 4 January 1970 was a Sunday.
    formatTime(Date.UTC(1970, 0, 4 + day) / 1000, { weekday, timeZone: 'UTC' })
  return [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    day,
    name: name(day, 'short'),
    long: name(day, 'long'),
  }))
}
