import { BellRing, Smartphone, Volume2 } from 'lucide'
import type { UserSettingName } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { useSave } from '#client/commands/use-save.ts'
import { playSound } from '#client/notices/sound.ts'
import { UserSetting, UserSettingGroups } from '#client/settings/setting.tsx'
import { SaveNote } from '#client/settings/ui/field-frame.tsx'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { type Text, text, texts } from '#translations/translate.ts'
import { PushDevices } from './push-devices.tsx'
import { QuietHours } from './quiet-hours.tsx'

const columns = texts(['Desktop', 'Sound', 'Mobile', 'Email', '@all'])

/**
 * The table of notifications, by kind of message. A cell is missing if the server has no such
 * setting.
 */
const rows: readonly (readonly [Text, readonly (UserSettingName | undefined)[]])[] = [
  [
    text('Channels'),
    [
      'enable_stream_desktop_notifications',
      'enable_stream_audible_notifications',
      'enable_stream_push_notifications',
      'enable_stream_email_notifications',
      'wildcard_mentions_notify',
    ],
  ],
  [
    text('Direct messages, mentions and alert words'),
    [
      'enable_desktop_notifications',
      'enable_sounds',
      'enable_offline_push_notifications',
      'enable_offline_email_notifications',
      undefined,
    ],
  ],
  [
    text('Followed topics'),
    [
      'enable_followed_topic_desktop_notifications',
      'enable_followed_topic_audible_notifications',
      'enable_followed_topic_push_notifications',
      'enable_followed_topic_email_notifications',
      'enable_followed_topic_wildcard_mentions_notify',
    ],
  ],
]

/** The notification settings of the user. */
export function Notifications() {
  return (
    <>
      <section class="setting-group">
        <h4>{t('Notification triggers')}</h4>
        <div class="notice-scroll">
          <table class="notice-table">
            <thead>
              <tr>
                <td />
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {t(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([what, names]) => (
                <tr key={what}>
                  <th scope="row">{t(what)}</th>
                  {names.map((name, index) => (
                    <td key={columns[index]}>
                      {name && (
                        <Cell
                          name={name}
                          label={`${t(what)}: ${t(columns[index] ?? columns[0])}`}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p class="field-help">
          {t(
            "@all: whether mentions of everyone count as mentions. You can override this in each channel's menu.",
          )}
        </p>
        <Tests />
      </section>
      <QuietHours />
      <section class="setting-group">
        <h4>{t('Sound')}</h4>
        <div>
          <UserSetting name="notification_sound" />
        </div>
      </section>
      <PushDevices />
      <UserSettingGroups section="notifications" />
    </>
  )
}

function hasPhones({ store }: App): boolean {
  return store.realm.value.realm_push_notifications_enabled
}

interface CellProps {
  readonly name: UserSettingName
  readonly label: string
}

function Cell({ name, label }: CellProps) {
  const app = useApp()
  const saving = useSave(app.store.settings.value[name] as boolean, (value) =>
    app.changes.changeSetting(name, value as never),
  )
  return (
    <label class="notice-cell" data-setting={name}>
      <input
        type="checkbox"
        aria-label={label}
        checked={saving.shown}
        onChange={(event) => void saving.save(event.currentTarget.checked)}
      />
      <SaveNote status={saving.status} />
      {saving.status.kind === 'failed' && (
        <span class="field-problem" role="alert">
          {saving.status.problem}
        </span>
      )}
    </label>
  )
}

/** Buttons to try each kind of notification. */
function Tests() {
  const app = useApp()
  return (
    <div class="row cluster">
      <Button icon={BellRing} onClick={() => void testDesktop(app)}>
        {t('Test desktop notification')}
      </Button>
      <Button
        icon={Volume2}
        onClick={() => {
          const { notification_sound: sound } = app.store.settings.peek()
          if (sound === 'none') app.notify(t('No sound is selected.'))
          playSound(sound)
        }}
      >
        {t('Test sound')}
      </Button>
      {hasPhones(app) && (
        <Button icon={Smartphone} onClick={() => void testPhones(app)}>
          {t('Test mobile notification')}
        </Button>
      )}
    </div>
  )
}

async function testDesktop(app: App): Promise<void> {
  if (!('Notification' in globalThis)) {
    app.notify(t('This browser does not support notifications.'), 'error')
    return
  }
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') {
    app.notify(
      t('Your browser blocks notifications from this page. Allow them in its settings.'),
      'error',
    )
    return
  }
  new Notification(t('Test notification'), { body: t('This is what new messages look like.') })
  app.notify(t('Your browser is showing a notification now.'))
}

async function testPhones(app: App): Promise<void> {
  const done = await attempt(app, app.api.post('/mobile_push/test_notification'))
  if (done) app.notify(t('A notification was sent to your phones.'))
}
