import type { Context as HonoContext } from 'hono'
import type { Clock } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { HttpBindings } from './listener.ts'
import { type Spent, traceOf } from './log.ts'
import { networkOf } from './networks.ts'
import {
  type Bill,
  billOf,
  type budgets,
  openBill,
  type PayingAccount,
  type RateLimits,
} from './rate-limit.ts'

/**
 * Shares the server between accounts, or else networks, however many connections they use. If
 * requests wait, one per account begins in each turn of the event loop, but only for the accounts
 * that have had the least work done: an account that asks for little never waits for everything
 * that another one asks for. Without competition, nobody waits.
 *
 * @source Goyal, Vin and Cheng, "Start-time Fair Queueing" (1996)
 */
export interface Pacing {
  /** Whether `turn` would return undefined. */
  isFree(subject: string): boolean
  /** Resolves when a request of `subject` may be worked on; undefined: immediately. */
  turn(subject: string): Promise<void> | undefined
  /** Runs `fn`, which is work for `subject`. */
  timed<T>(subject: string, fn: () => T): T
  /** Counts bytes that were received or sent for `subject` as work as well. */
  moved(subject: string, bytes: number): void
}

interface Subject {
  /**
   * The work done for it, in milliseconds. One that comes back is treated as if it had had nearly
   * as much as the others.
   */
  worked: number
  readonly waiting: (() => void)[]
}

/**
 * An account waits if it has had this much more work than the account with the least, in
 * milliseconds.
 */
const slackMs = 10
/** How far behind the others an account that comes back may be, in milliseconds. */
const creditMs = 50
/** How many bytes are received, or sent from a file, in a millisecond of work. */
const bytesPerMs = 256 * 1024
/** How many subjects without waiting requests are remembered while others wait. */
const mostIdle = 1000

/** @param elapsed as of `Clock` */
export function createPacing(elapsed: () => number): Pacing {
  const subjects = new Map<string, Subject>()
  const waiting = new Set<Subject>()
  /** The accounts for which a request has begun in this turn of the event loop. */
  const begun = new Set<Subject>()
  /** The least work among the accounts that waited last. */
  let least = 0
  let isAwake = false

  function enter(name: string): Subject {
    let subject = subjects.get(name)
    if (!subject) {
      subject = { worked: 0, waiting: [] }
      subjects.set(name, subject)
    }
    if (!waiting.has(subject)) subject.worked = Math.max(subject.worked, least - creditMs)
    return subject
  }

  function wake(): void {
    if (isAwake) return
    isAwake = true
    // In the turn after the next one, so that requests that have begun write first.
    setImmediate(() => setImmediate(next))
  }

  function next(): void {
    isAwake = false
    begun.clear()
    if (waiting.size === 0) {
      subjects.clear()
      least = 0
      return
    }
    least = Number.POSITIVE_INFINITY
    for (const { worked } of waiting) least = Math.min(least, worked)
    for (const subject of waiting) {
      if (subject.worked > least + slackMs) continue
      begun.add(subject)
      subject.waiting.shift()?.()
      if (subject.waiting.length === 0) waiting.delete(subject)
    }
    if (subjects.size - waiting.size > mostIdle) forgetIdle()
    wake()
  }

  function forgetIdle(): void {
    for (const [name, subject] of subjects) if (!waiting.has(subject)) subjects.delete(name)
  }

  return {
    isFree(name) {
      const subject = subjects.get(name)
      return waiting.size === 0 && !(subject && begun.has(subject))
    },
    turn(name) {
      const subject = enter(name)
      wake()
      if (waiting.size === 0 && !begun.has(subject)) {
        begun.add(subject)
        return undefined
      }
      waiting.add(subject)
      return new Promise((resolve) => void subject.waiting.push(resolve))
    },
    timed(name, fn) {
      const from = elapsed()
      try {
        return fn()
      } finally {
        enter(name).worked += elapsed() - from
      }
    },
    moved(name, bytes) {
      enter(name).worked += bytes / bytesPerMs
    },
  }
}

/** The pacing of a server without rate limits, such as one in fixture mode. */
export const noPacing: Pacing = {
  isFree: () => true,
  turn: () => undefined,
  timed: (_name, fn) => fn(),
  moved() {},
}

