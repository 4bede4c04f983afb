import { useState } from 'preact/hooks'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { attempt } from './attempt.ts'
import type { MessageDialogProps } from './message-dialogs.ts'
import { isoLocal, nextMoments, shortMoment } from './moments.ts'

/** Asks when the user wants to be reminded of a message. */
export function ReminderDialog({ app, message, onClose }: MessageDialogProps) {
  const [note, setNote] = useState('')
  const [own, setOwn] = useState(() => isoLocal(new Date(Date.now() + 3600_000)))
  const [isBusy, setBusy] = useState(false)
  async function remind(at: Date): Promise<void> {
    setBusy(true)
    const params = {
      message_id: message.id,
      scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000),
      note,
    }
    const reply = await attempt(app, app.api.post('/reminders', params))
    setBusy(false)
    if (!reply) return
    app.notify(t('You will be reminded {when}.', { when: shortMoment(at) }))
    onClose()
  }
  return (
    <Dialog title={t('Remind me')} size="small" onClose={onClose}>
      <div class="form">
        <label class="field">
          <span class="field-label">{t('Note')}</span>
          <input
            class="input"
            maxLength={app.store.realm.value.max_reminder_note_length}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
        <div class="moment-rows">
          {nextMoments().map(({ label, at }) => (
            <Button key={label} isBusy={isBusy} onClick={() => void remind(at)}>
              <span class="moment-label">{label}</span>
              <span class="moment-time">{shortMoment(at)}</span>
            </Button>
          ))}
        </div>
        <form
          class="moment-own"
          onSubmit={(event) => {
            event.preventDefault()
            void remind(new Date(own))
          }}
        >
          <input
            class="input"
            type="datetime-local"
            required
            aria-label={t('Time')}
            value={own}
            min={isoLocal(new Date())}
            onInput={(event) => setOwn(event.currentTarget.value)}
          />
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('Set')}
          </Button>
        </form>
      </div>
    </Dialog>
  )
}
