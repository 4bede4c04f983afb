import type { Task } from '#program/task.ts'
import type { Shell } from './shell.ts'

/** Shorter tasks show nothing, in milliseconds. */
const patience = 2000
/** How often to draw, in milliseconds. */
const interval = 100
const width = 24

/**
 * Runs a task of the shell. On a terminal it draws a bar on standard error once it has taken two
 * seconds, or at once for a step that lets nothing be drawn meanwhile. The first Ctrl-C tells the task to give up.
 *
 * @throws what `run` throws; Error "Interrupted."
 */
export async function watched<T>(shell: Shell, run: (task: Task) => Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  const abort = () => giveUp.abort(new Error('Interrupted. Nothing was left behind.'))
  const bar = shell.errIsTerminal ? createBar(shell.err) : undefined
  process.once('SIGINT', abort)
  try {
    return await run({
      signal: giveUp.signal,
      report: (step, done, total, isLong) => bar?.draw(step, done, total, isLong),
    })
  } finally {
    process.off('SIGINT', abort)
    bar?.clear()
  }
}

/** The clock of a bar, for tests. */
export interface BarClock {
  /** In milliseconds. */
  now(): number
  /** Calls `fn` again and again until what it returns is called. */
  every(ms: number, fn: () => void): () => void
}

const realClock: BarClock = {
  now: () => performance.now(),
  every(ms, fn) {
    const timer = setInterval(fn, ms)
    return () => clearInterval(timer)
  },
}

/** A bar in the last line of the terminal. A step that lasts is drawn though it tells nothing new. */
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

  return {
    draw(step: string, done: number, total: number, isLong = false): void {
      current = line(step, done, total)
      if (isLong) {
        drawn = current
        err(`\r\x1b[K${current}`)
      } else show()
    },
    clear(): void {
      stop()
      if (drawn !== undefined) err('\r\x1b[K')
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
