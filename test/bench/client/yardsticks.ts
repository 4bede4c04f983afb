import type { Browser } from 'playwright-core'
import type { Scrolled } from './in-page.ts'
import { closePage, heapMegabytes, type MeasuredPage, openPage, slowDown } from './page.ts'

/*
 * The plainest page that does the same, in the same run: what the browser and the machine take for
 * themselves.
 */

/** What the plainest page takes, in milliseconds and megabytes. */
export interface Yardsticks {
  /** Until text is in sight, after as many round trips as it takes to register and fetch. */
  readonly load: number
  readonly switches: readonly number[]
  readonly keys: readonly number[]
  readonly scroll: Scrolled
  readonly heap: number
}

/** @param origin where a server answers quickly */
export async function measureYardsticks(browser: Browser, origin: string): Promise<Yardsticks> {
  const measured = await openPage(browser, 'li')
  const { page } = measured
  await slowDown(measured, { cpu: 4, network: 'fast-4g' })
  await page.goto(`${origin}/static/client-version`)
  const load = await page.evaluate(async () => {
    for (let i = 0; i < 3; i++) await (await fetch('/static/client-version')).text()
    document.body.textContent = 'There.'
    return await measures.afterPaint()
  })
  await slowDown(measured, {})
  await page.goto('about:blank')
  const heap = await heapMegabytes(measured)
  await page.goto(`data:text/html,${encodeURIComponent(plainPage)}`)
  const yardsticks = {
    load,
    heap,
    switches: await timeSwitches(measured),
    keys: await timeKeys(measured),
    scroll: await scroll(measured),
  }
  await closePage(measured)
  return yardsticks
}

const plainPage = `<!doctype html>
<div id="list" style="height:600px;overflow:auto;overflow-anchor:none"></div>
<textarea></textarea>`

async function timeSwitches({ page }: MeasuredPage): Promise<number[]> {
  return await page.evaluate(async () => {
    const times: number[] = []
    for (let i = 0; i < 30; i++) {
      const go = () => {
        const rows = Array.from({ length: 40 }, () => `<li>Some words of a message ${i}.</li>`)
        const list = document.querySelector('#list')
        if (list) list.innerHTML = rows.join('')
      }
      times.push(await measures.timeSwitch(go, 'li', `message ${i}.`))
    }
    return times
  })
}

async function timeKeys(measured: MeasuredPage): Promise<number[]> {
  await slowDown(measured, { cpu: 4 })
  const { page } = measured
  await page.click('textarea')
  await page.evaluate(() => {
    globalThis.measures.keyTimes = []
  })
  await page.keyboard.type('Hello there, how is it going?', { delay: 120 })
  const times = await page.evaluate(() => globalThis.measures.keyTimes ?? [])
  await slowDown(measured, {})
  return times
}

async function scroll({ page }: MeasuredPage): Promise<Scrolled> {
  return await page.evaluate(async () => {
    const list = document.querySelector('#list')
    if (!list) throw new Error('There is no list.')
    const row = (_: unknown, i: number) =>
      `<li style="height:40px">Some words of a message (number ${i})</li>`
    list.innerHTML = Array.from({ length: 2500 }, row).join('')
    list.scrollTop = list.scrollHeight
    return await measures.scrollUp({
      scroller: '#list',
      row: 'li',
      oldest: '(number 0)',
      step: 400,
      longestMs: 30_000,
    })
  })
}
