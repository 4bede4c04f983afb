import { canAccessContent } from '#channels/access.ts'
import { type Channel, countSubscribers, findChannel } from '#channels/queries.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Rendered } from '#markdown/types.ts'
import { can, canInChannel } from '#permissions/can.ts'
import { isInGroup } from '#permissions/groups.ts'
import { realmGroupSetting, realmSetting } from '#realm/settings.ts'
import { findDirectRecipient } from '#recipients/queries.ts'
import type { Read } from '#store/write.ts'
import { topicKey } from '#topics/names.ts'
import { findUser, type User } from '#users/queries.ts'
import type { Draft } from './compose.ts'
import { listTopicParticipants, topicExists } from './queries.ts'

/** From how many people on a wildcard mention needs permission. */
const manyUsers = 15

/** May this sender send this draft now? @throws what `requireChannelPost` or `requireDirectPost` say */
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
 * May this sender post this draft to its channel? A bot may where its owner may.
 *
 * @throws BAD_REQUEST; STREAM_WILDCARD_MENTION_NOT_ALLOWED; TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 * @source contract, "Send a message"; api-changes §3a, §3b
 */
export function requireChannelPost(read: Read, sender: User, channel: Channel, draft: Draft): void {
  const voices = voicesOf(read, sender)
  if (!mayPost(read, sender, channel)) {
    throw badRequest(`Not authorized to send to channel '${channel.name}'`)
  }
  if (!sender.isSystemBot) requireTopicAllowed(read, voices, channel, draft.topic)
  requireMentions(read, sender, channel, draft.topic, draft.rendered)
}

/** Whether a user may write in a channel, whatever the topic; the server's own bots may everywhere. */
export function mayPost(read: Read, user: User, channel: Channel): boolean {
  if (channel.isArchived) return false
  if (user.isSystemBot) return true
  return (
    canAccessContent(read, user, channel) &&
    voicesOf(read, user).some((voice) =>
      canInChannel(read, voice, 'can_send_message_group', channel),
    )
  )
}

/**
 * May this sender mention whom the text mentions?
 *
 * @param channel undefined for direct messages, where wildcards mention nobody else
 * @throws BAD_REQUEST; STREAM_WILDCARD_MENTION_NOT_ALLOWED; TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 */
export function requireMentions(
  read: Read,
  sender: User,
  channel: Channel | undefined,
  topic: string,
  { mentions }: Rendered,
): void {
  const [refused] = mentions.refusedGroups
  if (refused) throw badRequest(`You are not allowed to mention user group '${refused.name}'.`)
  if (!channel) return
  const voices = voicesOf(read, sender)
  if (
    mentions.channelWildcard &&
    !mayMentionMany(read, voices, countSubscribers(read, channel.id))
  ) {
    throw new ApiError(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    )
  }
  if (!mentions.topicWildcard) return
  const people = listTopicParticipants(read, channel.recipientId, topicKey(topic))
  if (!mayMentionMany(read, voices, people.length)) {
    throw new ApiError(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    )
  }
}

/**
 * May this sender write to these people? Among bots, or to oneself, always.
 *
 * @param isNew whether nobody has written in this conversation yet
 * @source api-changes §7a, "DM rules"
 */
export function requireDirectPost(
  read: Read,
  sender: User,
  draft: Draft,
  isNew: () => boolean,
): void {
  const gone = draft.people.find(({ isActive }) => !isActive)
  if (gone) throw badRequest(`'${gone.fullName}' has deactivated their account.`)
  if (sender.isSystemBot) return
  requireMentions(read, sender, undefined, '', draft.rendered)
  if (draft.people.every((user) => user.id === sender.id || user.botType !== null)) return
  const permitted = realmGroupSetting(read, 'direct_message_permission_group')
  if (!draft.people.some((user) => isInGroup(read, user, permitted))) {
    throw badRequest('Nobody in this conversation is allowed to use direct messages.')
  }
  if (!can(read, sender, 'direct_message_initiator_group') && isNew()) {
    throw badRequest('You do not have permission to start direct message conversations.')
  }
}

/** @throws BAD_REQUEST where the topic is ruled out, or new and the sender may not start one */
export function requireTopicAllowed(
  read: Read,
  voices: readonly User[],
  channel: Channel,
  topic: string,
): void {
  const policy =
    channel.topicsPolicy === 'inherit' ? realmSetting(read, 'topics_policy') : channel.topicsPolicy
  if (policy === 'disable_empty_topic' && topic === '') {
    throw badRequest('Topics are required in this organization.')
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw badRequest(
      `This channel has only the topic '${realmSetting(read, 'empty_topic_display_name')}'.`,
    )
  }
  if (voices.some((user) => canInChannel(read, user, 'can_create_topic_group', channel))) return
  if (!topicExists(read, channel.recipientId, topicKey(topic))) {
    throw badRequest('You do not have permission to create topics in this channel.')
  }
}

function mayMentionMany(read: Read, voices: readonly User[], people: number): boolean {
  if (people <= manyUsers) return true
  return voices.some((user) => can(read, user, 'can_mention_many_users_group'))
}

/** On whose behalf somebody writes: their own, and for a bot its owner's too. */
export function voicesOf(read: Read, sender: User): User[] {
  const owner = sender.botOwnerId === null ? undefined : findUser(read, sender.botOwnerId)
  return owner?.isActive ? [sender, owner] : [sender]
}
