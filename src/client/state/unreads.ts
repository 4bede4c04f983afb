import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { RegisterReply } from '#client/api/wire.ts'
import { directConversation, topicConversation } from './from-wire.ts'
import type { TopicPolicy } from './model.ts'
import { type Conversation, conversationKey, type MessageFlag, type Subscription } from './model.ts'
import type { UnreadConversation, UnreadCounts, Unreads } from './store.ts'
import { Table } from './table.ts'

/** The unread messages of a conversation; replaced by each change. */
interface Bucket {
  readonly conversation: Conversation
  /** Ascending. */
  readonly ids: readonly number[]
}

/**
 * How a message mentions the user: personally or in a group, or only by a wildcard, which does not
 * count where something is muted. What a registration lists is `personal` until the message is known.
 */
export type Mention = 'personal' | 'wildcard'

/** How a message with these flags mentions the user, if it does. */
export function mentionOf(flags: ReadonlySet<MessageFlag>): Mention | undefined {
  if (flags.has('mentioned')) return 'personal'
  const isWide = flags.has('stream_wildcard_mentioned') || flags.has('topic_wildcard_mentioned')
  return isWide ? 'wildcard' : undefined
}

/** All data of the model, to make a copy. */
export interface KeptUnreads {
  readonly buckets: ReadonlyMap<string, Bucket>
  readonly mentions: ReadonlyMap<number, Mention>
  readonly isIncomplete: boolean
}

/** The policies that decide whether unread messages count. */
export interface MutingRules {
  readonly subscriptions: Table<number, Subscription>
  readonly topicPolicies: Table<string, TopicPolicy>
  readonly mutedUsers: ReadonlySignal<ReadonlySet<number>>
}

/** Whether the messages of a conversation are muted, by the policies of topic and channel. */
export function isMuted(conversation: Conversation, rules: MutingRules): boolean {
  if (conversation.kind === 'direct') {
    const [only, ...others] = conversation.userIds
    return only !== undefined && others.length === 0 && rules.mutedUsers.value.has(only)
  }
  const policy = rules.topicPolicies.all.get(conversationKey(conversation))?.policy
  const subscription = rules.subscriptions.all.get(conversation.channelId)
  // Without a subscription nothing counts, whatever the topic says.
  if (!subscription) return true
  if (policy === 2 || policy === 3) return false
  return policy === 1 || subscription.isMuted
}

/**
 * Unread messages by conversation, and the conversation of each. A change costs as much as the
 * conversation it is in has unread messages; counts are made when someone asks.
 */
export class UnreadModel implements Unreads {
  readonly #buckets = new Table<string, Bucket>()
  /** The key of the conversation by message. */
  readonly #keys = new Map<number, string>()
  readonly #mentions: Signal<ReadonlyMap<number, Mention>> = signal(new Map<number, Mention>())
  readonly #isIncomplete = signal(false)
  /** Ids of the messages that count as mentions. */
  readonly mentions: ReadonlySignal<ReadonlySet<number>>
  readonly conversations: ReadonlySignal<readonly UnreadConversation[]>
  readonly counts: ReadonlySignal<UnreadCounts>

  constructor(rules: MutingRules) {
    this.mentions = computed(() => {
      const isLoud = (id: number) => {
        const conversation = this.#buckets.all.get(this.#keys.get(id) ?? '')?.conversation
        return conversation !== undefined && !isMuted(conversation, rules)
      }
      const counted = [...this.#mentions.value].filter(
        ([id, mention]) => mention === 'personal' || isLoud(id),
      )
      return new Set(counted.map(([id]) => id))
    })
    this.conversations = computed(() => {
      const mentioned = new Set([...this.mentions.value].map((id) => this.#keys.get(id)))
      return [...this.#buckets.all].map(([key, { conversation, ids }]) => ({
        conversation,
        count: ids.length,
        newestId: ids.at(-1) ?? 0,
        hasMention: mentioned.has(key),
        isMuted: isMuted(conversation, rules),
      }))
    })
    this.counts = computed(() => countAll(this.conversations.value, this.mentions.value.size))
  }

  get isIncomplete(): ReadonlySignal<boolean> {
    return this.#isIncomplete
  }

  idsOf(conversation: Conversation): readonly number[] {
    return this.#buckets.get(conversationKey(conversation))?.ids ?? []
  }

  countOf(conversation: Conversation): number {
    return this.idsOf(conversation).length
  }

  find(messageId: number): Conversation | undefined {
    const key = this.#keys.get(messageId)
    return key === undefined ? undefined : this.#buckets.peek(key)?.conversation
  }

  has(messageId: number): boolean {
    return this.#keys.has(messageId)
  }

  /** Ids of all unread messages, in no order. */
  get ids(): Iterable<number> {
    return this.#keys.keys()
  }

