import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { noWholeChromium, openWholeChromium } from '#test/support/chromium.ts'
import { simulateDays } from './client/day.ts'
import { installLounge, isLoungeInstalled, startLounge } from './client/lounge.ts'
import {
  crowd,
  historyHash,
  historyLength,
  historyMark,
  markOf,
  type Organization,
  seedOrganization,
  team,
} from './client/organizations.ts'
import { closePage, heapMegabytes, slowDown } from './client/page.ts'
import {
  openSubject,
  type Subject,
  scrollHistory,
  timeKeys,
  timeLoads,
  timeSwitches,
} from './client/subject.ts'
import { measureYardsticks } from './client/yardsticks.ts'
import { type Line, median, milliseconds, percentile } from './figures.ts'
import { type Program, startServer } from './processes.ts'

/** Among so many conversations the reader goes back and forth. */
const conversations = 30

/**
 * The web client in headless Chromium: what is loaded, how long people wait, and what it holds.
 *
 * @param detail `lounge` installs The Lounge, to measure it beside
 */
export async function measureClient(
  program: Program,
  folder: string,
  detail: string,
): Promise<Line[]> {
  if (noWholeChromium) return [{ name: 'web client', figure: noWholeChromium }]
  if (detail === 'lounge') installLounge()
  const browser = await openWholeChromium()
  try {
    const server = await serve(program, join(folder, 'team'), team)
    const plain = await measureYardsticks(browser, server.origin)
    const own = { ...(await measureSubject(browser, server.subject)), sizes: await sizes(server) }
    const days = await measureDays(browser, server)
    await server.stop()
    const large = await measureCrowd(browser, program, join(folder, 'crowd'))
    const lounge = isLoungeInstalled()
      ? await measureLounge(browser, join(folder, 'lounge'))
      : undefined
    const lines = linesOf({ plain, own, days, large, lounge })
    if (lounge) return lines
    const absent = 'not installed: `--only client:lounge` installs it in the temporary folder'
    return [...lines, { name: 'The Lounge 4.5, to compare with', figure: absent }]
  } finally {
    await browser.close()
  }
}

interface Served {
  readonly origin: string
  readonly port: number
  readonly organization: Organization
  readonly subject: Subject
  stop(): Promise<unknown>
}

async function serve(program: Program, data: string, size: typeof team): Promise<Served> {
  mkdirSync(data)
  const organization = await seedOrganization(data, size)
  const { port, stop } = await startServer(program.file, data)
  const origin = `http://127.0.0.1:${port}`
  return { origin, port, organization, subject: subjectOf(origin, organization), stop }
}

function subjectOf(origin: string, { session, topics }: Organization): Subject {
  const cookie = (name: string, value: string) => ({
    ...{ name, value, domain: '127.0.0.1', path: '/', expires: -1 },
    ...{ httpOnly: false, secure: false, sameSite: 'Lax' as const },
  })
  const go = (hash: string) => `location.hash = ${JSON.stringify(hash)}`
  return {
    address: `${origin}/${topics[0]}`,
    storage: {
      cookies: [cookie(sessionCookie, session.token), cookie('csrftoken', session.csrfToken)],
      origins: [],
    },
    row: '.messages .message',
    scroller: '.pane-scroller',
    textBox: '.compose .editor-text',
    keptItem: 'parley:kept',
    go: (conversation) => go(topics[conversation] ?? ''),
    mark: markOf,
    history: {
      go: go(historyHash),
      newest: historyMark(historyLength - 1),
      oldest: historyMark(0),
    },
  }
}

/** What is measured of any client. */
async function measureSubject(browser: Browser, subject: Subject) {
  const loads = await timeLoads(browser, subject, { cpu: 4, network: 'fast-4g' })
  const measured = await openSubject(browser, subject)
  const switches = await timeSwitches(measured, subject, conversations)
  const heap = await heapMegabytes(measured)
  await slowDown(measured, { cpu: 4 })
  const slowSwitches = await timeSwitches(measured, subject, conversations)
  await slowDown(measured, {})
  const scrolled = await scrollHistory(measured, subject)
  await closePage(measured)
  return { loads, switches, slowSwitches, heap, scrolled }
}

interface Sizes {
  readonly script: number
  readonly style: number
  readonly largestPart: number
}

const kib = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }).length / 1024

/** What the page loads, as it is served, in KiB compressed. */
async function sizes({ origin, subject }: Served): Promise<Sizes> {
  const { cookies } = subject.storage as { cookies: { name: string; value: string }[] }
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const read = async (path: string) => {
    const response = await fetch(origin + path, { headers: { cookie } })
    return Buffer.from(await response.arrayBuffer())
  }
  const page = String(await read('/'))
  const inline = Buffer.from(/<script>(.*?)<\/script>/s.exec(page)?.[1] ?? '')
  const [first = ''] = page.match(/\/static\/client\/first-\w+\.js/) ?? []
  const [script = ''] = page.match(/\/static\/client\/main-\w+\.js/) ?? []
  const [style = ''] = page.match(/\/static\/client\/style-\w+\.css/) ?? []
  const calls = await read(first)
  const main = await read(script)
  const parts = new Map<string, number>()
  const collect = async (text: string): Promise<void> => {
    for (const [, name = ''] of text.matchAll(/"\.\/([\w-]+-[A-Z0-9]{8}\.js)"/g)) {
      if (parts.has(name) || [first, script].some((path) => path.endsWith(name))) continue
      const part = await read(`/static/client/${name}`)
      parts.set(name, kib(part))
      await collect(part.toString())
    }
  }
  await collect(main.toString())
  return {
    script: kib(inline) + kib(calls) + kib(main),
    style: kib(await read(style)),
    largestPart: Math.max(...parts.values()),
  }
}

