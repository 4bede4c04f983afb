import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { onFailure } from './diagnosis.ts'
import { patience } from './eventually.ts'
import { picturePage } from './page-picture.ts'
import { noteCalls } from './playwright-calls.ts'

/** Chromium as people have it. */
const whole = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
/** Chromium without windows and without what belongs to them: it takes two thirds of the CPU. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell']

function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const missing = 'there is no Chromium on this machine'

/** Why stories in a browser are skipped here: `describe(name, { skip: noChromium }, ...)`. */
export const noChromium = findProgram(...shells, ...whole) ? false : missing

/** Why stories in `openWholeChromium` are skipped here. */
export const noWholeChromium = findProgram(...whole) ? false : missing

/** Whether this process runs many files, one after the other: then they share what is kept here. */
const isShared = process.env.TEST_BUNDLE !== undefined
let kept: Browser | undefined
/** The process and the pipes of the kept one. */
let keptHandles: Handle[] = []

/** Chromium, which may be one that earlier files have used. */
export async function openChromium(): Promise<Browser> {
  if (!isShared) return await launch()
  if (!kept?.isConnected()) {
    const before = new Set(handles())
    kept = await launch()
    keptHandles = handles().filter((handle) => !before.has(handle))
  }
  for (const handle of keptHandles) handle.ref?.()
  return kept
}

/** A Chromium of its own that is no headless shell, which cannot show notifications. */
export async function openWholeChromium(): Promise<Browser> {
  return await launch(whole)
}

/** Closes Chromium, or leaves it to later files. */
export async function closeChromium(browser: Browser): Promise<void> {
  if (browser !== kept) return await browser.close()
  // Nothing that the file has left open.
  for (const handle of keptHandles) handle.unref?.()
}

interface Handle {
  ref?(): void
  unref?(): void
}

/** What keeps this process alive, such as children and pipes. Node has no other way to find them. */
function handles(): Handle[] {
  return (process as unknown as { _getActiveHandles(): Handle[] })._getActiveHandles()
}

/** Chromium prepares these for each context, by renderers of their own which nothing here uses. */
const unneeded = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
]

async function launch(programs = [...shells, ...whole]): Promise<Browser> {
  return await chromium.launch({
    executablePath: findProgram(...programs) ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${unneeded.join()}`,
    ],
  })
}

noteCalls()

/** Whose the open contexts are. */
const owners = new Map<BrowserContext, string>()
onFailure(async () => {
  const pages = [...owners].flatMap(([context, owner]) =>
    context.pages().map((page) => picturePage(page, owner)),
  )
  return await Promise.all(pages)
})

/** Pages that someone has left, by the options of their contexts: emptied, but with their caches. */
const left = new Map<string, Page[]>()

/** How many are kept for one kind of context. */
const mostLeft = 4

/** Pages with scripts of a story, which nothing takes from them again: they are left to nobody. */
const scripted = new WeakSet<Page>()

function noteScripts(page: Page): Page {
  const addInitScript = page.addInitScript.bind(page)
  page.addInitScript = (...call) => {
    scripted.add(page)
    return addInitScript(...call)
  }
  return page
}

/**
 * Without the service worker, which would fetch the whole client for every person. A page may do
 * nothing that people are asked about until a story grants it: a headless shell could not ask them.
 */
const usual: BrowserContextOptions = {
  serviceWorkers: 'block',
  reducedMotion: 'reduce',
  permissions: [],
}

const keyOf = (context: BrowserContextOptions) => JSON.stringify(context)

/**
 * A page in a context of its own, perhaps one that was left: that loads the client much faster.
 *
 * @param owner who sees it, as pictures of failed stories name them
 */
export async function openPage(
  browser: Browser,
  context: BrowserContextOptions,
  owner: string,
): Promise<Page> {
  const known = left.get(keyOf(context))?.pop()
  if (known?.context().browser() !== browser || known.isClosed()) {
    return await newPage(browser, context, owner)
  }
  owners.set(known.context(), owner)
  return known
}

/** A page in a new context. */
export async function newPage(
  browser: Browser,
  context: BrowserContextOptions,
  owner = 'a visitor',
): Promise<Page> {
  const own = await browser.newContext({ ...usual, ...context })
  owners.set(own, owner)
  own.once('close', () => owners.delete(own))
  own.setDefaultTimeout(patience())
  return noteScripts(await own.newPage())
}

/**
 * Keeps a page for others who ask for a context like it, as if it were new but for its caches.
 *
 * @param origin the only one that it has opened
 */
export async function leavePage(
  page: Page,
  context: BrowserContextOptions,
  origin: string,
): Promise<void> {
  const own = page.context()
  owners.delete(own)
  const same = left.get(keyOf(context)) ?? []
  left.set(keyOf(context), same)
  const isAsNew = own.pages().length === 1 && !scripted.has(page)
  if (same.length >= mostLeft || !isAsNew) return await own.close()
  page.removeAllListeners()
  await page.unrouteAll()
  await own.setOffline(false)
  await own.clearPermissions()
  await own.grantPermissions([])
  // A page of the same site keeps the renderer: a new one costs as much as to load the client.
  await page.goto(new URL('/health', origin).href)
  await own.clearCookies()
  const session = await own.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(context.viewport ?? { width: 1280, height: 720 })
  page.setDefaultTimeout(patience())
  same.push(page)
}