  /** Forgets everything and loads a registration. */
  reset(wire: RegisterReply['unread_msgs'], selfId: number): void {
    const lists: (readonly [Conversation, readonly number[]])[] = [
      ...wire.streams.map(
        ({ stream_id, topic, unread_message_ids }) =>
          [topicConversation(stream_id, topic), unread_message_ids] as const,
      ),
      ...wire.pms.map(
        ({ other_user_id, unread_message_ids }) =>
          [directConversation([other_user_id], selfId), unread_message_ids] as const,
      ),
      ...wire.huddles.map(
        ({ user_ids_string, unread_message_ids }) =>
          [
            directConversation(user_ids_string.split(',').map(Number), selfId),
            unread_message_ids,
          ] as const,
      ),
    ]
    const buckets = new Map<string, Bucket>()
    for (const [conversation, ids] of lists) {
      const key = conversationKey(conversation)
      const known = buckets.get(key)?.ids ?? []
      buckets.set(key, { conversation, ids: merged(known, ids) })
    }
    this.restore({
      buckets,
      mentions: new Map(wire.mentions.map((id) => [id, 'personal'])),
      isIncomplete: wire.old_unreads_missing,
    })
  }

  kept(): KeptUnreads {
    return {
      buckets: this.#buckets.current,
      mentions: this.#mentions.peek(),
      isIncomplete: this.#isIncomplete.peek(),
    }
  }

  /** Forgets everything and loads stored data. */
  restore({ buckets, mentions, isIncomplete }: KeptUnreads): void {
    this.#keys.clear()
    for (const [key, { ids }] of buckets) for (const id of ids) this.#keys.set(id, key)
    this.#buckets.replace(buckets)
    this.#mentions.value = mentions
    this.#isIncomplete.value = isIncomplete
  }

  /** Adds messages that became unread; known ones stay. */
  add(conversation: Conversation, ids: readonly number[], mention?: Mention): void {
    const key = conversationKey(conversation)
    const added = ids.filter((id) => !this.#keys.has(id))
    if (added.length > 0) {
      const known = this.#buckets.peek(key)
      this.#buckets.set(key, {
        conversation: known?.conversation ?? conversation,
        ids: merged(known?.ids ?? [], added),
      })
      for (const id of added) this.#keys.set(id, key)
    }
    if (mention) this.setMention(ids, mention)
  }

  /** Removes messages that were read or deleted; unknown ones do not matter. */
  remove(ids: readonly number[]): void {
    const byKey = new Map<string, Set<number>>()
    for (const id of ids) {
      const key = this.#keys.get(id)
      if (key === undefined) continue
      this.#keys.delete(id)
      const gone = byKey.get(key)
      if (gone) gone.add(id)
      else byKey.set(key, new Set([id]))
    }
    if (byKey.size === 0) return
    for (const [key, gone] of byKey) {
      const bucket = this.#buckets.peek(key)
      const left = bucket?.ids.filter((id) => !gone.has(id)) ?? []
      if (bucket && left.length > 0) this.#buckets.set(key, { ...bucket, ids: left })
      else this.#buckets.delete(key)
    }
    this.setMention(ids, undefined)
  }

  clear(): void {
    this.#keys.clear()
    this.#buckets.replace([])
    this.#mentions.value = new Map()
    this.#isIncomplete.value = false
  }

  /** Moves the unread ones among these messages to another conversation. */
  move(ids: readonly number[], to: Conversation): void {
    const moved = ids.filter((id) => this.#keys.has(id))
    if (moved.length === 0) return
    const mentions = this.#mentions.peek()
    this.remove(moved)
    this.add(to, moved)
    for (const kind of ['personal', 'wildcard'] as const) {
      this.setMention(
        moved.filter((id) => mentions.get(id) === kind),
        kind,
      )
    }
  }

  /** Stores how messages mention the user; only for unread ones. */
  setMention(ids: readonly number[], mention: Mention | undefined): void {
    const before = this.#mentions.peek()
    const changed = ids.filter(
      (id) => before.get(id) !== mention && (mention === undefined || this.#keys.has(id)),
    )
    if (changed.length === 0) return
    const after = new Map(before)
    for (const id of changed) {
      if (mention) after.set(id, mention)
      else after.delete(id)
    }
    this.#mentions.value = after
  }
}

function countAll(all: readonly UnreadConversation[], mentions: number): UnreadCounts {
  let direct = 0
  let inChannels = 0
  const channels = new Map<number, number>()
  for (const { conversation, count, isMuted } of all) {
    if (isMuted) continue
    if (conversation.kind === 'direct') direct += count
    else {
      inChannels += count
      const { channelId } = conversation
      channels.set(channelId, (channels.get(channelId) ?? 0) + count)
    }
  }
  return { total: direct + inChannels, mentions, direct, channels }
}

/** Both lists in one, ascending. New messages mostly belong at the end. */
function merged(known: readonly number[], added: readonly number[]): readonly number[] {
  const sorted = [...added].sort((a, b) => a - b)
  const last = known.at(-1)
  if (last === undefined) return sorted
  if ((sorted[0] ?? 0) > last) return [...known, ...sorted]
  return [...new Set([...known, ...sorted])].sort((a, b) => a - b)
}
