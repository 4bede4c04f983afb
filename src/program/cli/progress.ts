import type { Task } from '#program/task.ts'
import type { Shell } from './shell.ts'

/** Shorter tasks show nothing, in milliseconds. */
const patience = 2000
/** How often to draw, in milliseconds. */
const interval = 100
const width = 24

/**
 * Runs a task of the shell. On a terminal it draws a bar on standard error once it has taken two
 * seconds. The first Ctrl-C tells the task to give up.
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
      report: (step, done, total) => bar?.draw(step, done, total),
    })
  } finally {
    process.off('SIGINT', abort)
    bar?.clear()
  }
}

/** A bar in the last line of the terminal. @param now the time in milliseconds, for tests */
export function createBar(err: (text: string) => void, now = () => performance.now()) {
  const started = now()
  let last = Number.NEGATIVE_INFINITY
  let isDrawn = false
  return {
    draw(step: string, done: number, total: number): void {
      if (now() - started < patience || now() - last < interval) return
      last = now()
      isDrawn = true
      err(`\r\x1b[K${line(step, done, total)}`)
    },
    clear(): void {
      if (isDrawn) err('\r\x1b[K')
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
