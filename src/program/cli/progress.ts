import type { Task } from '#platform/task.ts'
import type { Shell } from './shell.ts'

/** Shorter tasks show nothing, in milliseconds. */
const patience = 2000
/** How often to draw, in milliseconds. */
const interval = 100
const width = 24
/** The signals of Ctrl-C, of a system that shuts down, and of a terminal that closes. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a task of the shell. On a terminal it draws a bar on standard error once it has taken two
 * seconds, or immediately for a step that blocks drawing. The first Ctrl-C, or another signal to end,
 * tells the task to give up.
 *
 * @throws what `run` throws; Error "Interrupted."
 */
export async function watched<T>(shell: Shell, run: (task: Task) => Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  const abort = () => giveUp.abort(new Error('Interrupted. No partial files were left behind.'))
  const bar = shell.errIsTerminal ? createBar(shell.err) : undefined
  for (const signal of endings) process.once(signal, abort)
  try {
    return await run({
      signal: giveUp.signal,
      report: (step, done, total, isLong) => bar?.draw(step, done, total, isLong),
      note(text) {
        bar?.erase()
        shell.err(`${text}\n`)
      },
    })
  } finally {
    for (const signal of endings) process.off(signal, abort)
    bar?.clear()
  }
}

/** How often a line is written if nothing can be drawn, in milliseconds. */
const lineInterval = 10_000

/**
 * The same task, with its speed and remaining time; if nothing can be drawn, in separate lines.
 */
export function withRates(
  { err, errIsTerminal }: Pick<Shell, 'err' | 'errIsTerminal'>,
  task: Task,
  clock: Pick<BarClock, 'now'> = realClock,
): Task {
  let current = ''
  let began = 0
  let first = 0
  let last = Number.NEGATIVE_INFINITY
  return {
    ...task,
    report(step, done, total, isLong, unit) {
      const now = clock.now()
      if (step !== current) {
        current = step
        began = now
        first = done
        last = errIsTerminal ? last : Number.NEGATIVE_INFINITY
      }
      const rate = rateOf(done - first, total - done, now - began, unit)
      task.report(rate === '' ? step : `${step} (${rate})`, done, total, isLong, unit)
      if (errIsTerminal || now - last < lineInterval) return
      last = now
      const percent = total > 0 ? ` ${Math.floor((Math.min(done, total) / total) * 100)}%` : ''
      err(`${step}${percent}${rate === '' ? '' : ` (${rate})`}\n`)
    },
  }
}

/** @param left 0 or less: not known, or nothing */
function rateOf(done: number, left: number, ms: number, unit = ''): string {
  if (ms < 1000 || done <= 0) return ''
  const each = done / (ms / 1000)
  const rate =
    unit === 'bytes' ? `${(each / 1e6).toFixed(1)} MB/s` : `${Math.round(each)} ${unit}/s`
  if (left <= 0) return rate
  const seconds = Math.ceil(left / each)
  const time = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  return `${rate}, ${time} left`
}

/** The clock of a bar, for tests. */
export interface BarClock {
  /** In milliseconds. */
  now(): number
  /** Calls `fn` repeatedly until the returned function is called. */
  every(ms: number, fn: () => void): () => void
}

const realClock: BarClock = {
  now: () => performance.now(),
  every(ms, fn) {
    const timer = setInterval(fn, ms)
    return () => clearInterval(timer)
  },
}

/** A bar in the last line of the terminal. A long step is redrawn even without news. */
export function createBar(err: (text: string) => void, clock = realClock) {
  const started = clock.now()
  let last = Number.NEGATIVE_INFINITY
  let current: string | undefined
  let drawn: string | undefined
  const stop = clock.every(interval, show)

  function show(): void {
    const now = clock.now()
    if (current === undefined || current === drawn) return
    if (now - started < patience || now - last < interval) return
    last = now
    drawn = current
    err(`\r\x1b[K${current}`)
  }

  /** Until it is drawn again. */
  function erase(): void {
    if (drawn !== undefined) err('\r\x1b[K')
    drawn = undefined
  }

  return {
    draw(step: string, done: number, total: number, isLong = false): void {
      current = line(step, done, total)
      if (isLong) {
        drawn = current
        err(`\r\x1b[K${current}`)
      } else show()
    },
    erase,
    clear(): void {
      stop()
      erase()
    },
  }
}

/** @param total 0: not known */
function line(step: string, done: number, total: number): string {
  if (total === 0) return `${step} ...`
  const part = Math.min(1, done / total)
  const full = Math.round(part * width)
  return `${step} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(part * 100)}%`
}
