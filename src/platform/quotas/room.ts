import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { insertUse, listUses } from './queries.ts'
import type { Quota, Rate } from './quota.ts'

/** The limit of a subject. */
function mostOf<S>(read: Read, quota: Quota<S>, subject: S): number {
  const { quotas, rateLimits } = read.config
  const own = quotas[quota.name]
  const isLifted = quota.seconds !== undefined && !rateLimits && !quota.always
  if (own === undefined && isLifted) return Number.POSITIVE_INFINITY
  return (own ?? quota.most) * quota.share(subject)
}

/** Whether a subject may have `adding` more. */
export function hasRoom<S>(read: Read, quota: Quota<S>, subject: S, adding = 1): boolean {
  const most = mostOf(read, quota, subject)
  return most === Number.POSITIVE_INFINITY || quota.used(read, subject) + adding <= most
}

/**
 * Requires that a subject may have `adding` more. Call it in the write that adds them.
 *
 * @throws BAD_REQUEST with the limit
 * @throws RATE_LIMIT_HIT for a rate limit, with `retry-after`, if waiting helps
 * @source Zulip API, "Error handling"
 */
export function requireRoom<S>(read: Read, quota: Quota<S>, subject: S, adding = 1): void {
  if (!hasRoom(read, quota, subject, adding)) throw refusal(read, quota, subject, adding)
}

/** Counts a use of a rate limit. @throws as `requireRoom` */
export function spend<S>(tx: Tx, rate: Rate<S>, subject: S, amount = 1): void {
  if (mostOf(tx, rate, subject) === Number.POSITIVE_INFINITY) return
  requireRoom(tx, rate, subject, amount)
  insertUse(tx, { quota: rate, key: rate.key(subject) }, amount)
}

/** The error for exceeding a limit. */
function refusal<S>(read: Read, quota: Quota<S>, subject: S, adding: number): ApiError {
  const most = mostOf(read, quota, subject)
  const said = sentSentence(quota.tooMany, { count: most })
  const wait = isRate(quota) ? waitFor(read, quota, subject, adding, most) : undefined
  if (wait === undefined) return badRequest(said)
  return new ApiError('RATE_LIMIT_HIT', said, { 'retry-after': wait })
}

function isRate<S>(quota: Quota<S>): quota is Rate<S> {
  return quota.seconds !== undefined
}

/**
 * The number of seconds until enough uses have expired; undefined if `adding` alone exceeds the
 * limit.
 */
function waitFor<S>(
  read: Read,
  rate: Rate<S>,
  subject: S,
  adding: number,
  most: number,
): number | undefined {
  let left = rate.used(read, subject) + adding - most
  for (const { expiresAt, amount } of listUses(read, { quota: rate, key: rate.key(subject) })) {
    left -= amount
    if (left <= 0) return expiresAt - seconds(read.clock)
  }
  return undefined
}

/** The text on limits for the description of an endpoint. */
export function limitsText(...quotas: readonly Quota[]): string {
  const each = quotas.map(
    ({ name, most, forAdministrators: factor }) =>
      `${name} ${most}${factor ? ` (administrators ${factor * most})` : ''}`,
  )
  return `Default limits, which the operator can change: ${each.join(', ')}.`
}
