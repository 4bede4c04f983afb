import { useRef, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { isInstalled } from '#client/commands/install.ts'
import { localValues } from '#client/ui/browser-storage.ts'
import { installOffer } from '#client/ui/install-offer.ts'
import { lazy } from '#client/ui/lazy.tsx'
import type { Offer } from './offer-card.tsx'

const OfferCard = lazy(async () => (await import('./offer-card.tsx')).OfferCard, {
  isOptional: true,
})

/** In `localStorage`: marks that each was offered on this device. */
const keys: Readonly<Record<Offer, string>> = {
  notices: 'parley:notices-asked',
  install: 'parley:install-asked',
}

/**
 * Offers something once on each device, one thing at a time: notifications, then the installation.
 */
export function Offers() {
  const app = useApp()
  // A user who has just answered the first gets the other another day.
  const [isDone, setDone] = useState(false)
  const wantsNotices = app.store.settings.value.enable_desktop_notifications
  const isWorthwhile = useWorthwhile(app)
  if (isDone) return null
  const offer = (kind: Offer) => {
    const finish = () => {
      localValues.setItem(keys[kind], '1')
      setDone(true)
    }
    return <OfferCard offer={kind} onFinish={finish} />
  }
  if (wantsNotices && isWorthwhile && canAsk() && isNew('notices')) return offer('notices')
  return installOffer.value && !isInstalled() && isNew('install') ? offer('install') : null
}

const isNew = (offer: Offer) => localValues.getItem(keys[offer]) === null

/** Whether a mention or a direct message by a person has come: a bot's welcome is no reason. */
function useWorthwhile({ store }: App): boolean {
  const hasCome = useRef(false)
  hasCome.current ||= store.unreads.conversations.value.some(({ conversation, hasMention }) => {
    if (conversation.kind === 'topic') return hasMention
    return conversation.userIds.some((id) => store.users.get(id)?.isBot === false)
  })
  return hasCome.current
}

/** Whether the browser has notifications, and no answer yet. */
function canAsk(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'default'
}
