import type { ChannelFolder } from '#client/api/wire.ts'
import { type Channel, conversationKey, type VisibilityPolicy } from '#client/state/model.ts'
import { peopleNames, topicName } from '#client/state/names.ts'
import type { Store, UnreadConversation } from '#client/state/store.ts'
import { matcher } from '#client/ui/fuzzy.ts'
import { channelSections, noUnreads, sum, unreadsByChannel } from './channel-sections.ts'

/** Everything unread, by channel and conversation. */
export interface Inbox {
  /** The newest first; those with muted people are missing. */
  readonly direct: readonly InboxConversation[]
  readonly directCount: number
  readonly sections: readonly InboxSection[]
  /** Whether the filter hides everything unread. */
  readonly isFilteredOut: boolean
}

export interface InboxSection {
  /** `pinned`, `folder:7`, `other` or `muted`, which is the last. */
  readonly key: string
  readonly folder: ChannelFolder | undefined
  readonly count: number
  readonly hasMention: boolean
  readonly channels: readonly InboxChannel[]
}

export interface InboxChannel {
  readonly channel: Channel
  readonly color: string
  readonly isMuted: boolean
  readonly count: number
  readonly hasMention: boolean
  readonly topics: readonly InboxConversation[]
}

export interface InboxConversation {
  readonly key: string
  readonly conversation: UnreadConversation['conversation']
  /** The topic, or the names of the people. */
  readonly name: string
  readonly count: number
  readonly hasMention: boolean
  readonly newestId: number
  readonly policy: VisibilityPolicy
}

/**
 * The inbox: unread messages that count, and at the end those of muted channels with a mention.
 *
 * @param filter text in the name of the topic, the channel or a person
 */
export function inboxOf(store: Store, filter = ''): Inbox {
  const conversations = store.unreads.conversations.value
  const byChannel = unreadsByChannel(conversations)
  const matches = matcher(filter)

  const direct = conversations
    .filter(({ conversation, isMuted }) => conversation.kind === 'direct' && !isMuted)
    .map((unread) => listed(unread, store))
    .filter(({ name }) => matches(name))
    .sort((a, b) => b.newestId - a.newestId)

  const sections: InboxSection[] = []
  const muted: InboxChannel[] = []
  for (const { key, folder, channels } of channelSections(store)) {
    const shown: InboxChannel[] = []
    for (const { channel, subscription } of channels) {
      const { topics } = byChannel.get(channel.id) ?? noUnreads
      const some = topics
        .filter(({ isMuted, hasMention }) => !isMuted || hasMention)
        .map((unread) => listed(unread, store))
        .filter(({ name }) => matches(name, channel.name))
      if (some.length === 0) continue
      const one: InboxChannel = {
        channel,
        color: subscription.color,
        isMuted: subscription.isMuted,
        count: sum(some),
        hasMention: some.some(({ hasMention }) => hasMention),
        topics: some,
      }
      if (subscription.isMuted) muted.push(one)
      else shown.push(one)
    }
    if (shown.length > 0) sections.push(section(key, folder, shown))
  }
  if (muted.length > 0) sections.push(section('muted', undefined, muted))

  const isEmpty = direct.length === 0 && sections.length === 0
  return {
    direct,
    directCount: sum(direct),
    sections,
    isFilteredOut: isEmpty && filter.trim() !== '' && !isAllRead(store),
  }
}

function isAllRead(store: Store): boolean {
  const { direct, sections } = inboxOf(store)
  return direct.length === 0 && sections.length === 0
}

function section(
  key: string,
  folder: ChannelFolder | undefined,
  channels: readonly InboxChannel[],
): InboxSection {
  const hasMention = channels.some((channel) => channel.hasMention)
  return { key, folder, count: sum(channels), hasMention, channels }
}

function listed(unread: UnreadConversation, store: Store): InboxConversation {
  const { conversation, count, hasMention, newestId } = unread
  const key = conversationKey(conversation)
  return {
    key,
    conversation,
    name:
      conversation.kind === 'direct'
        ? peopleNames(conversation.userIds, store)
        : topicName(conversation.topic, store),
    count,
    hasMention,
    newestId,
    policy: store.topicPolicies.all.get(key)?.policy ?? 0,
  }
}
