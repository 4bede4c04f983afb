import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { inspect, isDeepStrictEqual } from 'node:util'
import { waitingFor } from './diagnosis.ts'

/** How long to ask, in milliseconds, and how long to wait between two times. */
const patience = 10_000
const interval = 50

/**
 * Asks until the answer is as expected: a page shows some changes before the server has made them.
 * Fails with the last answer.
 */
export async function eventually<T>(ask: () => T | Promise<T>, expected: T): Promise<void> {
  const end = Date.now() + patience
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
