import { findSharingOwner } from '#features/foundation/bots/queries.ts'
import { canAccessContent } from '#features/foundation/channels/access.ts'
import {
  type Channel,
  countSubscribers,
  findChannel,
} from '#features/foundation/channels/queries.ts'
import { listTopicParticipants, topicExists } from '#features/foundation/core/queries.ts'
import {
  isInGroup,
  realmGroupSetting,
} from '#features/foundation/permissions/membership.queries.ts'
import { can, canInChannel } from '#features/foundation/permissions/rules.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { findDirectRecipient } from '#features/foundation/recipients/queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import type { Draft } from './compose.rules.ts'

/** Wildcard mentions of more users than this need permission. */
const manyUsers = 15

/**
 * Checks whether the sender may send a draft now.
 *
 * @throws ApiError see `requireChannelPost` and `requireDirectPost`
 */
export function requireSendable(read: Read, sender: User, draft: Draft): void {
  const channel = draft.channel && findChannel(read, draft.channel.id)
  if (channel) {
    requireChannelPost(read, sender, channel, draft)
    return
  }
  const ids = draft.people.map(({ id }) => id)
  requireDirectPost(read, sender, draft, () => findDirectRecipient(read, ids) === undefined)
}

/**
 * Checks whether the sender may post a draft to a channel. Bots also have their owner's permissions.
 *
 * @throws BAD_REQUEST; STREAM_WILDCARD_MENTION_NOT_ALLOWED; TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 * @source Zulip API, "Send a message" (feature levels 333, 392, 404 and 441)
 */
export function requireChannelPost(read: Read, sender: User, channel: Channel, draft: Draft): void {
  const voices = senderAndOwner(read, sender)
  if (!canPost(read, sender, channel)) {
    throw badRequest(
      sentSentence("Not authorized to send to channel '{name}'", { name: channel.name }),
      { parameter: 'to' },
    )
  }
  if (!sender.isSystemBot) requireTopicAllowed(read, voices, channel, draft.topic)
  requireMentions(read, sender, channel, draft.topic, draft.rendered)
}

/** Whether a user may post in a channel, regardless of topic; system bots may in any active one. */
export function canPost(read: Read, user: User, channel: Channel): boolean {
  if (channel.isArchived) return false
  if (user.isSystemBot) return true
  return (
    canAccessContent(read, user, channel) &&
    senderAndOwner(read, user).some((voice) =>
      canInChannel(read, voice, 'can_send_message_group', channel),
    )
  )
}

/**
 * Checks whether the sender may use the mentions in a text.
 *
 * @param channel undefined for direct messages, where wildcard mentions have no effect
 * @throws BAD_REQUEST; STREAM_WILDCARD_MENTION_NOT_ALLOWED; TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 */
export function requireMentions(
  read: Read,
  sender: User,
  channel: Channel | undefined,
  topic: string,
  { mentions }: RenderedMarkdown,
): void {
  const [refused] = mentions.refusedGroups
  if (refused)
    throw badRequest(
      sentSentence("You are not allowed to mention user group '{name}'.", { name: refused.name }),
      { parameter: 'content' },
    )
  if (!channel) return
  const voices = senderAndOwner(read, sender)
  if (
    mentions.channelWildcard &&
    !mayMentionMany(read, voices, countSubscribers(read, channel.id))
  ) {
    throw new ApiError(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      sentSentence('You do not have permission to use channel wildcard mentions in this channel.'),
      {},
      { parameter: 'content' },
    )
  }
  if (!mentions.topicWildcard) return
  const people = listTopicParticipants(read, channel.recipientId, topicKey(topic))
  if (!mayMentionMany(read, voices, people.length)) {
    throw new ApiError(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      sentSentence('You do not have permission to use topic wildcard mentions in this topic.'),
      {},
      { parameter: 'content' },
    )
  }
}

/**
 * Checks whether the sender may send a direct message. Those to bots or to oneself need no
 * permission. A group conversation goes on without the members who were deactivated.
 *
 * @param isNew whether the conversation has no messages yet
 * @throws BAD_REQUEST
 * @source Zulip API, "Register an event queue", `realm_direct_message_initiator_group` and
 * `realm_direct_message_permission_group` (feature level 270)
 */
export function requireDirectPost(
  read: Read,
  sender: User,
  draft: Draft,
  isNew: () => boolean,
): void {
  const others = draft.people.filter(({ id }) => id !== sender.id)
  const present = others.filter(({ id }) => findUser(read, id)?.isActive)
  const [gone] = others
  if (gone && present.length === 0) {
    throw badRequest(
      sentSentence("'{name}' has deactivated their account.", { name: gone.fullName }),
      { parameter: 'to' },
    )
  }
  if (sender.isSystemBot) return
  requireMentions(read, sender, undefined, '', draft.rendered)
  if (present.every(({ botType }) => botType !== null)) return
  const permitted = realmGroupSetting(read, 'direct_message_permission_group')
  if (![sender, ...present].some((user) => isInGroup(read, user, permitted))) {
    throw badRequest(
      sentSentence('Nobody in this conversation is allowed to use direct messages.'),
      { parameter: 'to' },
    )
  }
  if (!can(read, sender, 'direct_message_initiator_group') && isNew()) {
    throw badRequest(
      sentSentence('You do not have permission to start direct message conversations.'),
      { parameter: 'to' },
    )
  }
}

/** @throws BAD_REQUEST the policy forbids the topic, or none of `voices` may create a new one */
export function requireTopicAllowed(
  read: Read,
  voices: readonly User[],
  channel: Channel,
  topic: string,
): void {
  const policy =
    channel.topicsPolicy === 'inherit' ? realmSetting(read, 'topics_policy') : channel.topicsPolicy
  if (policy === 'disable_empty_topic' && topic === '') {
    throw badRequest(sentSentence('Topics are required in this organization.'), {
      parameter: 'topic',
    })
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw badRequest(
      sentSentence("This channel has only the topic '{topic}'.", {
        topic: realmSetting(read, 'empty_topic_display_name'),
      }),
      { parameter: 'topic' },
    )
  }
  if (voices.some((user) => canInChannel(read, user, 'can_create_topic_group', channel))) return
  if (!topicExists(read, channel.recipientId, topicKey(topic))) {
    throw badRequest(sentSentence('You do not have permission to create topics in this channel.'), {
      parameter: 'topic',
    })
  }
}

function mayMentionMany(read: Read, voices: readonly User[], people: number): boolean {
  if (people <= manyUsers) return true
  return voices.some((user) => can(read, user, 'can_mention_many_users_group'))
}

/** The users whose permissions a sender has: the sender, and for a bot also its owner. */
function senderAndOwner(read: Read, sender: User): User[] {
  const owner = findSharingOwner(read, sender)
  return owner ? [sender, owner] : [sender]
}
