import { isIP } from 'node:net'
import type { Clock } from '#clock.ts'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'

/** Calls that one subject may make: `calls` at once, refilled evenly over `seconds`. */
interface Budget {
  readonly calls: number
  readonly seconds: number
}

/** By whom a call is counted: a user, or the address of somebody who is not logged in. */
const budgets = {
  api: { calls: 2000, seconds: 60 },
  anonymous: { calls: 500, seconds: 60 },
  login: { calls: 10, seconds: 300 },
  /** Forms of people without a session: a class of them may sit behind one address. */
  form: { calls: 30, seconds: 300 },
  /** Mail to an address that anybody typed in. */
  mail: { calls: 3, seconds: 3600 },
} as const satisfies Record<string, Budget>

export interface RateLimits {
  /** Counts one call. @throws RATE_LIMIT_HIT with `retry-after` in seconds */
  spend(budget: keyof typeof budgets, subject: string): void
}

/** How many subjects are remembered before those with a full budget are forgotten. */
const sweepSize = 10_000

/** Token buckets in memory. @source clients.md §0.3: `retry-after` in the body and as a header */
export function createRateLimits(clock: Clock): RateLimits {
  const buckets = new Map<string, { left: number; at: number; budget: Budget }>()

  function refilled(left: number, since: number, { calls, seconds }: Budget): number {
    return Math.min(calls, left + ((clock.now() - since) / 1000 / seconds) * calls)
  }

  return {
    spend(name, subject) {
      const budget = budgets[name]
      const key = `${name}:${networkOf(subject)}`
      const bucket = buckets.get(key) ?? { left: budget.calls, at: clock.now(), budget }
      bucket.left = refilled(bucket.left, bucket.at, budget)
      bucket.at = clock.now()
      if (bucket.left < 1) {
        const wait = ((1 - bucket.left) * budget.seconds) / budget.calls
        throw new ApiError('RATE_LIMIT_HIT', 'API usage exceeded rate limit', {
          'retry-after': Math.ceil(wait * 1000) / 1000,
        })
      }
      bucket.left -= 1
      buckets.set(key, bucket)
      if (buckets.size > sweepSize) {
        for (const [other, { left, at, budget: own }] of buckets) {
          if (refilled(left, at, own) >= own.calls) buckets.delete(other)
        }
      }
    },
  }
}

/**
 * Whoever has one IPv6 address has all of its network of 64 bits, so those count together. An IPv4
 * address in the form of IPv6, and what is no address, counts by itself.
 */
function networkOf(subject: string): string {
  if (isIP(subject) !== 6 || /^::ffff:/i.test(subject)) return subject
  const [head = [], tail = []] = subject.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

/** Limits as the server is configured: none at all in fixture mode, unless it is asked for them. */
export function rateLimitsOf({ config, clock }: Pick<Context, 'config' | 'clock'>): RateLimits {
  return config.rateLimits ? createRateLimits(clock) : { spend() {} }
}
