import { setImmediate } from 'node:timers/promises'
import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'
import type { Steps } from '#platform/steps.ts'
import { waitForTurn } from './pacing.ts'
import { billOf } from './rate-limit.ts'

/** How long a request is worked on before others have their turn, in milliseconds. */
const turnMs = 5

/** Whether a handler has returned work to be done in steps. */
export function isSteps(returned: unknown): returned is Steps<unknown> {
  return typeof (returned as Partial<Steps<unknown>> | undefined | null)?.next === 'function'
}

/**
 * Does the work of a request, some milliseconds of it in each turn of its account. Short work is
 * done at once.
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
    const { done, value } = bill.timed(() => workOn(server, steps))
    if (done) return value
    await value
    await (waitForTurn(c) ?? setImmediate())
    check()
  }
}

function workOn<T>({ clock }: Context, steps: Steps<T>): ReturnType<Steps<T>['next']> {
  const until = clock.elapsed() + turnMs
  for (;;) {
    const step = steps.next()
    if (step.done || step.value || clock.elapsed() >= until) return step
  }
}
