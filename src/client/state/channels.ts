import type {
  EventNamed,
  WireChannel,
  WireGroupSetting,
  WireSubscription,
} from '#client/api/wire.ts'
import {
  channelFromWire,
  isPermission,
  settingFromWire,
  subscriptionFromWire,
  subscriptionNames,
} from './from-wire.ts'
import { forgetMessages } from './messages.ts'
import type { Channel } from './model.ts'
import type { State } from './state.ts'

export function createChannels(state: State, event: EventNamed<'stream/create'>): void {
  for (const wire of event.streams) {
    state.channels.set(wire.stream_id, channelFromWire(wire))
    // An event with all of them follows.
    state.subscribers.set(wire.stream_id, { ids: new Set(), all: true })
  }
}

/** Channels that are gone, or that the user may not see anymore. */
export function deleteChannels(state: State, event: EventNamed<'stream/delete'>): void {
  for (const id of event.stream_ids) {
    state.channels.delete(id)
    state.subscriptions.delete(id)
    state.subscribers.delete(id)
    for (const key of [...state.topicPolicies.current.keys()]) {
      if (key.startsWith(`${id}:`)) state.topicPolicies.delete(key)
    }
    const lost = [...state.messages.current.values()].filter(
      ({ conversation }) => conversation.kind === 'topic' && conversation.channelId === id,
    )
    forgetMessages(
      state,
      lost.map((message) => message.id),
    )
    state.recent.forgetChannel(id)
  }
}

/** Members of a channel that events change, by their names on the wire; permissions are apart. */
const channelNames = {
  name: 'name',
  description: 'description',
  rendered_description: 'descriptionHtml',
  invite_only: 'isPrivate',
  is_web_public: 'isWebPublic',
  is_archived: 'isArchived',
  history_public_to_subscribers: 'historyIsPublic',
  folder_id: 'folderId',
  topics_policy: 'topicsPolicy',
  creator_id: 'creatorId',
  first_message_id: 'firstMessageId',
  is_recently_active: 'isRecentlyActive',
  stream_weekly_traffic: 'weeklyTraffic',
  subscriber_count: 'subscriberCount',
  message_retention_days: 'retentionDays',
  default_push_notifications: 'defaultPushNotifications',
} as const satisfies Readonly<
  Record<Exclude<keyof WireChannel, `can_${string}` | UnchangingProperty>, keyof Channel>
>

/** What never changes, or is deprecated. */
type UnchangingProperty =
  | 'stream_id'
  | 'date_created'
  | 'stream_post_policy'
  | 'is_announcement_only'

export function updateChannel(state: State, event: EventNamed<'stream/update'>): void {
  const { property, value } = event
  const { rendered_description, history_public_to_subscribers, is_web_public } = event
  state.channels.update(event.stream_id, (channel) => ({
    ...withProperty(channel, property, value),
    ...(rendered_description !== undefined && { descriptionHtml: rendered_description }),
    ...(history_public_to_subscribers !== undefined && {
      historyIsPublic: history_public_to_subscribers,
    }),
    ...(is_web_public !== undefined && { isWebPublic: is_web_public }),
  }))
}

function withProperty(channel: Channel, property: string, value: unknown): Channel {
  if (isPermission(property)) {
    const permissions = {
      ...channel.permissions,
      [property]: settingFromWire(value as WireGroupSetting),
    }
    return { ...channel, permissions }
  }
  if (!isKeyOf(channelNames, property)) return channel
  return { ...channel, [channelNames[property]]: value }
}

const isKeyOf = <T extends object>(names: T, name: string): name is keyof T & string =>
  Object.hasOwn(names, name)

export function changeDefaultChannels(state: State, event: EventNamed<'default_streams'>): void {
  state.realm.value = { ...state.realm.peek(), realm_default_streams: event.default_streams }
}

export function addSubscriptions(state: State, event: EventNamed<'subscription/add'>): void {
  for (const wire of event.subscriptions) {
    const id = wire.stream_id
    state.channels.set(id, channelFromWire(wire))
    state.subscriptions.set(id, subscriptionFromWire(wire))
    state.subscribers.set(id, subscribersFromWire(wire))
    // There were no events about them so far.
    for (const { id: messageId, conversation } of state.messages.current.values()) {
      if (conversation.kind === 'topic' && conversation.channelId === id) state.stale.add(messageId)
    }
  }
}

export function subscribersFromWire(
  wire: Pick<WireSubscription, 'subscribers' | 'partial_subscribers'>,
): { readonly ids: ReadonlySet<number>; readonly all: boolean } {
  const { subscribers, partial_subscribers } = wire
  return { ids: new Set(subscribers ?? partial_subscribers), all: subscribers !== undefined }
}

export function removeSubscriptions(state: State, event: EventNamed<'subscription/remove'>): void {
  for (const { stream_id } of event.subscriptions) {
    state.subscriptions.delete(stream_id)
    changeSubscribers(state, stream_id, [state.selfId], false)
  }
}

export function updateSubscription(state: State, event: EventNamed<'subscription/update'>): void {
  const { stream_id, property, value } = event
  if (!isKeyOf(subscriptionNames, property)) return
  const name = subscriptionNames[property]
  state.subscriptions.update(stream_id, (subscription) => ({ ...subscription, [name]: value }))
}

/** Others were subscribed or unsubscribed. */
export function changePeers(state: State, event: EventNamed<'subscription/peer_add'>): void {
  for (const id of event.stream_ids) {
    changeSubscribers(state, id, event.user_ids, event.op === 'peer_add')
  }
}

function changeSubscribers(
  state: State,
  channelId: number,
  userIds: readonly number[],
  areAdded: boolean,
): void {
  const before = state.subscribers.peek(channelId)
  const channel = state.channels.peek(channelId)
  if (!before || !channel) return
  const ids = new Set(before.ids)
  for (const userId of userIds) {
    if (areAdded) ids.add(userId)
    else ids.delete(userId)
  }
  state.subscribers.set(channelId, { ids, all: before.all })
  const change = areAdded ? userIds.length : -userIds.length
  const subscriberCount = before.all ? ids.size : channel.subscriberCount + change
  state.channels.set(channelId, { ...channel, subscriberCount })
}

export function addFolder(state: State, event: EventNamed<'channel_folder/add'>): void {
  state.folders.set(event.channel_folder.id, event.channel_folder)
}

export function updateFolder(state: State, event: EventNamed<'channel_folder/update'>): void {
  state.folders.update(event.channel_folder_id, (folder) =>
    Object.assign({ ...folder }, event.data),
  )
}

export function reorderFolders(state: State, event: EventNamed<'channel_folder/reorder'>): void {
  for (const [order, id] of event.order.entries()) {
    state.folders.update(id, (folder) => ({ ...folder, order }))
  }
}
