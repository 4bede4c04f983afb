import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { install } from '#client/commands/install.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

/** What is offered: notifications on this device, or the installation. */
export type Offer = 'notices' | 'install'

interface OfferCardProps {
  readonly offer: Offer
  /** Called once it was answered. */
  readonly onFinish: () => void
}

/** Asks whether the user wants what is offered. */
export function OfferCard({ offer, onFinish }: OfferCardProps) {
  const app = useApp()
  if (offer === 'install') {
    return (
      <Card
        label={t('Install the app')}
        text={t(
          'Install Parley on this device? It opens in its own window, also without a network, and other apps can share with it.',
        )}
        yes={t('Install')}
        onYes={() => void install()}
        onFinish={onFinish}
      />
    )
  }
  return (
    <Card
      label={t('Desktop notifications')}
      text={
        canPush()
          ? t(
              'Get notified of direct messages and mentions on this device, even while this page is closed? Your browser will ask for permission.',
            )
          : t(
              'Get notified of direct messages and mentions on this device while this page is open? Your browser will ask for permission.',
            )
      }
      yes={t('Turn on')}
      onYes={() => void turnOn(app)}
      onFinish={onFinish}
    />
  )
}

interface CardProps {
  readonly label: string
  readonly text: string
  readonly yes: string
  readonly onYes: () => void
  /** Called before `onYes`, and for "Not now". */
  readonly onFinish: () => void
}

function Card({ label, text, yes, onYes, onFinish }: CardProps) {
  return (
    <section class="stack surface permission-card" aria-label={label}>
      <p>{text}</p>
      <div class="dialog-actions">
        <Button onClick={onFinish}>{t('Not now')}</Button>
        <Button
          kind="primary"
          onClick={() => {
            onFinish()
            onYes()
          }}
        >
          {yes}
        </Button>
      </div>
    </section>
  )
}

/** With pushes if the browser has them. The card does not come back, so a failure says what does. */
async function turnOn(app: App): Promise<void> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') {
    app.notify(t('Notifications stay off. You find them in the settings, under “Notifications”.'))
    return
  }
  if (!canPush()) return
  const { turnDeviceOn } = await import('#client/notices/device.ts')
  await attempt(app, turnDeviceOn(app.api, app.store.selfId))
}

/** Whether the browser can show notifications while the page is closed. */
function canPush(): boolean {
  return 'PushManager' in globalThis && 'serviceWorker' in navigator
}
