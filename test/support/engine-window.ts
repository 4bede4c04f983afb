import { eventually } from './eventually.ts'
import type { TestServer } from './server.ts'
import type { Engine, EngineBrowser } from './webdriver.ts'

/** The box that messages are written in. */
export const box = '.compose .editor-text'

/** Keys as WebDriver has them. */
export const keys = {
  control: '\uE009',
  shift: '\uE008',
  enter: '\uE007',
  backspace: '\uE003',
  escape: '\uE00C',
  down: '\uE015',
} as const

/** Sends what is in the box. */
export const send = `${keys.control}${keys.enter}`

export const rowOf = (id: number | undefined) => `[data-message-id="${id}"]`

/** A topic's view in the channel Denmark. */
export const topicPath = (name: string) => `/#narrow/channel/4-Denmark/topic/${name}`

/** A window of an engine in which someone is logged in. */
export interface EngineWindow {
  readonly browser: EngineBrowser
  /** Waits until an expression in the page has a value. */
  see<T>(expression: string, expected: T, ...values: readonly unknown[]): Promise<void>
  /** Waits until a message has a text. */
  shows(text: string): Promise<void>
  /** The height of the first element that fits, in pixels; 0: there is none. */
  height(selector: string): Promise<number>
  /** Waits until the page takes keys: what it shows before is a picture. */
  drawn(): Promise<void>
  reload(): Promise<void>
  /** Opens a topic of this engine, and waits until the box is for it. @returns its name */
  open(topic: string): Promise<string>
}

/** Opens a window of an engine, and logs in. */
export async function openWindow(engine: Engine, server: TestServer): Promise<EngineWindow> {
  const browser = await engine.open()
  const see = <T>(expression: string, expected: T, ...values: readonly unknown[]) =>
    eventually(() => browser.run<T>(`return ${expression}`, ...values), expected)
  const drawn = () =>
    see(
      `document.querySelector('#app .shell') !== null && document.querySelector('.last-screen') === null`,
      true,
    )
  await browser.open(`${server.url}/login/`)
  await browser.click(`button[name="user_id"][value="${server.ids.member}"]`)
  await drawn()
  return {
    browser,
    see,
    drawn,
    shows: (text) =>
      see(
        `[...document.querySelectorAll('[data-message-id]')].some((row) => row.textContent.includes(arguments[0]))`,
        true,
        text,
      ),
    height: (selector) =>
      browser.run(
        'return document.querySelector(arguments[0])?.getBoundingClientRect().height ?? 0',
        selector,
      ),
    async reload() {
      await browser.run('window.isOld = true; location.reload()')
      await see('window.isOld', null)
      await drawn()
    },
    async open(topic) {
      const whole = `${topic}-${engine.name}`
      await browser.run('location.assign(arguments[0])', topicPath(whole))
      const isThere = 'document.querySelector(arguments[0])?.placeholder.includes(arguments[1])'
      await see(isThere, true, box, whole)
      return whole
    },
  }
}
