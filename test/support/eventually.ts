import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { inspect, isDeepStrictEqual } from 'node:util'
import { slowness } from './busy.ts'
import { waitingFor } from './diagnosis.ts'

/** How long anything is waited for now, in milliseconds: less than a test may take. */
export function patience(): number {
  return Math.round(20_000 * slowness())
}
/** How long to wait between two times, in milliseconds. */
const interval = 50

/**
 * Asks until the answer is as expected: a page shows some changes before the server has made them.
 * Fails with the last answer.
 */
export async function eventually<T>(ask: () => T | Promise<T>, expected: T): Promise<void> {
  const end = Date.now() + patience()
  let answer: T | undefined
  const here = new Error('asked')
  const done = waitingFor(() => `${inspect(expected)}; so far: ${inspect(answer)}\n${here.stack}`)
  try {
    for (;;) {
      answer = await ask()
      if (isDeepStrictEqual(answer, expected)) return
      if (Date.now() > end) return assert.deepEqual(answer, expected)
      await after(interval)
    }
  } finally {
    done()
  }
}

/** Fails where something has not happened after as long, such as a promise inside a page. */
export async function within<T>(happening: Promise<T>, what: string): Promise<T> {
  const done = waitingFor(() => what)
  const late = new AbortController()
  const end = after(patience(), undefined, late).then(() => assert.fail(`${what}: not yet`))
  try {
    return await Promise.race([happening, end])
  } finally {
    late.abort()
    done()
  }
}
