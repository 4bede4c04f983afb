import type { ChannelFolder } from '#client/api/wire.ts'
import type { Channel, Subscription } from '#client/state/model.ts'
import { byName } from '#client/state/names.ts'
import type { Store, UnreadConversation } from '#client/state/store.ts'

/** A channel that the user is subscribed to. */
export interface ListedChannel {
  readonly channel: Channel
  readonly subscription: Subscription
  /** Without recent or unread messages, so it is listed below the others. */
  readonly isInactive: boolean
}

/** A group of channels: pinned ones, those of a folder, or the rest. */
export interface ChannelSection {
  /** `pinned`, `folder:7` or `other`. */
  readonly key: string
  readonly folder: ChannelFolder | undefined
  /** Active ones by name, then inactive ones, then muted ones. */
  readonly channels: readonly ListedChannel[]
}

/** From this many channels on, inactive ones are automatically listed below the others, and unread ones first. */
export const manyChannels = 30

/** Subscribed channels by section: pinned, by folder in the organization's order, the rest. */
export function channelSections(store: Store): readonly ChannelSection[] {
  const { demote_inactive_streams: demoted, web_left_sidebar_show_channel_folders: byFolder } =
    store.settings.value
  const subscriptions = store.subscriptions.all
  const demotes = demoted === 2 || (demoted === 1 && subscriptions.size >= manyChannels)
  const channels = store.channels.all
  const folders = store.folders.all
  const unread = channelsWithUnreads(store)
  const groups = new Map<string, ListedChannel[]>()
  for (const subscription of subscriptions.values()) {
    const channel = channels.get(subscription.channelId)
    if (!channel || channel.isArchived) continue
    const folder = byFolder && channel.folderId !== null ? folders.get(channel.folderId) : undefined
    const key = subscription.isPinned ? 'pinned' : folder ? `folder:${folder.id}` : 'other'
    const isInactive = demotes && !channel.isRecentlyActive && !unread.has(channel.id)
    const listed = { channel, subscription, isInactive }
    const group = groups.get(key)
    if (group) group.push(listed)
    else groups.set(key, [listed])
  }
  const ordered = [...folders.values()].sort((a, b) => a.order - b.order)
  const keys = ['pinned', ...ordered.map(({ id }) => `folder:${id}`), 'other']
  return keys.flatMap((key) => {
    const group = groups.get(key)
    if (!group) return []
    const folder = ordered.find(({ id }) => key === `folder:${id}`)
    return [{ key, folder, channels: group.sort(byState) }]
  })
}

/** Those with unread messages that count, or a mention. */
export function channelsWithUnreads({ unreads }: Store): ReadonlySet<number> {
  const ids = new Set<number>()
  for (const { conversation, isMuted, hasMention } of unreads.conversations.value) {
    if (conversation.kind === 'topic' && (!isMuted || hasMention)) ids.add(conversation.channelId)
  }
  return ids
}

function byState(a: ListedChannel, b: ListedChannel): number {
  return levelOf(a) - levelOf(b) || byName(a.channel.name, b.channel.name)
}

function levelOf({ subscription, isInactive }: ListedChannel): number {
  if (subscription.isMuted) return 2
  return isInactive ? 1 : 0
}

/** The unread messages of a channel. */
export interface ChannelUnreads {
  /** Those that count. */
  readonly count: number
  /** Those in muted topics, and in topics of a muted channel. */
  readonly mutedCount: number
  readonly hasMention: boolean
  /** The newest first. */
  readonly topics: readonly UnreadConversation[]
}

export const noUnreads: ChannelUnreads = {
  count: 0,
  mutedCount: 0,
  hasMention: false,
  topics: [],
}

/** Unread messages by channel; channels without any are missing. */
export function unreadsByChannel(
  conversations: readonly UnreadConversation[],
): ReadonlyMap<number, ChannelUnreads> {
  const topics = new Map<number, UnreadConversation[]>()
  for (const unread of conversations) {
    if (unread.conversation.kind === 'direct') continue
    const { channelId } = unread.conversation
    const known = topics.get(channelId)
    if (known) known.push(unread)
    else topics.set(channelId, [unread])
  }
  return new Map(
    [...topics].map(([id, some]) => [
      id,
      {
        count: sum(some.filter(({ isMuted }) => !isMuted)),
        mutedCount: sum(some.filter(({ isMuted }) => isMuted)),
        hasMention: some.some(({ hasMention }) => hasMention),
        topics: some.sort((a, b) => b.newestId - a.newestId),
      },
    ]),
  )
}

export function sum(unreads: readonly { readonly count: number }[]): number {
  return unreads.reduce((total, { count }) => total + count, 0)
}