async function measureDays(browser: Browser, { port, organization, subject }: Served) {
  const measured = await openSubject(browser, subject)
  const heaps = await simulateDays(measured, port, organization.people, organization.topics)
  await closePage(measured)
  return heaps
}

/** Where there are so many people and channels that it shows. */
async function measureCrowd(browser: Browser, program: Program, data: string) {
  const server = await serve(program, data, crowd)
  const loads = await timeLoads(browser, server.subject, { cpu: 4, network: 'fast-4g' })
  const measured = await openSubject(browser, server.subject)
  await slowDown(measured, { cpu: 4 })
  const keys = await timeKeys(measured, server.subject.textBox)
  await closePage(measured)
  await server.stop()
  return { loads, keys }
}

async function measureLounge(browser: Browser, home: string) {
  const lounge = await startLounge(browser, home, conversations)
  try {
    const figures = await measureSubject(browser, lounge.subject)
    const measured = await openSubject(browser, lounge.subject)
    await slowDown(measured, { cpu: 4 })
    const keys = await timeKeys(measured, lounge.subject.textBox)
    await closePage(measured)
    const { scripts, styles } = lounge.files
    const sum = (files: readonly Buffer[]) => files.reduce((all, file) => all + kib(file), 0)
    return { ...figures, keys, script: sum(scripts), style: sum(styles) }
  } finally {
    await lounge.stop()
  }
}

interface Figures {
  readonly plain: Awaited<ReturnType<typeof measureYardsticks>>
  readonly own: Awaited<ReturnType<typeof measureSubject>> & { readonly sizes: Sizes }
  readonly days: readonly number[]
  readonly large: Awaited<ReturnType<typeof measureCrowd>>
  readonly lounge: Awaited<ReturnType<typeof measureLounge>> | undefined
}

function linesOf({ plain, own, days, large, lounge }: Figures): Line[] {
  const { loads, sizes, switches, slowSwitches, scrolled } = own
  const slow = 'CPU/4, Fast 4G'
  const firstDay = days[days.length / 2 - 1] ?? 0
  const secondDay = days.at(-1) ?? 0
  return [
    line('JavaScript of the first load, gzip', sizes.script, 80, size, {
      other: lounge && size(lounge.script),
    }),
    line('CSS of the first load, gzip', sizes.style, 15, size, {
      other: lounge && size(lounge.style),
    }),
    line('largest part that is loaded later, gzip', sizes.largestPart, 40, size),
    line(`first message, ${slow}`, median(loads.cold), 1000, milliseconds, {
      yardstick: milliseconds(plain.load),
      other: lounge && milliseconds(median(lounge.loads.cold)),
    }),
    line(`first message, ${slow}, warm`, median(loads.warm), 400, milliseconds, {
      yardstick: milliseconds(plain.load),
      other: lounge && milliseconds(median(lounge.loads.warm)),
    }),
    {
      name: `first message, ${slow}, 5 000 people and 500 channels`,
      figure: milliseconds(median(large.loads.cold)),
    },
    {
      name: `first message, ${slow}, warm, 5 000 people and 500 channels`,
      figure: milliseconds(median(large.loads.warm)),
    },
    line('switch to a conversation that was seen', percentile(switches, 95), 50, spread(switches), {
      yardstick: spread(plain.switches)(),
      other: lounge && spread(lounge.switches)(),
    }),
    line('the same, CPU/4', percentile(slowSwitches, 95), 100, spread(slowSwitches), {
      other: lounge && spread(lounge.slowSwitches)(),
    }),
    line(
      'key to paint, CPU/4, 5 000 people and 500 channels',
      percentile(large.keys, 95),
      50,
      spread(large.keys),
      { yardstick: spread(plain.keys)(), other: lounge && spread(lounge.keys)() },
    ),
    line(
      `frame while scrolling through ${historyLength} messages`,
      percentile(scrolled.frames, 95),
      25,
      spread(scrolled.frames),
      {
        yardstick: spread(plain.scroll.frames)(),
        other: lounge && reached(spread(lounge.scrolled.frames)(), lounge.scrolled.isWhole),
      },
    ),
    line(
      'drift of the row that is read meanwhile',
      scrolled.drift,
      0,
      () => reached(pixels(scrolled.drift), scrolled.isWhole),
      { yardstick: pixels(plain.scroll.drift), other: lounge && pixels(lounge.scrolled.drift) },
    ),
    line('heap after 100 switches', own.heap, 60, megabytes, {
      yardstick: megabytes(plain.heap),
      other: lounge && megabytes(lounge.heap),
    }),
    line(
      'growth of the heap in the second of two long days',
      (secondDay / firstDay - 1) * 100,
      5,
      () => `${firstDay.toFixed(1)} to ${megabytes(secondDay)}`,
    ),
  ]
}

interface Beside {
  readonly yardstick?: string
  readonly other?: string | undefined
}

/** @param limit the most that is allowed */
function line(
  name: string,
  value: number,
  limit: number,
  written: (value: number) => string,
  { yardstick, other }: Beside = {},
): Line {
  return {
    name,
    figure: written(value),
    target: `<= ${limit}`,
    met: value <= limit,
    ...(yardstick !== undefined && { yardstick }),
    ...(other !== undefined && { others: { 'The Lounge 4.5': other } }),
  }
}

const size = (value: number) => `${value.toFixed(1)} KiB`
const megabytes = (value: number) => `${value.toFixed(1)} MB`
const pixels = (value: number) => `${value.toFixed(value % 1 === 0 ? 0 : 2)} px`
const reached = (text: string, isWhole: boolean) => (isWhole ? text : `${text}, not to the end`)
const spread = (times: readonly number[]) => () =>
  `${milliseconds(median(times))} p50, ${milliseconds(percentile(times, 95))} p95`
