import { idAboveAllBefore, leastIdSince } from '#features/foundation/core/order.queries.ts'
import type { Operand } from '#platform/events/types.ts'
import { ceiling } from '#platform/ranges.ts'
import { startOfDay, timeZoneNamed } from '#platform/time-zones.ts'
import { sentSentence } from '#translations/translate.ts'
import { clause } from './clause.ts'
import { badNarrow } from './errors.ts'
import type { Filter, IdBounds, Operator } from './filter.ts'
import type { Reader } from './visible.queries.ts'

/**
 * `after`: messages sent at a moment or later. The operand is in seconds since the epoch, or a day,
 * `YYYY-MM-DD`, which stands for its first moment in the time zone of the reader's account; UTC if it
 * has none. An operator of this server; Zulip has none for dates.
 */
export const after: Operator<Operand> = (reader, operand) =>
  sent('after', reader, moment('after', operand, reader))

/** `before`: messages sent earlier than a moment. The same operands as for `after`. */
export const before: Operator<Operand> = (reader, operand) =>
  sent('before', reader, moment('before', operand, reader))

function sent(side: 'after' | 'before', { read }: Reader, time: number): Filter {
  return {
    sql: () => clause(`m.sent_at ${side === 'after' ? '>=' : '<'} ?`, time),
    matches: ({ sentAt }) => sentAt >= time === (side === 'after'),
    // IDs are only nearly in the order of times: those of imports, or of a clock that was set back.
    bounds(negated): IdBounds {
      const isAfter = (side === 'after') !== negated
      return isAfter
        ? { from: leastIdSince(read, time), until: ceiling }
        : { from: 0, until: idAboveAllBefore(read, time) }
    },
  }
}

/** In seconds since the epoch. @throws BAD_NARROW */
function moment(operator: string, operand: Operand, { user }: Reader): number {
  if (typeof operand === 'number' && operand >= 0) return operand
  if (typeof operand === 'string') {
    if (/^\d{1,15}$/.test(operand)) return Number(operand)
    const zone = user === 'spectator' ? undefined : timeZoneNamed(user.timezone)
    const day = startOfDay(operand, zone ?? 'UTC')
    if (day !== undefined) return day
  }
  throw badNarrow(
    sentSentence(
      'Invalid narrow operator: {operator} needs a day (YYYY-MM-DD) or seconds since the epoch',
      { operator },
    ),
  )
}
