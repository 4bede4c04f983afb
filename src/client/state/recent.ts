import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import type { RegisterReply } from '#client/api/wire.ts'
import { directConversation, topicConversation } from './from-wire.ts'
import { type Conversation, conversationKey, type Message } from './model.ts'
import type { RecentConversation, RecentConversations } from './store.ts'

interface RecentEntry {
  conversation: Conversation
  newestId: number
  /** The newest message according to the server; 0 if it was not asked. */
  reportedId: number
  /** The senders of the known messages, by message. */
  readonly senders: Map<number, number>
  /** What others see of it; undefined since the last change. */
  summary: RecentConversation | undefined
}

/** The stored part of a conversation; `senders` as pairs of message and sender. */
export type KeptRecent = readonly (Pick<RecentEntry, 'conversation' | 'newestId' | 'reportedId'> & {
  readonly senders: readonly (readonly [number, number])[]
})[]

/** Conversations by their newest message, as far as the client knows them. */
export class RecentModel implements RecentConversations {
  readonly #entries = new Map<string, RecentEntry>()
  readonly #version = signal(0)
  readonly direct: ReadonlySignal<readonly RecentConversation[]>
  readonly topics: ReadonlySignal<readonly RecentConversation[]>
  readonly #byChannel: ReadonlySignal<ReadonlyMap<number, readonly RecentConversation[]>>

  constructor() {
    this.direct = computed(() => this.#newestFirst('direct'))
    this.topics = computed(() => this.#newestFirst('topic'))
    this.#byChannel = computed(() => {
      const channels = new Map<number, RecentConversation[]>()
      for (const topic of this.topics.value) {
        const { conversation } = topic
        if (conversation.kind !== 'topic') continue
        const known = channels.get(conversation.channelId)
        if (known) known.push(topic)
        else channels.set(conversation.channelId, [topic])
      }
      return channels
    })
  }

  topicsOf(channelId: number): readonly RecentConversation[] {
    return this.#byChannel.value.get(channelId) ?? []
  }

  learnTopics(
    channelId: number,
    topics: readonly { readonly name: string; readonly max_id: number }[],
  ): void {
    const reported = new Set<string>()
    for (const { name, max_id } of topics) {
      const conversation = topicConversation(channelId, name)
      reported.add(conversationKey(conversation))
      this.#learn(conversation, max_id).reportedId = max_id
    }
    for (const [key, { conversation, senders }] of this.#entries) {
      if (conversation.kind !== 'topic' || conversation.channelId !== channelId) continue
      if (senders.size === 0 && !reported.has(key)) this.#entries.delete(key)
    }
    this.#changed()
  }

  /** Loads the direct conversations of a registration; known messages stay. */
  reset(wire: RegisterReply['recent_private_conversations'], selfId: number): void {
    for (const [key, { conversation, senders }] of this.#entries) {
      if (conversation.kind === 'direct' && senders.size === 0) this.#entries.delete(key)
    }
    for (const { user_ids, max_message_id } of wire) {
      this.#learn(directConversation(user_ids, selfId), max_message_id).reportedId = max_message_id
    }
    this.#changed()
  }

  /** @param messageIds the kept messages: the removal of others is not noticed here */
  kept(messageIds: ReadonlySet<number>): KeptRecent {
    return [...this.#entries.values()].map(({ conversation, newestId, reportedId, senders }) => ({
      conversation,
      newestId,
      reportedId: messageIds.has(newestId) ? reportedId : newestId,
      senders: [...senders].filter(([id]) => messageIds.has(id)),
    }))
  }

  /** Loads stored data into an empty model. */
  restore(kept: KeptRecent): void {
    for (const { senders, ...entry } of kept) {
      const key = conversationKey(entry.conversation)
      this.#entries.set(key, { ...entry, senders: new Map(senders), summary: undefined })
    }
    this.#changed()
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) this.#add(message)
    if (messages.length > 0) this.#changed()
  }

  /** @param messages as they were known before they were deleted */
  remove(messages: readonly Message[]): void {
    for (const message of messages) this.#remove(message)
    if (messages.length > 0) this.#changed()
  }

  /** @param messages as they were before; @param to where they are now */
  move(messages: readonly Message[], to: Conversation): void {
    this.remove(messages)
    this.add(messages.map((message) => ({ ...message, conversation: to })))
  }

  /** The newest message of each conversation. */
  newestIds(): number[] {
    return [...this.#entries.values()].map(({ newestId }) => newestId)
  }

  /** @param messages forgotten messages that still exist; none is the newest */
  release(messages: readonly Message[]): void {
    for (const { id, conversation } of messages) {
      this.#entries.get(conversationKey(conversation))?.senders.delete(id)
    }
  }

  /** Forgets a conversation that moved away and has no known messages. */
  forget(conversation: Conversation): void {
    const key = conversationKey(conversation)
    if (this.#entries.get(key)?.senders.size !== 0) return
    this.#entries.delete(key)
    this.#changed()
  }

  forgetChannel(channelId: number): void {
    for (const [key, { conversation }] of this.#entries) {
      if (conversation.kind === 'topic' && conversation.channelId === channelId) {
        this.#entries.delete(key)
      }
    }
    this.#changed()
  }

  #changed(): void {
    this.#version.value = this.#version.peek() + 1
  }

  #learn(conversation: Conversation, newestId: number): RecentEntry {
    const key = conversationKey(conversation)
    const known = this.#entries.get(key)
    if (!known) {
      const entry = {
        conversation,
        newestId,
        reportedId: 0,
        senders: new Map(),
        summary: undefined,
      }
      this.#entries.set(key, entry)
      return entry
    }
    if (newestId >= known.newestId) {
      known.newestId = newestId
      // The newest message determines the spelling of the topic.
      known.conversation = conversation
    }
    known.summary = undefined
    return known
  }

  #add({ id, senderId, conversation }: Message): void {
    this.#learn(conversation, id).senders.set(id, senderId)
  }

  #remove({ id, conversation }: Message): void {
    const key = conversationKey(conversation)
    const entry = this.#entries.get(key)
    if (!entry) return
    entry.senders.delete(id)
    entry.summary = undefined
    if (id !== entry.newestId) return
    // Nothing says which one is the newest after the one that the server reported.
    if (id !== entry.reportedId)
      entry.newestId = Math.max(entry.reportedId, ...entry.senders.keys())
    else if (conversation.kind === 'topic') entry.newestId = Math.max(0, ...entry.senders.keys())
    if (entry.newestId === 0) this.#entries.delete(key)
  }

  #newestFirst(kind: Conversation['kind']): readonly RecentConversation[] {
    this.#version.value
    return [...this.#entries.values()]
      .filter(({ conversation }) => conversation.kind === kind)
      .map(summaryOf)
      .sort((a, b) => b.newestId - a.newestId)
  }
}

function summaryOf(entry: RecentEntry): RecentConversation {
  if (entry.summary) return entry.summary
  const { conversation, newestId, senders } = entry
  const newestFirst = [...senders].sort(([a], [b]) => b - a).map(([, senderId]) => senderId)
  entry.summary = { conversation, newestId, senderIds: [...new Set(newestFirst)] }
  return entry.summary
}
