import { useRef, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { install, isInstalled } from '#client/commands/install.ts'
import { Button } from '#client/ui/button.tsx'
import { installOffer } from '#client/ui/install-offer.ts'
import { t } from '#client/ui/t.ts'

/** In `localStorage`: marks that each was offered on this device. */
const noticesKey = 'parley:notices-asked'
const installKey = 'parley:install-asked'

/**
 * Offers something once on each device, one thing at a time: notifications, then the installation.
 */
export function OfferCard() {
  const app = useApp()
  // A user who has just answered the first gets the other another day.
  const [isDone, setDone] = useState(false)
  const wantsNotices = app.store.settings.value.enable_desktop_notifications
  const finish = (key: string) => {
    remember(key)
    setDone(true)
  }
  const isWorthwhile = useWorthwhile(app)
  if (isDone) return null
  if (wantsNotices && isWorthwhile && canAsk() && !wasOffered(noticesKey)) {
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
        onFinish={() => finish(noticesKey)}
      />
    )
  }
  if (!installOffer.value || isInstalled() || wasOffered(installKey)) return null
  return (
    <Card
      label={t('Install the app')}
      text={t(
        'Install Parley on this device? It opens in its own window, also without a network, and other apps can share with it.',
      )}
      yes={t('Install')}
      onYes={() => void install()}
      onFinish={() => finish(installKey)}
    />
  )
}

/** Whether a mention or a direct message by a person has come: a bot's welcome is no reason. */
function useWorthwhile({ store }: App): boolean {
  const hasCome = useRef(false)
  hasCome.current ||= store.unreads.conversations.value.some(({ conversation, hasMention }) => {
    if (conversation.kind === 'topic') return hasMention
    return conversation.userIds.some((id) => store.users.get(id)?.isBot === false)
  })
  return hasCome.current
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

function remember(key: string): void {
  try {
    localStorage.setItem(key, '1')
  } catch {
    // It is offered again at the next start.
  }
}

function wasOffered(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

/** Whether the browser has notifications, and no answer yet. */
function canAsk(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'default'
}
