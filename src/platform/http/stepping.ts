import { setImmediate } from 'node:timers/promises'
import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'
import { type Steps, workOn } from '#platform/steps.ts'
import { waitForTurn } from './pacing.ts'
import { billOf } from './rate-limit.ts'

/** Whether a handler has returned work to be done in steps. */
export function isSteps(returned: unknown): returned is Steps<unknown> {
  return typeof (returned as Partial<Steps<unknown>> | undefined | null)?.next === 'function'
}

/**
 * Does the work of a request, a few milliseconds in each turn of its account. Short work is done
 * immediately.
 *
 * @param check called before the work goes on; throws if it must not
 * @throws what the work throws, and BAD_REQUEST if the client has gone away meanwhile
 */
export async function finish<T>(
  c: HonoContext,
  server: Context,
  steps: Steps<T>,
  check: () => void,
): Promise<T> {
  const bill = billOf(c)
  for (;;) {
    const { done, value } = bill.timed(() => workOn(steps, server.clock, undefined))
    if (done) return value
    await value
    await (waitForTurn(c) ?? setImmediate())
    check()
  }
}
