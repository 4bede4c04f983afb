import { findReading, listUnreadPlaces } from '#features/foundation/read-state/readings.queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { isTopicMuted } from '#features/messaging/user-topics/muting.queries.ts'
import { mutedSql } from '#features/messaging/user-topics/policies.ts'
import { visibilityPolicy } from '#features/messaging/user-topics/queries.ts'
import type { NarrowSubject, Operand, Term } from '#platform/events/types.ts'
import { memo } from '#platform/memo.ts'
import { flagBits, type VisibilityPolicy, visibilityPolicies } from '#platform/store/schema.ts'
import { resolvedPrefix } from '#shared/resolved-topics.ts'
import { sentSentence } from '#translations/translate.ts'
import { always, clause, not } from './clause.ts'
import { badNarrow } from './errors.ts'
import { type Filter, ranks, type UserOperator } from './filter.ts'
import { type Lane, wholeLane } from './lanes.ts'
import { word } from './operands.ts'
import { listMutedRecipients, listOwnMovedWildcards, listTopicsOfPolicy } from './queries.ts'
import { allReadable, type UserReader } from './visible.queries.ts'

/** `is`: a state of a message or of its topic, for the reader or in general. */
export const is: UserOperator<Operand> = (reader, operand) => {
  const name = word('is', operand)
  const state = Object.hasOwn(states, name) ? states[name] : undefined
  if (!state)
    throw badNarrow(
      sentSentence('Invalid narrow operator: unknown {operator} operand {name}', {
        operator: 'is',
        name,
      }),
    )
  return state(reader)
}

/**
 * `in`: `home` is all that the reader did not mute; `all` is everything.
 *
 * @source Zulip API, "Construct a narrow"
 */
export const within: UserOperator<Operand> = (reader, operand) => {
  const name = word('in', operand)
  if (name === 'all') return { sql: () => always, matches: () => true }
  if (name !== 'home')
    throw badNarrow(
      sentSentence('Invalid narrow operator: unknown {operator} operand {name}', {
        operator: 'in',
        name,
      }),
    )
  const { sql, matches } = muted(reader)
  return { sql: () => not(sql()), matches: (message) => !matches(message) }
}

/** Whether a term is `is` with an operand that it does not know. */
export function isUnknownState({ operator, operand }: Term): boolean {
  return operator === 'is' && typeof operand === 'string' && !Object.hasOwn(states, operand)
}

const states: Readonly<Record<string, (reader: UserReader) => Filter>> = {
  dm,
  private: dm,
  starred,
  mentioned,
  alerted,
  unread,
  followed,
  muted,
  resolved,
}

function dm(): Filter {
  return {
    sql: () =>
      clause(`EXISTS (SELECT 1 FROM recipients r
        WHERE r.id = m.recipient_id AND r.channel_id IS NULL)`),
    matches: (message) => message.channel === undefined,
    lanes: (visible) => [wholeLane(visible.directs())],
    rank: ranks.direct,
    exact: true,
  }
}

const flagCondition = `EXISTS (SELECT 1 FROM message_flags f
  WHERE f.user_id = ? AND f.message_id = m.id AND f.flags & ?)`

function flagLane(user: UserReader['user'], bits: number): Lane {
  return {
    kind: 'global',
    from: 'message_flags f CROSS JOIN messages m ON m.id = f.message_id',
    id: 'f.message_id',
    key: clause('f.user_id = ? AND f.flags & ?', user.id, bits),
  }
}

/** Starts from all readable messages: users can star messages that they never received. */
function starred({ read, user }: UserReader): Filter {
  return {
    sql: () => clause(flagCondition, user.id, flagBits.starred),
    matches: (message) => message.flags.includes('starred'),
    base: () => allReadable(read, user),
    lanes: () => [flagLane(user, flagBits.starred)],
    rank: ranks.flagged,
    exact: true,
  }
}

function alerted({ user }: UserReader): Filter {
  return {
    sql: () => clause(flagCondition, user.id, flagBits.has_alert_word),
    matches: (message) => message.flags.includes('has_alert_word'),
    lanes: () => [flagLane(user, flagBits.has_alert_word)],
    rank: ranks.flagged,
    exact: true,
  }
}

const mentionFlags = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']

