import type { WireMessage } from '#client/api/wire.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import { type Conversation, conversationKey, type VisibilityPolicy } from '#client/state/model.ts'
import { channelName, peopleNames, topicName } from '#client/state/names.ts'
import type { RecentConversation, Store } from '#client/state/store.ts'
import { isMuted } from '#client/state/unreads.ts'
import { matcher } from '#client/ui/fuzzy.ts'
import type { ListParts } from './create-message-list.ts'

/** A row of the recent conversations. */
export interface RecentRow {
  readonly key: string
  readonly conversation: Conversation
  /** The topic, or the names of the people. */
  readonly name: string
  /** Empty for direct messages. */
  readonly channel: string
  readonly newestId: number
  /** The time of its newest message, in seconds; undefined if that is not fetched. */
  readonly timestamp: number | undefined
  /** The senders of the known messages, newest first. */
  readonly senderIds: readonly number[]
  readonly count: number
  readonly hasMention: boolean
  readonly policy: VisibilityPolicy
  readonly isMuted: boolean
}

export interface RecentOptions {
  readonly filter: string
  readonly kinds: 'all' | 'topics' | 'direct'
  readonly onlyUnread: boolean
  /** Only conversations in which the user is known to have written. */
  readonly onlyParticipated: boolean
  readonly includesMuted: boolean
}

export const recentDefaults: RecentOptions = {
  filter: '',
  kinds: 'all',
  onlyUnread: false,
  onlyParticipated: false,
  includesMuted: false,
}

/** The conversations with the newest messages, the newest first. */
export function recentOf(store: Store, options: RecentOptions = recentDefaults): RecentRow[] {
  const { filter, kinds, onlyUnread, onlyParticipated, includesMuted } = options
  const isWanted = matcher(filter)
  const unreads = new Map(
    store.unreads.conversations.value.map((each) => [conversationKey(each.conversation), each]),
  )
  const found: RecentConversation[] = [
    ...(kinds === 'topics' ? [] : store.recent.direct.value),
    ...(kinds === 'direct' ? [] : store.recent.topics.value),
  ]
  return found
    .filter(({ senderIds }) => !onlyParticipated || senderIds.includes(store.selfId))
    .map((recent) => {
      const key = conversationKey(recent.conversation)
      const unread = unreads.get(key)
      return rowOf(recent, key, store, unread?.count ?? 0, unread?.hasMention ?? false)
    })
    .filter((row) => (!onlyUnread || row.count > 0) && (includesMuted || !row.isMuted))
    .filter(({ name, channel }) => isWanted(name, `${channel} ${name}`))
    .sort((a, b) => b.newestId - a.newestId)
}

function rowOf(
  { conversation, newestId, senderIds }: RecentConversation,
  key: string,
  store: Store,
  count: number,
  hasMention: boolean,
): RecentRow {
  const isTopic = conversation.kind === 'topic'
  return {
    key,
    conversation,
    name: isTopic ? topicName(conversation.topic, store) : peopleNames(conversation.userIds, store),
    channel: isTopic ? channelName(conversation.channelId, store) : '',
    newestId,
    timestamp: store.messages.peek(newestId)?.timestamp,
    senderIds,
    count,
    hasMention,
    policy: store.topicPolicies.all.get(key)?.policy ?? 0,
    isMuted: isMuted(conversation, store),
  }
}

/** How many messages are searched at a time for conversations. */
const page = 400

/**
 * Fetches messages so that the store knows their conversations.
 *
 * @param before looks further back than this message; default: from the newest on
 * @returns the oldest fetched message; undefined at the end
 * @throws CallError
 */
export async function fetchRecent(
  { store, api }: ListParts,
  before?: number,
): Promise<number | undefined> {
  const reply = await api.get<{ found_oldest: boolean; messages: readonly WireMessage[] }>(
    '/messages',
    {
      anchor: before ?? 'newest',
      include_anchor: before === undefined,
      num_before: page,
      num_after: 0,
      allow_empty_topic_name: true,
    },
  )
  store.addMessages(reply.messages.map((wire) => messageFromWire(wire, store.selfId)))
  return reply.found_oldest ? undefined : reply.messages[0]?.id
}
