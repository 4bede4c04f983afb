import { createHash } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import { type Buckets, createBuckets } from './buckets.ts'
import { type CodeGuess, createCodeGuesses } from './code-guesses.ts'
import { networkOf } from './networks.ts'

/** The owner of a secret: the ID of an account, or an address or name that no account has. */
export type Account = number | string

/** A password that is being compared. It counts as wrong until it turns out to be right. */
export interface Guess {
  right(): void
}

/**
 * Counts wrong passwords and keys for everything that accepts them, so that nobody can guess for
 * long, wherever they try. It counts:
 *
 * - the wrong secrets of one network for one account;
 * - those of one network for all accounts, and for what belongs to none, such as invitations;
 * - those for one account from networks where it is not known, and from those where it is.
 *
 * An account is known in a network from which someone has completed a log-in or used a right key or
 * session. A right password without its second factor is not enough. There, only wrong secrets from
 * such networks count against it, so strangers cannot lock anyone out. The same holds for the codes
 * of a second factor, which have a budget of their own. A right key is never refused, as nobody can
 * guess one; passwords are refused without being compared. Session cookies do not count: nobody can
 * guess one either, and browsers show those that have expired.
 */
export interface Guesses {
  /**
   * Call before comparing a password, or another secret that people choose.
   *
   * @param address the client's network address
   * @throws RATE_LIMIT_HIT too many were wrong
   */
  password(account: Account, address: string): Guess
  /**
   * Counts a wrong key of an account or a link. Repeating the same wrong key teaches nobody
   * anything, so a program with an old key counts once an hour.
   *
   * @param account undefined if the key does not say whose it is
   * @throws RATE_LIMIT_HIT too many were wrong
   */
  wrongKey(key: string, address: string, account?: Account): void
  /**
   * Call before comparing a code of a second factor, which only comes after a right password.
   *
   * @param password its stored hash: a new password starts a new count
   * @throws RATE_LIMIT_HIT too many were wrong: see `codeBudget`
   */
  code(userId: number, password: string | null, address: string): CodeGuess
  /** An account has shown a right key or session, or completed a log-in. */
  recognise(userId: number, address: string): void
}

/** How many wrong secrets there may be. */
export const guessBudgets = {
  /** Guesses from one network for one account. */
  pair: { tokens: 10, seconds: 300 },
  /** Guesses from one network; a whole school class may share one. */
  network: { tokens: 50, seconds: 300 },
  /** For one account, from all networks where it is not known. */
  strangers: { tokens: 100, seconds: 3600 },
  /** For one account, from all networks where it is known: its keys may have been stolen. */
  familiar: { tokens: 30, seconds: 300 },
} as const

/** How long the same wrong key does not count again. */
const repetition = { tokens: 1, seconds: 3600 }

/** The number of networks in which an account is known: the latest ones. */
const mostNetworks = 8

/** A counter, and the subject that it counts. */
type Counter = readonly [Buckets, subject: string]

/** @param refuse makes the error for a client that has to wait this many seconds */
export function createGuesses(clock: Clock, refuse: (seconds: number) => Error): Guesses {
  const pairs = createBuckets(guessBudgets.pair, clock)
  const networks = createBuckets(guessBudgets.network, clock)
  const strangers = createBuckets(guessBudgets.strangers, clock)
  const familiar = createBuckets(guessBudgets.familiar, clock)
  const repeated = createBuckets(repetition, clock)
  const codes = createCodeGuesses(clock, refuse)
  const homes = createHomes()

  /** The counters that count a wrong secret, and those that refuse further ones. */
  function countersFor(network: string, account: Account | undefined) {
    const ofNetwork: Counter = [networks, network]
    if (account === undefined) return { counting: [ofNetwork], refusing: [ofNetwork] }
    const subject = subjectOf(account)
    const pair: Counter = [pairs, `${network} ${subject}`]
    const own: Counter[] = homes.has(account, network)
      ? [pair, [familiar, subject]]
      : [pair, [strangers, subject], ofNetwork]
    return { counting: [...new Set([...own, ofNetwork])], refusing: own }
  }

  function requireTokens(refusing: readonly Counter[]): void {
    const wait = Math.max(...refusing.map(([buckets, subject]) => buckets.wait(subject)))
    if (wait > 0) throw refuse(wait)
  }

  return {
    password(account, address) {
      const network = networkOf(address)
      const { counting, refusing } = countersFor(network, account)
      requireTokens(refusing)
      for (const [buckets, subject] of counting) buckets.take(subject, 1)
      return {
        right() {
          for (const [buckets, subject] of counting) buckets.giveBack(subject, 1)
        },
      }
    },
    code(userId, password, address) {
      const isHome = homes.has(userId, networkOf(address))
      return codes(`${userId} ${isHome ? 'home' : 'elsewhere'} ${digest(password ?? '')}`)
    },
    wrongKey(key, address, account) {
      const network = networkOf(address)
      const { counting, refusing } = countersFor(network, account)
      requireTokens(refusing)
      const same = digest(`${network} ${account === undefined ? '' : subjectOf(account)} ${key}`)
      if (repeated.wait(same) > 0) return
      repeated.take(same, 1)
      for (const [buckets, subject] of counting) buckets.take(subject, 1)
    },
    recognise: (userId, address) => homes.add(userId, networkOf(address)),
  }
}

/** Names without an account can be of any length, so they are hashed. */
function subjectOf(account: Account): string {
  return typeof account === 'number' ? String(account) : digest(account.toLowerCase())
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** The networks where accounts are known. It only grows with real accounts. */
function createHomes() {
  const homes = new Map<number, string[]>()
  return {
    has: (account: Account, network: string) =>
      typeof account === 'number' && (homes.get(account)?.includes(network) ?? false),
    add(userId: number, network: string): void {
      const known = homes.get(userId) ?? []
      if (known[0] === network) return
      const others = known.filter((other) => other !== network)
      homes.set(userId, [network, ...others].slice(0, mostNetworks))
    },
  }
}
