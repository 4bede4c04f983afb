import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { networkOf } from './networks.ts'
import { type Bill, type budgets, openBill } from './rate-limit.ts'

/**
 * Spaces out the requests of one account, or else of one network, however many connections they
 * come by: one is begun in a turn of the event loop, and after work the account rests for as long as
 * the work took. So the others have at least half of the server.
 */
export interface Pacing {
  /** Resolves when a request of `subject` may be worked on; undefined: at once. */
  turn(subject: string): Promise<void> | undefined
  /** Runs `fn`, which is work for `subject`. */
  timed<T>(subject: string, fn: () => T): T
}

/** Who has requests under way, or rests. */
interface Subject {
  /** In milliseconds of the process. */
  restsUntil: number
  readonly waiting: (() => void)[]
}

/** Work that is too short to make anybody wait for its author to rest, in milliseconds. */
const shortMs = 1

export function createPacing(): Pacing {
  const subjects = new Map<string, Subject>()

  function enter(name: string): Subject {
    const subject: Subject = { restsUntil: 0, waiting: [] }
    subjects.set(name, subject)
    setImmediate(next, name, subject)
    return subject
  }

  function next(name: string, subject: Subject): void {
    const rest = subject.restsUntil - performance.now()
    if (rest >= shortMs) {
      setTimeout(next, rest, name, subject)
      return
    }
    const begin = subject.waiting.shift()
    if (!begin) {
      subjects.delete(name)
      return
    }
    begin()
    setImmediate(next, name, subject)
  }

  return {
    turn(name) {
      const subject = subjects.get(name)
      if (subject) return new Promise((resolve) => void subject.waiting.push(resolve))
      enter(name)
      return undefined
    },
    timed(name, fn) {
      // The time of the processor, which no test sets.
      const from = performance.now()
      try {
        return fn()
      } finally {
        const took = performance.now() - from
        const subject = subjects.get(name) ?? (took >= shortMs ? enter(name) : undefined)
        // Nobody rests while they work.
        if (subject) subject.restsUntil = Math.max(subject.restsUntil, from) + 2 * took
      }
    },
  }
}

/** The pacing of a server without rate limits, such as one in fixture mode. */
export const noPacing: Pacing = { turn: () => undefined, timed: (_name, fn) => fn() }

const key = 'paced subject'

/**
 * Opens the bill of a request; who pays for it takes turns, too.
 *
 * @param subject the ID of an account, or the network address of a client
 * @throws RATE_LIMIT_HIT
 */
export function openPacedBill(
  c: HonoContext,
  { pacing, rateLimits }: Context,
  budget: keyof typeof budgets,
  subject: number | string,
): Bill {
  const name = typeof subject === 'number' ? String(subject) : networkOf(subject)
  const bill = rateLimits.bill(budget, subject)
  c.set(key, name)
  return openBill(c, { ...bill, timed: (fn) => bill.timed(() => pacing.timed(name, fn)) })
}

/** Who pays for a request, and takes turns: the ID of an account, or a network. */
export function pacedSubject(c: HonoContext): string {
  return (c.get(key) as string | undefined) ?? ''
}

/**
 * Waits until a request may be worked on; undefined: it need not wait.
 *
 * @throws BAD_REQUEST the client has gone away meanwhile
 */
export function waitForTurn(c: HonoContext, { pacing }: Context): Promise<void> | undefined {
  return pacing.turn(pacedSubject(c))?.then(() => {
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
    if (outgoing?.destroyed) throw badRequest('The request was abandoned.')
  })
}