const key = 'paced subject'

/** The parts of a server that requests are paced and charged by. */
interface PacedServer {
  readonly clock: Clock
  readonly pacing: Pacing
  readonly rateLimits: RateLimits
}

/**
 * Opens the bill of a request without an account, whose payer also takes turns.
 *
 * @param address the network address of the client
 * @throws RATE_LIMIT_HIT
 */
export function openPacedBill(
  c: HonoContext,
  { clock, pacing, rateLimits }: PacedServer,
  budget: keyof typeof budgets,
  address: string,
): Bill {
  const name = networkOf(address)
  c.set(key, name)
  const bill = rateLimits.bill(budget, address)
  return openBill(c, new PacedBill(traceOf(c).spent, clock, pacing, name, bill))
}

/** The same for the request of an account. */
export function openAccountBill(
  c: HonoContext,
  { clock, pacing, rateLimits }: PacedServer,
  account: PayingAccount,
): Bill {
  const name = pacedName(account)
  c.set(key, name)
  const bill = rateLimits.accountBill(account)
  return openBill(c, new PacedBill(traceOf(c).spent, clock, pacing, name, bill))
}

/** The bots of an owner take turns as if they were one. */
const pacedName = ({ id, botOwnerId }: PayingAccount) =>
  botOwnerId === null ? String(id) : `bots of ${botOwnerId}`

/**
 * Opens the bill of an account's request that need not wait for its turn, and takes the turn.
 *
 * @param spent counts what it costs
 * @returns undefined if it has to wait
 * @throws RATE_LIMIT_HIT
 */
export function openRepeatedBill(
  { clock, pacing, rateLimits }: PacedServer,
  account: PayingAccount,
  spent: Spent,
): Bill | undefined {
  const name = pacedName(account)
  if (!pacing.isFree(name)) return undefined
  const bill = new PacedBill(spent, clock, pacing, name, rateLimits.accountBill(account))
  bill.open()
  pacing.turn(name)
  return bill
}

/** A class, because each request has one. */
class PacedBill implements Bill {
  readonly #spent: Spent
  readonly #clock: Clock
  readonly #pacing: Pacing
  readonly #name: string
  readonly #bill: Bill
  #isTiming = false

  constructor(spent: Spent, clock: Clock, pacing: Pacing, name: string, bill: Bill) {
    this.#spent = spent
    this.#clock = clock
    this.#pacing = pacing
    this.#name = name
    this.#bill = bill
  }

  open(): void {
    this.#bill.open()
  }

  timed<T>(fn: () => T): T {
    // Work inside other timed work must not count twice.
    if (this.#isTiming) return fn()
    this.#isTiming = true
    const began = this.#clock.elapsed()
    try {
      return this.#bill.timed(() => this.#pacing.timed(this.#name, fn))
    } finally {
      this.#isTiming = false
      this.#spent.workMs += this.#clock.elapsed() - began
    }
  }

  size(bytes: number): void {
    this.#bill.size(bytes)
    this.#pacing.moved(this.#name, bytes)
    this.#spent.bytes += bytes
  }

  stored(ms: number): void {
    this.#spent.commitMs += ms
  }

  charge(tokens: number): void {
    this.#bill.charge(tokens)
  }

  turn(): Promise<void> | undefined {
    const began = this.#clock.elapsed()
    return this.#pacing.turn(this.#name)?.then(() => {
      this.#spent.turnMs += this.#clock.elapsed() - began
    })
  }

  headers(): Readonly<Record<string, string>> {
    return this.#bill.headers()
  }
}

/** The payer of a request, who takes turns: an account, the bots of one, or a network. */
export function pacedSubject(c: HonoContext): string {
  return (c.get(key) as string | undefined) ?? ''
}

/**
 * Waits until a request may be worked on; undefined: it need not wait.
 *
 * @throws BAD_REQUEST the client has gone away meanwhile
 */
export function waitForTurn(c: HonoContext): Promise<void> | undefined {
  return billOf(c)
    .turn()
    ?.then(() => {
      const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
      if (outgoing?.destroyed) throw badRequest('The request was abandoned.')
    })
}
