import { mutedSql } from '#features/messaging/user-topics/policies.ts'
import type { Term } from '#platform/events/types.ts'
import { clause } from './clause.ts'
import type { Narrow } from './compile.ts'
import { currentName } from './operators.ts'
import type { UserReader } from './visible.queries.ts'

/**
 * A narrow without messages in topics and channels that its reader muted, except in those that its
 * terms name.
 *
 * @param terms those of which the narrow was compiled
 */
export function withoutMuted({ user }: UserReader, narrow: Narrow, terms: readonly Term[]): Narrow {
  const wanted = terms.filter(({ negated }) => !negated)
  const names = (...operators: readonly string[]) =>
    wanted.some(({ operator }) => operators.includes(currentName(operator)))
  const asksForMuted = wanted.some(
    ({ operator, operand }) => operator === 'is' && operand === 'muted',
  )
  if (asksForMuted || names('topic', 'with')) return narrow
  const isChannelMuted = names('channel') ? '0' : 'b.is_muted'
  const loud = clause(
    ` AND NOT EXISTS (SELECT 1 FROM channels c
        LEFT JOIN user_topics t ON t.user_id = ? AND t.channel_id = c.id AND t.topic_key = m.topic_key
        LEFT JOIN subscriptions b ON b.user_id = ? AND b.channel_id = c.id AND b.is_active
        WHERE c.recipient_id = m.recipient_id AND ${mutedSql('t.policy', isChannelMuted)})`,
    user.id,
    user.id,
  )
  const also = ({ sql, values }: Narrow['conditions']) =>
    clause(`${sql}${loud.sql}`, ...values, ...loud.values)
  return { ...narrow, remaining: also(narrow.remaining), conditions: also(narrow.conditions) }
}
