import { isIP } from 'node:net'
import type { Clock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'

/** A token bucket per subject: at most `calls` at once, refilled evenly over `seconds`. */
interface Budget {
  readonly calls: number
  readonly seconds: number
}

/** The rate limits. Calls are counted per user, or per IP address if not logged in. */
const budgets = {
  api: { calls: 2000, seconds: 60 },
  anonymous: { calls: 500, seconds: 60 },
  login: { calls: 10, seconds: 300 },
  /** Forms submitted without a session; a whole school class may share one IP address. */
  form: { calls: 30, seconds: 300 },
} as const satisfies Record<string, Budget>

export interface RateLimits {
  /** Counts one call. @throws RATE_LIMIT_HIT with `retry-after` in seconds */
  spend(budget: keyof typeof budgets, subject: string): void
}

/** The number of subjects to remember before dropping those with a full budget. */
const sweepSize = 10_000

/**
 * Creates token buckets in memory.
 *
 * @source Zulip API, "Error handling": `retry-after` in the body and as a header
 */
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
 * The subject that a call counts against. A host controls its whole IPv6 /64, so IPv6 addresses
 * count per /64; IPv4 addresses (mapped to IPv6 too) and user IDs count by themselves.
 */
export function networkOf(subject: string): string {
  if (isIP(subject) !== 6 || /^::ffff:/i.test(subject)) return subject
  const [head = [], tail = []] = subject.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

/** The rate limits of a server; none in fixture mode, unless configured. */
export function rateLimitsOf({ config, clock }: Pick<Context, 'config' | 'clock'>): RateLimits {
  return config.rateLimits ? createRateLimits(clock) : { spend() {} }
}
