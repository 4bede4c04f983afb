import { canAccessContent } from '#features/foundation/channels/access.ts'
import { type Channel, hasName, listChannels } from '#features/foundation/channels/queries.ts'
import { normalizeTopic, topicKey } from '#features/foundation/recipients/topics.rules.ts'
import type { Operand } from '#platform/events/types.ts'
import { sentSentence } from '#translations/translate.ts'
import { clause } from './clause.ts'
import { badNarrow } from './errors.ts'
import { type Operator, ranks } from './filter.ts'
import { wholeLane } from './lanes.ts'
import { accessNamedChannel, namedChannel, word } from './operands.ts'
import { channelHistory } from './visible.queries.ts'

/** `channel`: one channel, with all of its history that the reader may read. */
export const channel: Operator<Operand> = (reader, operand) => {
  const named = namedChannel(operand)
  return {
    sql: () => clause('m.recipient_id = ?', accessNamedChannel(reader, named).recipientId),
    matches: (message) =>
      message.channel !== undefined &&
      ((named.name !== undefined && hasName(message.channel, named.name)) ||
        message.channel.id === named.id),
    base: () => channelHistory(reader.read, reader.user, [accessNamedChannel(reader, named)]),
  }
}

interface ChannelKind {
  readonly has: (channel: Channel) => boolean
  /** The same as `has`, for a row `c` of channels. */
  readonly sql: string
  /** Whether it includes shared history, or only the reader's own. */
  readonly isShared: boolean
}

const channelKinds: Readonly<Record<string, ChannelKind>> = {
  public: { has: (c) => !c.isPrivate, sql: 'NOT c.is_private', isShared: true },
  'web-public': { has: (c) => c.isWebPublic, sql: 'c.is_web_public', isShared: true },
  archived: { has: (c) => c.isArchived, sql: 'c.is_archived', isShared: false },
}

/**
 * `channels`: all channels of a kind.
 *
 * @source Zulip API, "Construct a narrow" (feature levels 250 and 489)
 */
export const channels: Operator<Operand> = ({ read, user }, operand) => {
  const name = word('channels', operand)
  const kind = Object.hasOwn(channelKinds, name) ? channelKinds[name] : undefined
  if (!kind)
    throw badNarrow(
      sentSentence('Invalid narrow operator: unknown {operator} operand {name}', {
        operator: 'channels',
        name,
      }),
    )
  return {
    sql: () =>
      clause(`EXISTS (SELECT 1 FROM channels c
        WHERE c.recipient_id = m.recipient_id AND ${kind.sql})`),
    matches: (message) => message.channel !== undefined && kind.has(message.channel),
    lanes(visible) {
      const some = new Set(
        listChannels(read)
          .filter(kind.has)
          .map((c) => c.recipientId),
      )
      return [wholeLane(visible.channels().filter((id) => some.has(id)))]
    },
    rank: ranks.direct,
    exact: true,
    ...(kind.isShared && {
      base: () =>
        channelHistory(
          read,
          user,
          listChannels(read).filter((c) => kind.has(c) && canAccessContent(read, user, c)),
        ),
    }),
  }
}

/** Whether a row `m` is a channel message: direct messages do not match the empty topic. */
const inChannel =
  'EXISTS (SELECT 1 FROM recipients r WHERE r.id = m.recipient_id AND r.channel_id IS NOT NULL)'

/** `topic`: all topics of that name; the empty topic's other names match it too. */
export const topic: Operator<Operand> = ({ read }, operand) => {
  const key = topicKey(normalizeTopic(read, word('topic', operand)))
  return {
    sql: () => clause(`m.topic_key = ? AND ${inChannel}`, key),
    matches: (message) => message.channel !== undefined && topicKey(message.topic) === key,
    lanes: (visible) => [
      {
        kind: 'recipients',
        recipients: visible.channels(),
        key: clause('m.topic_key = ?', key),
        index: 'messages_topic',
      },
    ],
    rank: ranks.topic,
    exact: true,
  }
}
