import { isDeepStrictEqual } from 'node:util'
import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Tx } from '#platform/store/store.ts'
import { isTimeZone } from '#platform/time-zone-names.ts'
import { timeZoneNamed } from '#platform/time-zones.ts'
import { sentSentence } from '#translations/translate.ts'
import { quietTimesEvent } from './events.ts'
import { quietTimesChanged } from './occasions.ts'
import { findQuietTimes, storeQuietTimes } from './queries.ts'
import type { QuietSchedule, QuietTimes } from './times.ts'

/**
 * Changes the given parts of a user's quiet times, and emits `quiet_times` to the user's clients. Mails
 * that wait are due when the new times end.
 *
 * @throws BAD_REQUEST a pause that ends in the past, or an unknown time zone
 */
export function changeQuietTimes(tx: Tx, user: User, changes: Partial<QuietTimes>): void {
  const now = seconds(tx.clock)
  const before = findQuietTimes(tx, user.id, now)
  const { pausedUntil = before.pausedUntil, schedule = before.schedule } = changes
  if (pausedUntil !== null && pausedUntil <= now) {
    throw badRequest(sentSentence('The pause must end in the future.'), {
      parameter: 'paused_until',
    })
  }
  const after = { pausedUntil, schedule: schedule && cleaned(schedule) }
  if (isDeepStrictEqual(before, after)) return
  storeQuietTimes(tx, user.id, after)
  tx.emit(quietTimesEvent(after), [user.id])
  tx.announce(quietTimesChanged, { userId: user.id })
}

/** @throws BAD_REQUEST an unknown time zone */
function cleaned(schedule: QuietSchedule): QuietSchedule {
  const timezone = isTimeZone(schedule.timezone) ? timeZoneNamed(schedule.timezone) : undefined
  if (timezone === undefined)
    throw badRequest(sentSentence('Invalid timezone'), { parameter: 'schedule' })
  return { ...schedule, days: [...new Set(schedule.days)].sort(), timezone }
}
