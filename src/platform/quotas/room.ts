import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import { insertUse, listUses } from './queries.ts'
import { day, hour, type Quota, type Rate } from './quota.ts'

/** The limits that the operator changed, and whether the server has rate limits. */
const settings = perDatabase(() => ({ changed: new Map<string, number>(), rates: true }))

/**
 * Applies the server's configuration to a database.
 *
 * @param changed limits by name
 * @param rates false lifts the limits in time, but for those that are changed or hold always
 */
export function configureQuotas(
  read: Read,
  changed: Readonly<Record<string, number>>,
  rates: boolean,
): void {
  const own = settings(read)
  own.changed = new Map(Object.entries(changed))
  own.rates = rates
}

/** How much a subject may have. */
function mostOf<S>(read: Read, quota: Quota<S>, subject: S): number {
  const { changed, rates } = settings(read)
  const own = changed.get(quota.name)
  const isLifted = quota.seconds !== undefined && !rates && !quota.always
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
 * @throws RATE_LIMIT_HIT for a limit in time, with `retry-after`, if waiting helps
 * @source Zulip API, "Error handling"
 */
export function requireRoom<S>(read: Read, quota: Quota<S>, subject: S, adding = 1): void {
  if (!hasRoom(read, quota, subject, adding)) throw refusal(read, quota, subject, adding)
}

/** Counts a use of a limit in time. @throws as `requireRoom` */
export function spend<S>(tx: Tx, rate: Rate<S>, subject: S, amount = 1): void {
  if (mostOf(tx, rate, subject) === Number.POSITIVE_INFINITY) return
  requireRoom(tx, rate, subject, amount)
  insertUse(tx, { quota: rate, key: rate.key(subject) }, amount)
}

/** The error for who would exceed a limit. */
function refusal<S>(read: Read, quota: Quota<S>, subject: S, adding: number): ApiError {
  const most = mostOf(read, quota, subject)
  const message = `${quota.tooMany} (limit: ${most}${period(quota.seconds)})`
  const wait = isRate(quota) ? waitFor(read, quota, subject, adding, most) : undefined
  if (wait === undefined) return badRequest(message)
  return new ApiError('RATE_LIMIT_HIT', message, { 'retry-after': wait })
}

function isRate<S>(quota: Quota<S>): quota is Rate<S> {
  return quota.seconds !== undefined
}

function period(length: number | undefined): string {
  if (length === undefined) return ''
  return { [hour]: ' an hour', [day]: ' a day' }[length] ?? ` in ${length} seconds`
}

/** The seconds until enough uses count no longer; undefined if that will never be enough. */
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

/** What the description of an endpoint says about the limits that it can reach. */
export function limitsText(...quotas: readonly Quota[]): string {
  const each = quotas.map(
    ({ name, most, forAdministrators: factor }) =>
      `${name} ${most}${factor ? ` (administrators ${factor * most})` : ''}`,
  )
  return `Limits, unless whoever runs the server chose others: ${each.join(', ')}.`
}