/** A channel wildcard mentions the users whose own message it is. */
function mentioned({ read, user }: UserReader): Filter {
  const bits = flagBits.mentioned | flagBits.topic_wildcard_mentioned
  return {
    sql: () =>
      clause(
        `${flagCondition} OR (m.channel_wildcard AND (EXISTS (
          SELECT 1 FROM channels c
          JOIN subscription_spans s ON s.user_id = ? AND s.channel_id = c.id
          WHERE c.recipient_id = m.recipient_id AND s.from_message <= m.id
            AND (s.until_message IS NULL OR s.until_message > m.id)
            AND NOT EXISTS (SELECT 1 FROM moved_messages x WHERE x.message_id = m.id))
          OR instr(?, ',' || m.id || ',')))`,
        user.id,
        bits,
        user.id,
        `,${listOwnMovedWildcards(read, user.id).join()},`,
      ),
    matches: (message) => mentionFlags.some((flag) => message.flags.includes(flag)),
    lanes: (visible) => [
      flagLane(user, bits),
      {
        kind: 'recipients',
        recipients: visible.channels(),
        key: clause('m.channel_wildcard'),
        index: 'messages_wildcard',
      },
    ],
    rank: ranks.flagged,
  }
}

/** With more recipients, listing the unread ones is cheaper than looking up each. */
const fewRecipients = 8

function unread({ read, user }: UserReader): Filter {
  const ranges = memo((recipientId) => findReading(read, user.id, recipientId)?.gaps ?? [])
  return {
    sql: () => always,
    matches: (message) => !message.flags.includes('read'),
    ranges,
    lanes(visible) {
      const all = [...visible.channels(), ...visible.directs()]
      if (all.length <= fewRecipients) return [wholeLane(all)]
      const some = new Set(listUnreadPlaces(read, user.id).map((r) => r.recipientId))
      return [wholeLane(all.filter((id) => some.has(id)))]
    },
    rank: ranks.unread,
  }
}

function followed({ read, user }: UserReader): Filter {
  return {
    sql: () =>
      clause(
        `EXISTS (SELECT 1 FROM channels c
          JOIN user_topics t ON t.user_id = ? AND t.channel_id = c.id
            AND t.topic_key = m.topic_key AND t.policy = ${visibilityPolicies.followed}
          WHERE c.recipient_id = m.recipient_id)`,
        user.id,
      ),
    matches: (message) => policyOf({ read, user }, message) === visibilityPolicies.followed,
    lanes: () => topicLanes({ read, user }, visibilityPolicies.followed),
    rank: ranks.people,
    exact: true,
  }
}

/** Messages in muted topics, and in muted channels unless the topic is unmuted or followed. */
function muted(reader: UserReader): Filter {
  const { read, user } = reader
  return {
    sql: () =>
      clause(
        `EXISTS (SELECT 1 FROM channels c
          LEFT JOIN user_topics t ON t.user_id = ? AND t.channel_id = c.id
            AND t.topic_key = m.topic_key
          LEFT JOIN subscriptions b ON b.user_id = ? AND b.channel_id = c.id AND b.is_active
          WHERE c.recipient_id = m.recipient_id AND ${mutedSql('t.policy', 'b.is_muted')})`,
        user.id,
        user.id,
      ),
    matches: ({ channel, topic }) =>
      channel !== undefined && isTopicMuted(read, user.id, channel.id, topicKey(topic)),
    lanes: () => [
      ...topicLanes(reader, visibilityPolicies.muted),
      wholeLane(listMutedRecipients(read, user.id)),
    ],
    rank: ranks.people,
  }
}

function topicLanes({ read, user }: UserReader, policy: VisibilityPolicy): Lane[] {
  return listTopicsOfPolicy(read, user.id, policy).map(([recipientId, key]) => ({
    kind: 'recipients',
    recipients: [recipientId],
    key: clause('m.topic_key = ?', key),
    index: 'messages_topic',
  }))
}

function policyOf({ read, user }: UserReader, { channel, topic }: NarrowSubject): number {
  if (!channel) return visibilityPolicies.none
  return visibilityPolicy(read, user.id, channel.id, topicKey(topic))
}

function resolved(): Filter {
  const isResolved = `substr(m.topic, 1, 2) = '${resolvedPrefix}'`
  return {
    sql: () => clause(isResolved),
    matches: (message) => message.topic.startsWith(resolvedPrefix),
    lanes: (visible) => [
      {
        kind: 'recipients',
        recipients: visible.channels(),
        key: clause(isResolved),
        index: 'messages_resolved',
      },
    ],
    rank: ranks.content,
    exact: true,
  }
}
