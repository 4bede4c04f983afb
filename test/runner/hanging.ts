import { performance } from 'node:perf_hooks'
import { slowness } from '#test/support/busy.ts'
import { diagnose } from '#test/support/diagnosis.ts'

/** How long a test may wait, in milliseconds, unless it says otherwise. */
const usualLimitMs = 30_000

/** How often it is looked whether the limit is reached, in milliseconds. */
const intervalMs = 500

/** Lines about errors that tests threw. */
const notes = new WeakMap<object, readonly string[]>()

/** What is known of an error besides its message, in lines. */
export function notesOn(error: unknown): readonly string[] {
  return typeof error === 'object' && error !== null ? (notes.get(error) ?? []) : []
}

/** A test that waited too long. */
class HangingError extends Error {
  override readonly name = 'HangingError'
}

/**
 * The body of a test, which fails when it hangs. Only the time counts in which this process had
 * nothing to do: a busy machine makes a test slow, but does not make it wait. For other processes, such
 * as a server that is started, it may wait the longer the busier the machine is.
 *
 * @param limitMs how long it may wait
 */
export function watched<Given extends unknown[]>(
  name: string,
  body: (...given: Given) => unknown,
  limitMs = usualLimitMs,
): (...given: Given) => Promise<void> {
  return async (...given) => {
    try {
      await withinLimit(async () => await body(...given), name, limitMs)
    } catch (error) {
      if (typeof error === 'object' && error !== null) notes.set(error, await diagnose())
      throw error
    }
  }
}

/** Runs `work`. @throws HangingError when it has waited for longer than the limit */
export async function withinLimit(
  work: () => Promise<unknown>,
  name: string,
  limitMs = usualLimitMs,
): Promise<void> {
  let before = performance.eventLoopUtilization()
  let waitedMs = 0
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const now = performance.eventLoopUtilization()
      waitedMs += (now.idle - before.idle) / slowness()
      before = now
      if (waitedMs < limitMs) return
      reject(new HangingError(`"${name}" waited for ${limitMs / 1000} s, and was ended.`))
    }, intervalMs)
    // Only the test's own work keeps the process alive: Node cancels what can no longer end.
    timer.unref()
  })
  try {
    await Promise.race([work(), hung])
  } finally {
    clearInterval(timer)
  }
}
