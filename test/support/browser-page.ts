import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { systemClock } from '#platform/clock.ts'
import type { ServerOptions } from '#program/server.ts'
import { openBrowser } from './browser.ts'
import {
  closeChromium,
  leavePage,
  newPage,
  openChromium,
  openPage,
  openWholeChromium,
} from './chromium.ts'
import { within } from './eventually.ts'
import { freePort } from './free-port.ts'
import { type Actor, startServer, type TestServer } from './server.ts'

/** A person with a browser of their own, in which they are logged in. */
export interface Person {
  readonly page: Page
  /** What the console and the page complained of, but for connections that were cut. */
  readonly problems: readonly string[]
  /** Complaints that a test brings about, before or after: `problems` leaves them out. */
  expectProblems(pattern: RegExp): void
  /** Ends the story of this person: the next who logs in may get the emptied browser. */
  leave(): Promise<void>
}

export interface LogInOptions {
  /** What to open, such as `#inbox`. */
  readonly hash?: string
  /** Such as the size of the window. */
  readonly context?: BrowserContextOptions
  /** What to do with the page before it opens the client. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** A development organization and one Chromium, for the stories of one file. */
export interface Site {
  /** Another one after `restart`. */
  readonly server: TestServer
  /**
   * Stops the server and starts it again, at the same address with the same data.
   *
   * @param meanwhile gets the data folder, while no server has it
   */
  restart(meanwhile?: (data: string) => void): Promise<void>
  /**
   * Opens a browser with a session of someone, and waits for the web client. It may be one that
   * someone has left, which has nothing of theirs, but the files of the client.
   */
  logIn(actor: Actor, options?: LogInOptions): Promise<Person>
  /**
   * Someone's window for all the stories of the file, at an address. It is opened once, as loading
   * the client costs ten times what moving in it does.
   */
  at(actor: Actor, hash: string): Promise<Person>
  /** Opens a page without a session. */
  visit(path: string, context?: BrowserContextOptions): Promise<Person>
  /** Closes everything. Fails where a page complained of what no test expected. */
  close(): Promise<void>
}

/**
 * Waits until the client has drawn its screen, which the picture of the last page no longer covers,
 * and listens to keys.
 */
export async function clientDrawn(page: Page): Promise<void> {
  await page.locator('#app .shell').waitFor()
  await page.locator('.last-screen').waitFor({ state: 'detached' })
  await partLoaded(page, 'rest')
}

/** Waits until a part of the client that a page loads on its own is there, such as that of the keys. */
export async function partLoaded(page: Page, name: string): Promise<void> {
  const file = await page.waitForFunction(
    (start) =>
      performance.getEntriesByType('resource').find((entry) => entry.name.includes(start))?.name,
    `/static/client/${name}-`,
  )
  // It has run, with all that it imports.
  const loading = page.evaluate(`import('${await file.jsonValue()}').then(() => undefined)`)
  await within(loading, `The part ${name} has run`)
}

/** Waits until the service worker of a page is at work. */
export async function workerReady(page: Page): Promise<void> {
  const isReady = page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await within(isReady, 'The service worker is ready')
}

/** The port of all sites of a process, as what browsers have cached belongs to an address. */
let sitePort: Promise<number> | undefined

/**
 * Starts a server, whose clock runs and whose data outlasts a restart, and Chromium.
 *
 * @param browsing.notifies whether it has to be a Chromium that can show notifications
 */
export async function openSite(
  options: Partial<ServerOptions> = {},
  { notifies = false }: { readonly notifies?: boolean } = {},
): Promise<Site> {
  const data = mkdtempSync(join(tmpdir(), 'parley-site-'))
  sitePort ??= freePort()
  const port = await sitePort
  const start = () => startServer({ clock: systemClock, data, port, ...options })
  let server = await start()
  const browser = await (notifies ? openWholeChromium() : openChromium())
  const everybody: Person[] = []
  const windows = new Map<Actor, Promise<Person>>()

  /** Follows what a page complains of. @param leave what to do with the page in the end */
  function accompany(page: Page, leave: () => Promise<void>): Person {
    const heard: string[] = []
    const expected: RegExp[] = []
    page.on('pageerror', (error) => heard.push(error.stack ?? error.message))
    page.on('console', (message) => {
      if (message.type() !== 'error') return
      const [text, { url }] = [message.text(), message.location()]
      const isCut = /^Failed to load resource: net::ERR_/.test(text)
      // A Chromium with windows asks for it where a page names no icon, such as one that is no HTML.
      const isIcon = url.endsWith('/favicon.ico')
      if (!isCut && !isIcon) heard.push(`${text} ${url}`)
    })
    let isThere = true
    const person: Person = {
      page,
      get problems() {
        return heard.filter((problem) => !expected.some((pattern) => pattern.test(problem)))
      },
      expectProblems: (pattern) => void expected.push(pattern),
      async leave() {
        if (isThere) await leave().catch(() => page.context().close())
        isThere = false
      },
    }
    everybody.push(person)
    return person
  }

  async function visit(path: string, context: BrowserContextOptions = {}): Promise<Person> {
    const page = await newPage(browser, { baseURL: server.url, ...context })
    const person = accompany(page, () => page.context().close())
    await page.goto(path)
    return person
  }

  async function logIn(
    actor: Actor,
    { hash = '', context: own = {}, prepare }: LogInOptions = {},
  ): Promise<Person> {
    const context = { baseURL: server.url, ...own }
    const page = await openPage(browser, context, actor)
    const person = accompany(page, () => leavePage(page, context, server.url))
    const form = openBrowser(server.url)
    await form.fill('/login/', { user_id: String(server.ids[actor]) }, '/devlogin')
    const cookies = [...form.cookies].map(([name, value]) => ({ name, value, url: server.url }))
    await page.context().addCookies(cookies)
    await prepare?.(page)
    await page.goto(`/${hash}`)
    await clientDrawn(page)
    return person
  }

  return {
    get server() {
      return server
    },
    async restart(meanwhile) {
      await server.close()
      meanwhile?.(data)
      server = await start()
    },
    visit,
    logIn,
    async at(actor, hash) {
      const known = windows.get(actor)
      if (!known) {
        const opened = logIn(actor, { hash })
        windows.set(actor, opened)
        return await opened
      }
      const person = await known
      await person.page.evaluate((next) => location.assign(next), hash)
      return person
    },
    async close() {
      await Promise.all(everybody.map((person) => person.leave()))
      await closeChromium(browser)
      await server.close()
      rmSync(data, { recursive: true })
      assert.deepEqual(
        everybody.flatMap(({ problems }) => problems),
        [],
      )
    },
  }
}
