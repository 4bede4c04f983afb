import type { Channel, Message, User } from '#client/state/model.ts'
import { can, canInChannel } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { serverNow } from '#client/ui/server-time.ts'

/**
 * The user's permissions, by the rules of the server. They only hide actions that the server would
 * refuse.
 */

export function isAdmin(store: Store): boolean {
  return roleOf(store) <= 200
}

export function isModerator(store: Store): boolean {
  return roleOf(store) <= 300
}

function roleOf(store: Store): User['role'] {
  return store.users.get(store.selfId)?.role ?? 600
}

/** Seconds until a time limit on a message ends; infinity without a limit, negative after it. */
export function secondsLeft(message: Message, limit: number | null): number {
  return limit === null ? Number.POSITIVE_INFINITY : message.timestamp + limit - serverNow()
}

function channelOf(store: Store, { conversation }: Message): Channel | undefined {
  return conversation.kind === 'topic' ? store.channels.get(conversation.channelId) : undefined
}

export function canEdit(store: Store, message: Message): boolean {
  const realm = store.realm.value
  if (message.senderId !== store.selfId || message.submessages.length > 0) return false
  if (!realm.realm_allow_message_editing || channelOf(store, message)?.isArchived) return false
  return secondsLeft(message, realm.realm_message_content_edit_limit_seconds) > 0
}

/** Whether the user may pin a message: if they may write in its conversation. */
export function canPin(store: Store, message: Message): boolean {
  const channel = channelOf(store, message)
  return (
    message.conversation.kind === 'direct' || (channel !== undefined && canPost(store, channel))
  )
}

export function canDelete(store: Store, message: Message): boolean {
  const channel = channelOf(store, message)
  if (channel?.isArchived) return false
  const holds = (name: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    can(store, name) || (channel !== undefined && canInChannel(store, channel, name))
  if (holds('can_delete_any_message_group')) return true
  const isOwn =
    message.senderId === store.selfId || store.users.get(message.senderId)?.ownerId === store.selfId
  if (!isOwn || !holds('can_delete_own_message_group')) return false
  const limit = store.realm.value.realm_message_content_delete_limit_seconds
  return secondsLeft(message, limit) > 0
}

/** Whether the user may move messages of a channel to another topic, whatever their age. */
export function canMoveTopics(store: Store, channel: Channel): boolean {
  return (
    !channel.isArchived &&
    (can(store, 'can_move_messages_between_topics_group') ||
      canInChannel(store, channel, 'can_move_messages_within_channel_group') ||
      canAdminister(store, channel))
  )
}

/** Whether the user may move messages out of a channel, whatever their age. */
export function canMoveOut(store: Store, channel: Channel): boolean {
  return (
    !channel.isArchived &&
    (can(store, 'can_move_messages_between_channels_group') ||
      canInChannel(store, channel, 'can_move_messages_out_of_channel_group') ||
      canAdminister(store, channel))
  )
}

/** Whether the user may move a message at all. */
export function canMove(store: Store, message: Message): boolean {
  const channel = channelOf(store, message)
  if (!channel) return false
  const realm = store.realm.value
  const isInTime = (limit: number | null) => isModerator(store) || secondsLeft(message, limit) > 0
  return (
    (canMoveTopics(store, channel) &&
      isInTime(realm.realm_move_messages_within_stream_limit_seconds)) ||
    (canMoveOut(store, channel) &&
      isInTime(realm.realm_move_messages_between_streams_limit_seconds))
  )
}

export function canResolve(store: Store, channel: Channel): boolean {
  return (
    !channel.isArchived &&
    (can(store, 'can_resolve_topics_group') ||
      canInChannel(store, channel, 'can_resolve_topics_group'))
  )
}

/** Whether the user may change a channel's settings. */
export function canAdminister(store: Store, channel: Channel): boolean {
  return isAdmin(store) || canInChannel(store, channel, 'can_administer_channel_group')
}

/** Whether the user may write to a channel, regardless of the topic. */
export function canPost(store: Store, channel: Channel): boolean {
  return !channel.isArchived && canInChannel(store, channel, 'can_send_message_group')
}

/** Whether direct messages to these people may be sent. */
export function canPostDirectly(store: Store, userIds: readonly number[]): boolean {
  const others = userIds.filter((id) => id !== store.selfId)
  const present = others.filter((id) => store.users.get(id)?.isActive !== false)
  if (others.length > 0 && present.length === 0) return false
  if (present.every((id) => store.users.get(id)?.isBot)) return true
  return can(store, 'direct_message_permission_group') || others.length > 0
}

/** Whether the empty topic is allowed in a channel, and whether others are. */
export function topicRules(store: Store, channel: Channel): { empty: boolean; named: boolean } {
  const policy =
    channel.topicsPolicy === 'inherit'
      ? store.realm.value.realm_topics_policy
      : channel.topicsPolicy
  return { empty: policy !== 'disable_empty_topic', named: policy !== 'empty_topic_only' }
}
