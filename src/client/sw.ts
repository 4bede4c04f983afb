import { type SharedWords, sharedFile, sharedWords } from '#client/commands/shared.ts'
import { sharedCache } from '#client/commands/shared-cache.ts'
import type { WebPayload } from '#features/notifications/web-push/payload.ts'

/**
 * The service worker: it keeps the page and its files, so that the client opens without a network,
 * shows the notifications that the server pushes, and takes what other apps share. It never stores
 * an answer of the API, or anything else about the user except the visible notifications, and
 * shared data until the page has it.
 */

const cacheName = 'shell'
const pagePath = '/'
const assetPath = '/static/client/'
const sharePath = '/share'

interface LongEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends LongEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface PushEvent extends LongEvent {
  readonly data: { json(): unknown } | null
}

interface ClickEvent extends LongEvent {
  readonly notification: Notification
}

interface WindowClient {
  readonly focused: boolean
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}

/** The DOM types of the rest of the client do not include workers. */
interface WorkerScope {
  readonly clients: {
    claim(): Promise<void>
    matchAll(which: { type: 'window' }): Promise<WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly registration: ServiceWorkerRegistration
  skipWaiting(): Promise<void>
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void
  addEventListener(type: 'install' | 'activate', listener: (event: LongEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

const worker = globalThis as unknown as WorkerScope

worker.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([worker.skipWaiting(), keepFirst()]))
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(worker.clients.claim())
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.method === 'POST' && pathname === sharePath) event.respondWith(takeShare(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && pathname === pagePath) {
    event.respondWith(openPage(request, (work) => event.waitUntil(work)))
  } else if (pathname.startsWith(assetPath)) event.respondWith(loadAsset(request))
})

worker.addEventListener('push', (event) => {
  const payload = event.data?.json() as WebPayload | undefined
  if (payload) event.waitUntil(takePush(payload))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openMessage(dataOf(event.notification).url))
})

/** The data of a notification, also in the page's own notifications. */
interface NoticeData {
  /** The path that a click opens, with its fragment. */
  readonly url: string
  readonly messageIds: readonly number[]
}

function dataOf({ data }: Notification): NoticeData {
  return (data as NoticeData | null) ?? { url: pagePath, messageIds: [] }
}

async function takePush(payload: WebPayload): Promise<void> {
  if (payload.type === 'remove') await removeMessages(payload.message_ids)
  else await showPush(payload)
  if (payload.count !== null) await showBadge(payload.count)
}

type ShownPayload = Exclude<WebPayload, { type: 'remove' }>

/** Shows a message in the notification of its conversation. One that is shown already makes no sound. */
async function showPush({ title, body, tag, icon, url, message_id }: ShownPayload): Promise<void> {
  const [old] = await worker.registration.getNotifications({ tag })
  const known = old ? dataOf(old).messageIds : []
  const isKnown = message_id !== null && known.includes(message_id)
  const messageIds = message_id === null || isKnown ? known : [...known, message_id]
  await show(title, { body, icon, tag, silent: isKnown }, { url, messageIds }, !isKnown)
}

/** Closes the notifications of conversations without unread messages. */
async function removeMessages(ids: readonly number[]): Promise<void> {
  const gone = new Set(ids)
  for (const shown of await worker.registration.getNotifications()) {
    const { url, messageIds } = dataOf(shown)
    const left = messageIds.filter((id) => !gone.has(id))
    if (left.length === messageIds.length) continue
    if (left.length === 0) shown.close()
    else {
      const { title, body, icon, tag } = shown
      await show(title, { body, icon, tag, silent: true }, { url, messageIds: left }, false)
    }
  }
}

/** @param renotify whether to sound again if it replaces a notification */
async function show(
  title: string,
  options: NotificationOptions,
  data: NoticeData,
  renotify: boolean,
): Promise<void> {
  const all = { ...options, data, renotify, badge: '/static/client-icon/silhouette.png' }
  await worker.registration.showNotification(title, all)
}

async function showBadge(count: number): Promise<void> {
  const badge = navigator as Navigator & {
    setAppBadge?(count: number): Promise<void>
    clearAppBadge?(): Promise<void>
  }
  try {
    await (count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.())
  } catch {
    // Only installed apps have badges.
  }
}

/** Shows a message in a window that is open, or in a new one. */
async function openMessage(path: string): Promise<void> {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  const windows = await worker.clients.matchAll({ type: 'window' })
  const best = windows.find(({ focused }) => focused) ?? windows[0]
  if (!best) return void (await worker.clients.openWindow(url.href))
  best.postMessage({ type: 'open', hash: url.hash })
  await best.focus()
}

async function keepFirst(): Promise<void> {
  try {
    await keep(await fetch(pagePath))
  } catch {
    // Without a network now; the next visit keeps it.
  }
}

/**
 * The page from the server, or the stored one if the server cannot be reached.
 *
 * @param later gets work that can wait until the page is shown
 */
async function openPage(request: Request, later: (work: Promise<void>) => void): Promise<Response> {
  let page: Response
  try {
    page = await fetch(request)
  } catch (error) {
    const kept = await (await caches.open(cacheName)).match(pagePath)
    if (kept) return kept
    throw error
  }
  // Without a network now; the next visit keeps it.
  later(keep(page.clone()).catch(() => undefined))
  return page
}

/**
 * Stores a page with all files that it may load. A page with other files replaces the stored ones.
 */
async function keep(page: Response): Promise<void> {
  if (!isPage(page)) return
  const cache = await caches.open(cacheName)
  const kept = await (await cache.match(pagePath))?.text()
  const files = filesOf(await page.clone().text())
  if (kept !== undefined && filesOf(kept).join() !== files.join()) {
    for (const request of await cache.keys()) await cache.delete(request)
  }
  await cache.put(pagePath, page)
  const all = new Set(files)
  // A set is walked over what is added on the way too.
  for (const path of all) {
    const file = await loadAsset(new Request(path))
    if (!path.endsWith('.js')) continue
    for (const part of partsOf(await file.text())) all.add(part)
  }
}

/** Neither a redirect to the log-in page nor an error. */
function isPage(response: Response): boolean {
  return response.ok && !response.redirected && response.type === 'basic'
}

function filesOf(page: string): string[] {
  return page.match(/\/static\/client\/[\w.-]+/g) ?? []
}

/** The files that a script loads later, so that views and dialogs also open without a network. */
function partsOf(script: string): string[] {
  return [...script.matchAll(/"\.\/([\w-]+-[A-Z0-9]{8}\.js)"/g)].map(([, name]) => assetPath + name)
}

/** A file never changes under its name. */
async function loadAsset(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}

/**
 * Stores data that another app shares until the page takes it, even if someone has to log in first,
 * or there is no network.
 */
async function takeShare(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const text = (name: string) => String(form.get(name) ?? '')
    const files = form.getAll('files').filter((each) => each instanceof File)
    await caches.delete(sharedCache)
    const cache = await caches.open(sharedCache)
    const names = files.map(({ name }) => name)
    const words: SharedWords = { title: text('title'), text: text('text'), url: text('url'), names }
    await Promise.all(files.map((file, at) => cache.put(sharedFile(at), new Response(file))))
    // Last, so that with a full disk there is nothing, not a part.
    await cache.put(sharedWords, new Response(JSON.stringify(words)))
    return Response.redirect('/#share', 303)
  } catch {
    return Response.redirect('/#share-lost', 303)
  }
}
