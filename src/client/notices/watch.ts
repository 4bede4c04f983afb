import { effect } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import { startLoaded } from '#client/ui/start-loaded.ts'
import { iconCount, setTitle, showCount } from './counts.ts'
import { startDesktopNotices } from './desktop.ts'
import { desktopApp } from './desktop-bridge.ts'
import { isDeviceOn } from './device-id.ts'
import { isQuiet } from './quiet.ts'
import { viewTitle } from './view-title.ts'

/**
 * Shows counts in the title and on the icon, and reports new messages. Returns a function that ends
 * this.
 */
export function watchMessages(app: App): () => void {
  const stops = [
    effect(() => setTitle(viewTitle(app))),
    effect(() => showCount(iconCount(app.store))),
    startDesktopNotices(app),
    followDesktopApp(app),
    followClicks(),
    closeWhenRead(app),
    markQuiet(app),
  ]
  if (isDeviceOn(app.store.selfId)) void renewDevice(app).catch(() => undefined)
  return () => {
    for (const stop of stops) stop()
  }
}

/** Few browsers are told while no page is open. */
async function renewDevice({ api, store }: App): Promise<void> {
  const { keepDevice } = await import('./device.ts')
  await keepDevice(api, store.selfId)
}

/** Few pages are in a desktop app. */
function followDesktopApp(app: App): () => void {
  const bridge = desktopApp()
  if (!bridge) return () => undefined
  return startLoaded(async () => {
    const { serveDesktopApp } = await import('./desktop-app.ts')
    return () => serveDesktopApp(app, bridge)
  })
}

/** Opens the message of a clicked notification of the service worker. */
function followClicks(): () => void {
  const { serviceWorker } = navigator
  if (!serviceWorker) return () => undefined
  const open = ({ data }: MessageEvent) => {
    const { type, hash } = (data ?? {}) as { type?: string; hash?: string }
    if (type === 'open' && hash?.startsWith('#')) location.hash = hash
  }
  serviceWorker.addEventListener('message', open)
  return () => serviceWorker.removeEventListener('message', open)
}

/** How often to look whether quiet hours have begun, in milliseconds. */
const rhythm = 20_000

/** Marks the page while notifications are paused: the user's own picture has a bell then. */
function markQuiet({ store }: App): () => void {
  const mark = () => document.documentElement.toggleAttribute('data-quiet', isQuiet(store))
  const stop = effect(() => void mark())
  const timer = setInterval(mark, rhythm)
  return () => {
    stop()
    clearInterval(timer)
  }
}

/**
 * When the page becomes visible, closes notifications of messages that were read meanwhile, which
 * some pushes cannot.
 */
function closeWhenRead({ store: { unreads } }: App): () => void {
  const close = () => {
    if (document.hidden || unreads.isIncomplete.peek()) return
    void closeOldNotices((id) => unreads.find(id) !== undefined).catch(() => undefined)
  }
  close()
  document.addEventListener('visibilitychange', close)
  return () => document.removeEventListener('visibilitychange', close)
}

/** Closes the notifications of messages that are no longer unread. */
async function closeOldNotices(isUnread: (id: number) => boolean): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  for (const notice of (await worker?.getNotifications()) ?? []) {
    const { messageIds = [] } = (notice.data ?? {}) as { messageIds?: readonly number[] }
    if (messageIds.length > 0 && !messageIds.some(isUnread)) notice.close()
  }
}
