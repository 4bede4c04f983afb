import assert from 'node:assert/strict'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { systemClock } from '#platform/clock.ts'
import type { ServerOptions } from '#program/server.ts'
import { type Actor, startServer, type TestServer } from './server.ts'

/** Why stories in a browser are skipped here: `describe(name, { skip: noChromium }, ...)`. */
export const noChromium = findChromium() ? false : 'there is no Chromium on this machine'

function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts Chromium. Close it. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** A person with a browser of their own, in which they are logged in. */
export interface Person {
  readonly page: Page
  /** What the console and the page complained of, but for connections that were cut. */
  readonly problems: readonly string[]
  /** Complaints that a test brings about, before or after: `problems` leaves them out. */
  expectProblems(pattern: RegExp): void
}

/** A development organization and one Chromium, for the stories of one file. */
export interface Site {
  /** Another one after `restart`. */
  readonly server: TestServer
  /** Stops the server and starts it again, at the same address with the same data. */
  restart(): Promise<void>
  readonly browser: Browser
  /**
   * Logs somebody in by the page that does it, and waits for the web client.
   *
   * @param options.hash what to open, such as `#inbox`
   * @param options.context such as the size of the window
   */
  logIn(
    actor: Actor,
    options?: { readonly hash?: string; readonly context?: BrowserContextOptions },
  ): Promise<Person>
  /** Opens a page without a session. */
  visit(path: string, context?: BrowserContextOptions): Promise<Person>
  /** Closes everything. Fails where a page complained of what no test expected. */
  close(): Promise<void>
}

/** Starts a server, whose clock runs and whose data outlasts a restart, and Chromium. */
export async function openSite(options: Partial<ServerOptions> = {}): Promise<Site> {
  const data = mkdtempSync(join(tmpdir(), 'parley-site-'))
  const start = (port = 0) => startServer({ clock: systemClock, data, port, ...options })
  let server = await start()
  const browser = await launchChromium()
  const everybody: Person[] = []

  async function visit(path: string, context: BrowserContextOptions = {}): Promise<Person> {
    const own = await browser.newContext({ baseURL: server.url, ...context })
    const page = await own.newPage()
    const heard: string[] = []
    const expected: RegExp[] = []
    page.on('pageerror', (error) => heard.push(error.stack ?? error.message))
    page.on('console', (message) => {
      const isCut = /^Failed to load resource: net::ERR_/.test(message.text())
      if (message.type() === 'error' && !isCut) heard.push(message.text())
    })
    const person: Person = {
      page,
      get problems() {
        return heard.filter((problem) => !expected.some((pattern) => pattern.test(problem)))
      },
      expectProblems: (pattern) => void expected.push(pattern),
    }
    everybody.push(person)
    await page.goto(path)
    return person
  }

  return {
    get server() {
      return server
    },
    async restart() {
      await server.close()
      server = await start(Number(new URL(server.url).port))
    },
    browser,
    visit,
    async logIn(actor, { hash = '', context } = {}) {
      const { full_name } = await server.as(actor).get<{ full_name: string }>('/users/me')
      const person = await visit(`/login/${hash}`, context)
      await person.page.getByRole('button', { name: full_name, exact: true }).click()
      await person.page.locator('.shell').waitFor()
      return person
    },
    async close() {
      await browser.close()
      await server.close()
      rmSync(data, { recursive: true })
      assert.deepEqual(
        everybody.flatMap(({ problems }) => problems),
        [],
      )
    },
  }
}
