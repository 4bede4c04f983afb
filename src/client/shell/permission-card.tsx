import { useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

const storageKey = 'parley:notices-asked'

/** Explains desktop notifications before the browser asks about them, once. */
export function PermissionCard() {
  const app = useApp()
  const [isAnswered, setAnswered] = useState(wasAsked)
  const isWanted = app.store.settings.value.enable_desktop_notifications
  if (isAnswered || !isWanted || !canAsk()) return null

  function answered(): void {
    try {
      localStorage.setItem(storageKey, '1')
    } catch {
      // It is asked again at the next start.
    }
    setAnswered(true)
  }

  return (
    <section class="permission-card" aria-label={t('Desktop notifications')}>
      <p>
        {t(
          'Get notified of direct messages and mentions on this device, even while this page is closed? Your browser will ask for permission.',
        )}
      </p>
      <div class="permission-buttons">
        <Button onClick={answered}>{t('Not now')}</Button>
        <Button
          kind="primary"
          onClick={() => {
            answered()
            void turnOn(app)
          }}
        >
          {t('Turn on')}
        </Button>
      </div>
    </section>
  )
}

/** With pushes where the browser has them; what fails can be turned on in the settings. */
async function turnOn({ api, store }: App): Promise<void> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted' || !('PushManager' in globalThis)) return
  const { turnDeviceOn } = await import('#client/notices/device.ts')
  await turnDeviceOn(api, store.selfId).catch(() => undefined)
}

function wasAsked(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

/** Whether the browser has notifications, and no answer yet. */
function canAsk(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'default'
}
