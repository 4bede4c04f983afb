import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { Scrolled } from './in-page.ts'
import {
  closePage,
  type MeasuredPage,
  openPage,
  type Slowness,
  type Storage,
  slowDown,
} from './page.ts'

/** A client that is measured. What is measured of every one is measured in the same way. */
export interface Subject {
  /** What opens a conversation with some messages. */
  readonly address: string
  readonly storage: Storage
  /** Selectors: of a message, of what scrolls them, and of the box for a new one. */
  readonly row: string
  readonly scroller: string
  readonly textBox: string
  /** The item of `localStorage` that says that the next start has something to begin with, if any. */
  readonly keptItem?: string
  /** A statement that goes to a conversation, as a click does. */
  go(conversation: number): string
  /** What the text of each message of a conversation contains. */
  mark(conversation: number): string
  /** The same of the long conversation. */
  readonly history: { readonly go: string; readonly newest: string; readonly oldest: string }
}

const loads = 5
const switches = 100
/** The longest that scrolling through all of a conversation may take. */
const longestMs = 120_000

/** From the navigation to the first message in sight, of several loads, in milliseconds. */
export async function timeLoads(
  browser: Browser,
  { address, storage, row, keptItem }: Subject,
  slowness: Slowness,
): Promise<{ readonly cold: number[]; readonly warm: number[] }> {
  const cold: number[] = []
  const warm: number[] = []
  for (let i = 0; i < loads; i++) {
    const measured = await openPage(browser, row, storage)
    await slowDown(measured, slowness)
    for (const times of [cold, warm]) {
      await measured.page.goto('about:blank')
      times.push(await load(measured, address))
      // Nobody leaves a page in the moment in which it is there.
      if (keptItem) {
        await measured.page.waitForFunction((item) => localStorage.getItem(item), keptItem)
      }
    }
    await closePage(measured)
  }
  return { cold, warm }
}

/** @returns when the first message was in sight */
async function load({ page }: MeasuredPage, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' })
  const latest = performance.now() + 60_000
  while (performance.now() < latest) {
    // To wait in the page would bring a large script into it, just while it starts.
    const shown = await page.evaluate(() => globalThis.measures.firstShown)
    if (shown !== undefined) return shown
    await sleep(50)
  }
  throw new Error('No message was shown within a minute.')
}

/** Opens a client in a browser of its own. */
export async function openSubject(
  browser: Browser,
  { address, storage, row }: Subject,
): Promise<MeasuredPage> {
  const measured = await openPage(browser, row, storage)
  await load(measured, address)
  return measured
}

/**
 * From a click to the messages of a conversation that was seen before, in milliseconds, 100 times.
 *
 * @param conversations among how many of them
 */
export async function timeSwitches(
  { page }: MeasuredPage,
  subject: Subject,
  conversations: number,
): Promise<number[]> {
  const times: number[] = []
  for (let i = -conversations; i < switches; i++) {
    const at = (i + conversations) % conversations
    const { row } = subject
    const time = await page.evaluate<number>(
      `measures.timeSwitch(() => { ${subject.go(at)} }, ${quoted(row)}, ${quoted(subject.mark(at))})`,
    )
    if (i >= 0) times.push(time)
    // Idle work of the view that was opened is part of it, not of the next one.
    await page.waitForTimeout(100)
  }
  return times
}

/** From each key to the next frame while someone writes, in milliseconds. */
export async function timeKeys(measured: MeasuredPage, textBox: string): Promise<number[]> {
  const { page } = measured
  await page.locator(textBox).first().click()
  await page.evaluate(() => {
    globalThis.measures.keyTimes = []
  })
  await page.keyboard.type('Hello there, how is it going with @per and #chan? Soon more.', {
    delay: 120,
  })
  return await page.evaluate(() => globalThis.measures.keyTimes ?? [])
}

/** Scrolls from the newest message of the long conversation to the oldest. */
export async function scrollHistory({ page }: MeasuredPage, subject: Subject): Promise<Scrolled> {
  const { history, row, scroller } = subject
  await page.evaluate(history.go)
  await page.waitForFunction(
    ([rows, newest]) =>
      [...document.querySelectorAll(rows)].at(-1)?.textContent?.includes(newest) ?? false,
    [row, history.newest] as const,
  )
  await page.waitForTimeout(1000)
  const options = { scroller, row, oldest: history.oldest, step: 400, longestMs }
  return await page.evaluate((asked) => globalThis.measures.scrollUp(asked), options)
}

const quoted = (text: string) => JSON.stringify(text)
