import { setImmediate } from 'node:timers/promises'
import { ApiError, badRequest } from '#platform/errors.ts'
import { queueLimits } from '#platform/events/limits.ts'
import { createFairQueue, TooManyWaiting } from '#platform/fairness/fair-queue.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Steps, workOn } from '#platform/steps.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { sentSentence } from '#translations/translate.ts'

/** How many clients may wait to register. Each costs next to nothing until its turn. */
const mostWaiting = 10_000

/** More queues than an account may have would close each other. */
const queueOf = perDatabase(() =>
  createFairQueue({ waiting: mostWaiting, waitingPerClient: queueLimits.perUser }),
)

/**
 * Registers one client at a time: after a crash all come together, and each reply of a large
 * organization takes megabytes until it is compressed. Other requests are served in between, and
 * the registering account pays for the work.
 *
 * @param signal aborted when the client has gone
 * @param prepare what may take long, before `register` does the rest without a pause
 * @throws RATE_LIMIT_HIT too many clients wait, of the account or in all
 * @throws as `Caller.requireCurrent`, since a wait may be long
 */
export function registerInTurn<T>(
  caller: Caller,
  signal: AbortSignal,
  register: () => Promise<T>,
  prepare?: () => Steps<void>,
): Promise<T> {
  const checked = async () => {
    caller.requireCurrent(caller.store)
    if (prepare) await finish(caller, prepare())
    return await caller.timed(register)
  }
  return new Promise((resolve, reject) => {
    const run = async () => {
      await checked().then(resolve, reject)
      // The reply is made before the next register begins.
      await setImmediate()
    }
    queueOf(caller.store)
      .run({ client: String(caller.user.id), signal, run })
      .catch((error: unknown) => reject(refusalOf(error)))
  })
}

/** Does work in short turns. @throws as `Caller.requireCurrent` */
async function finish(caller: Caller, steps: Steps<void>): Promise<void> {
  const next = () => workOn(steps, caller.server.clock, undefined)
  while (!caller.timed(next).done) {
    await setImmediate()
    caller.requireCurrent(caller.store)
  }
}

/** The error for a client that was refused, or has gone. */
function refusalOf(error: unknown): ApiError {
  if (!(error instanceof TooManyWaiting)) return badRequest('The request was abandoned.')
  return new ApiError('RATE_LIMIT_HIT', sentSentence('Too many clients are waiting to register.'), {
    'retry-after': 5,
  })
}
