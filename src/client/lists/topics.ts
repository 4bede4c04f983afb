import { type Conversation, conversationKey, type VisibilityPolicy } from '#client/state/model.ts'
import { plainTopic, topicName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { matcher } from '#client/ui/fuzzy.ts'
import type { ListParts } from './create-message-list.ts'

/** A topic of a channel. */
export interface ListedTopic {
  readonly key: string
  readonly conversation: Conversation & { readonly kind: 'topic' }
  /** As it is shown, without the mark of resolved ones. */
  readonly name: string
  readonly isResolved: boolean
  readonly newestId: number
  readonly count: number
  readonly hasMention: boolean
  readonly policy: VisibilityPolicy
  readonly isMuted: boolean
}

export interface TopicOptions {
  readonly filter?: string
  readonly state?: 'all' | 'resolved' | 'unresolved'
}

/** The topics of a channel that are known, the newest first; muted ones last. */
export function topicsOf(
  store: Store,
  channelId: number,
  { filter = '', state = 'all' }: TopicOptions = {},
): ListedTopic[] {
  const unreads = new Map(
    store.unreads.conversations.value.flatMap((unread) =>
      unread.conversation.kind === 'topic' && unread.conversation.channelId === channelId
        ? [[conversationKey(unread.conversation), unread] as const]
        : [],
    ),
  )
  const known = new Map<string, { conversation: Conversation; newestId: number }>()
  // Unfetched unread messages may be in otherwise unknown topics.
  for (const [key, { conversation, newestId }] of unreads)
    known.set(key, { conversation, newestId })
  for (const { conversation, newestId } of store.recent.topicsOf(channelId)) {
    known.set(conversationKey(conversation), { conversation, newestId })
  }
  const isWanted = matcher(filter)
  const policies = store.topicPolicies.all
  const isChannelMuted = store.subscriptions.get(channelId)?.isMuted ?? false
  const topics: ListedTopic[] = []
  for (const [key, { conversation, newestId }] of known) {
    if (conversation.kind !== 'topic') continue
    const { name, isResolved } = plainTopic(topicName(conversation.topic, store))
    if (state !== 'all' && isResolved !== (state === 'resolved')) continue
    if (!isWanted(name)) continue
    const unread = unreads.get(key)
    const policy = policies.get(key)?.policy ?? 0
    topics.push({
      key,
      conversation,
      name,
      isResolved,
      newestId,
      count: unread?.count ?? 0,
      hasMention: unread?.hasMention ?? false,
      policy,
      isMuted: policy === 1 || (policy === 0 && isChannelMuted),
    })
  }
  // In a muted channel all topics count the same, unless the user has unmuted or followed one.
  return topics.sort(
    (a, b) => Number(a.policy === 1) - Number(b.policy === 1) || b.newestId - a.newestId,
  )
}

/** The topics of a channel in a side bar: a few, and the number of others. */
export interface ShortTopics {
  readonly topics: readonly ListedTopic[]
  /** How many more there are that the client knows of. */
  readonly more: number
  /** Unread messages that count, in those. */
  readonly moreUnread: number
}

/** How many topics are shown without asking, and how many with unread messages at most. */
const fewTopics = 5
const mostUnreadTopics = 10

/** Topics with unread messages first, then the newest ones. */
export function shortTopicsOf(
  store: Store,
  channelId: number,
  current: Conversation | undefined,
): ShortTopics {
  const all = topicsOf(store, channelId)
  const open = current && conversationKey(current)
  const unread = all
    .filter(({ count, isMuted }) => count > 0 && !isMuted)
    .slice(0, mostUnreadTopics)
  const read = all.filter((topic) => !unread.includes(topic) && topic.policy !== 1)
  const shown = [...unread, ...read.slice(0, Math.max(fewTopics - unread.length, 0))]
  const opened = all.find(({ key }) => key === open)
  if (opened && !shown.includes(opened)) shown.push(opened)
  const rest = all.filter((topic) => !shown.includes(topic))
  const counting = rest.filter(({ isMuted }) => !isMuted)
  return {
    topics: shown,
    more: rest.length,
    moreUnread: counting.reduce((total, { count }) => total + count, 0),
  }
}

/** The channels whose topics were fetched, by store, with the pending or received answer. */
const asked = new WeakMap<Store, Map<number, Promise<void>>>()

/**
 * Fetches the topics of a channel into the store: only once if events report new ones. After a
 * failure, the next call tries again. A channel that is not there has none.
 *
 * @throws CallError
 */
export function learnTopics(parts: ListParts, channelId: number): Promise<void> {
  if (!parts.store.channels.peek(channelId)) return Promise.resolve()
  if (!parts.store.subscriptions.peek(channelId)) return fetchTopics(parts, channelId)
  const known = asked.get(parts.store) ?? new Map<number, Promise<void>>()
  asked.set(parts.store, known)
  const reply = known.get(channelId) ?? fetchTopics(parts, channelId)
  known.set(channelId, reply)
  reply.catch(() => known.delete(channelId))
  return reply
}

async function fetchTopics({ store, api }: ListParts, channelId: number): Promise<void> {
  const { topics } = await api.get<{ topics: readonly { name: string; max_id: number }[] }>(
    `/users/me/${channelId}/topics`,
    { allow_empty_topic_name: true },
  )
  store.recent.learnTopics(channelId, topics)
}
