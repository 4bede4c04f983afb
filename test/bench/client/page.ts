import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { installMeasures } from './in-page.ts'

/** How slow the machine and its network are made. */
export interface Slowness {
  /** By how much the processor is slower. */
  readonly cpu?: number
  readonly network?: 'fast-4g'
}

/** A page with what it takes to measure in it. */
export interface MeasuredPage {
  readonly page: Page
  readonly devtools: CDPSession
}

/** What a browser keeps of a user: their session, among others. */
export type Storage = Exclude<Parameters<Browser['newContext']>[0], undefined>['storageState']

/** @source Chrome DevTools, "Fast 4G": 90 % of 9 Mbit/s down and 1.5 up, and 165 ms */
const fast4g = {
  offline: false,
  downloadThroughput: (9e6 / 8) * 0.9,
  uploadThroughput: (1.5e6 / 8) * 0.9,
  latency: 165,
}
const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1, latency: 0 }

/**
 * Opens an empty page in a browser without a cache, that has `measures`. Without service workers,
 * whose requests no throttling reaches.
 *
 * @param row the selector of a message
 */
export async function openPage(
  browser: Browser,
  row: string,
  storage?: Storage,
): Promise<MeasuredPage> {
  const context: BrowserContext = await browser.newContext({
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    ...(storage && { storageState: storage }),
  })
  const page = await context.newPage()
  // What TypeScript was compiled with wraps named functions into this.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(installMeasures, row)
  return { page, devtools: await context.newCDPSession(page) }
}

/** Makes a page slow from now on, or as fast as it can be. */
export async function slowDown({ devtools }: MeasuredPage, slowness: Slowness): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness.cpu ?? 1 })
  await devtools.send('Network.enable')
  const conditions = slowness.network ? fast4g : unlimited
  await devtools.send('Network.emulateNetworkConditions', conditions)
}

/** What a page holds in memory, without garbage, in megabytes. */
export async function heapMegabytes({ devtools }: MeasuredPage): Promise<number> {
  for (let i = 0; i < 2; i++) await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

export async function closePage({ page }: MeasuredPage): Promise<void> {
  await page.context().close()
}
