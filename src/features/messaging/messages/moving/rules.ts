import { isChannelAdmin } from '#features/foundation/channels/access.ts'
import type { Channel } from '#features/foundation/channels/queries.ts'
import { can, canInChannel } from '#features/foundation/permissions/rules.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import { canPost, requireTopicAllowed } from '#features/messaging/messages/rules.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { isToggled, resolvedPrefix } from '#shared/resolved-topics.ts'
import { sentSentence } from '#translations/translate.ts'
import type { MovedMessage } from './queries.ts'

export interface ChannelTopic {
  readonly channel: Channel
  readonly topic: string
}

/** Whether a move only resolves or unresolves a topic. */
export function isResolving(from: ChannelTopic, to: ChannelTopic): boolean {
  if (from.channel.id !== to.channel.id) return false
  return isToggled(from.topic, to.topic, limits.topicLength)
}

/** Whether two names are of one topic: they differ at most in capitals. */
export function isSameTopic(one: ChannelTopic, other: ChannelTopic): boolean {
  return one.channel.id === other.channel.id && topicKey(one.topic) === topicKey(other.topic)
}

/**
 * Checks whether the user may move messages from one topic to the other.
 *
 * @throws BAD_REQUEST
 * @source Zulip API, "Edit a message" (feature levels 310, 316, 367 and 396)
 */
export function requireMove(read: Read, user: User, from: ChannelTopic, to: ChannelTopic): void {
  const refused = badRequest(sentSentence("You don't have permission to edit this message"))
  if (from.channel.isArchived || to.channel.isArchived) throw refused
  if (from.channel.id !== to.channel.id) {
    requireChannelMove(read, user, from.channel, to.channel)
  }
  if (from.topic !== to.topic) requireTopicMove(read, user, from, to)
  requireTopicAllowed(read, [user], to.channel, to.topic)
}

function requireChannelMove(read: Read, user: User, from: Channel, to: Channel): void {
  const allowed =
    can(read, user, 'can_move_messages_between_channels_group') ||
    canInChannel(read, user, 'can_move_messages_out_of_channel_group', from) ||
    isChannelAdmin(read, user, from)
  if (!allowed) throw badRequest(sentSentence("You don't have permission to move this message"))
  if (!canPost(read, user, to))
    throw badRequest(
      sentSentence("Not authorized to send to channel '{name}'", { name: to.name }),
      { parameter: 'stream_id' },
    )
}

function requireTopicMove(read: Read, user: User, from: ChannelTopic, to: ChannelTopic): void {
  if (from.topic === '' && to.topic === resolvedPrefix.trim()) {
    throw badRequest(sentSentence('The empty topic cannot be marked as resolved.'), {
      parameter: 'topic',
    })
  }
  if (isResolving(from, to)) {
    const allowed =
      can(read, user, 'can_resolve_topics_group') ||
      canInChannel(read, user, 'can_resolve_topics_group', from.channel)
    if (!allowed)
      throw badRequest(sentSentence("You don't have permission to resolve topics."), {
        parameter: 'topic',
      })
    return
  }
  const allowed =
    can(read, user, 'can_move_messages_between_topics_group') ||
    canInChannel(read, user, 'can_move_messages_within_channel_group', from.channel) ||
    isChannelAdmin(read, user, from.channel)
  if (!allowed) throw badRequest(sentSentence("You don't have permission to edit this message"))
}

/**
 * Refuses to move messages that are older than the time limit. There is none for moderators, nor
 * for resolving topics.
 *
 * @param asked the message that the client named, one of `moved`
 * @param moved all messages to move, ascending
 * @throws BAD_REQUEST `asked` itself is too old
 * @throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED others are too old; with the number of those that are
 * not
 * @source Zulip API, "Edit a message" (feature level 172)
 */
export function requireInTime(
  read: Read,
  user: User,
  asked: MovedMessage,
  moved: readonly MovedMessage[],
  between: { from: ChannelTopic; to: ChannelTopic },
): void {
  const { from, to } = between
  if (user.role <= roles.moderator || isResolving(from, to)) return
  const limits = [
    from.topic === to.topic
      ? null
      : realmSetting(read, 'move_messages_within_stream_limit_seconds'),
    from.channel.id === to.channel.id
      ? null
      : realmSetting(read, 'move_messages_between_streams_limit_seconds'),
  ]
  const limit = Math.min(...limits.map((seconds) => seconds ?? Number.POSITIVE_INFINITY))
  const inTime = (message: MovedMessage) => message.sentAt + limit >= seconds(read.clock)
  if (!inTime(asked)) {
    throw badRequest(
      from.channel.id === to.channel.id
        ? sentSentence("The time limit for editing this message's topic has passed")
        : sentSentence("The time limit for editing this message's channel has passed"),
    )
  }
  const recent = moved.filter(inTime)
  if (recent.length === moved.length) return
  throw new ApiError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    sentSentence(
      'You only have permission to move the {recent}/{all} most recent messages in this topic.',
      { recent: recent.length, all: moved.length },
    ),
    {
      first_message_id_allowed_to_move: recent[0]?.id ?? null,
      total_messages_in_topic: moved.length,
      total_messages_allowed_to_move: recent.length,
    },
  )
}
