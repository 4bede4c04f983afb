/*
 * The service worker: it keeps the page and its files, so that the client opens without a network.
 * It never keeps an answer of the API, nor anything else about the user.
 */

const cacheName = 'shell'
const pagePath = '/'
const assetPath = '/static/client/'

interface LongEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends LongEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

/** The types of the DOM that the rest of the client uses know no workers. */
interface WorkerScope {
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
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
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && pathname === pagePath) {
    event.respondWith(openPage(request, (work) => event.waitUntil(work)))
  } else if (pathname.startsWith(assetPath)) event.respondWith(loadAsset(request))
})

async function keepFirst(): Promise<void> {
  try {
    await keep(await fetch(pagePath))
  } catch {
    // Without a network now; the next visit keeps it.
  }
}

/**
 * The page from the server, or the kept one where the server cannot be reached.
 *
 * @param later takes what need not be done before the page is shown
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

/** Keeps a page with all that it may ever load. One with other files replaces what is kept. */
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

/** Not the way to the log-in page, nor an error. */
function isPage(response: Response): boolean {
  return response.ok && !response.redirected && response.type === 'basic'
}

function filesOf(page: string): string[] {
  return page.match(/\/static\/client\/[\w.-]+/g) ?? []
}

/** What a script loads later: views and dialogs that are opened without a network, too. */
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
