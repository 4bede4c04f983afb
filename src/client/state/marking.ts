import { type Api, CallError } from '#client/api/api.ts'
import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'
import { isPassing } from './machine.ts'
import type { Conversation } from './model.ts'
import { flagEvent } from './optimistic.ts'
import type { Store } from './store.ts'

/** A filter of the server, as `GET /messages` takes it. */
export interface WireTerm {
  readonly operator: string
  readonly operand: string | number | readonly number[]
  readonly negated?: boolean
}

/** A conversation, or all of a channel. */
export type ReadPlace = Conversation | { readonly kind: 'channel'; readonly channelId: number }

/** Marks messages as read and unread. */
export interface Marking {
  /** Shows them as read immediately, and reports many together to the server. */
  markRead(messageIds: readonly number[]): void
  /** Marks all matching messages, in as many requests as needed. */
  markConversationRead(conversation: Conversation): Promise<number>
  markChannelRead(channelId: number): Promise<number>
  markEverythingRead(): Promise<number>
  /** Marks these as unread again. */
  markUnread(messageIds: readonly number[]): Promise<void>
  /** The known unread messages of a conversation, a channel, or everything. */
  unreadIn(place: ReadPlace | 'everything'): readonly number[]
  /** Marks a message and all later ones of a narrow as unread. */
  markUnreadFrom(narrow: readonly WireTerm[], messageId: number): Promise<number>
  /** Reports waiting messages now, for example when the page is left. */
  flush(): Promise<void>
  /** Whether all messages that are shown as read were reported. */
  isSettled(): boolean
  stop(): void
}

/** How long messages that were read wait for others, in milliseconds. */
const collectingTime = 500
/** After a failure, in milliseconds. */
const retryTime = 5000
/** The most messages in one request. */
const atOnce = 1000

interface NarrowReply {
  readonly updated_count: number
  readonly last_processed_id: number | null
  readonly found_newest: boolean
}

export function createMarking(api: Api, store: Store, clock?: Clock): Marking {
  return new ReadMarking(api, store, clock)
}

class ReadMarking implements Marking {
  readonly #api: Api
  readonly #store: Store
  readonly #clock: Clock
  /** Read here, but not yet on the server. */
  readonly #waiting = new Set<number>()
  #cancelTimer: (() => void) | undefined
  /** The call that is on its way. */
  #sending: Promise<void> | undefined
  /** The number of narrows that are being processed. */
  #marking = 0
  /** Whether a message is shown as read, but could not be reported. */
  #isWrong = false
  readonly #stopListening: () => void
  readonly #unread: WireTerm = { operator: 'is', operand: 'unread' }

  constructor(api: Api, store: Store, clock: Clock = systemClock) {
    this.#api = api
    this.#store = store
    this.#clock = clock
    this.#stopListening = store.onMessages((change) => {
      if (change.kind === 'deleted') for (const id of change.ids) this.#waiting.delete(id)
      if (change.kind === 'restart') {
        this.#isWrong = false
        // A registration does not know of what still waits.
        this.#showRead([...this.#waiting])
      }
    })
  }

  markRead(messageIds: readonly number[]): void {
    const ids = messageIds.filter(
      (id) =>
        this.#store.unreads.find(id) || this.#store.messages.peek(id)?.flags.has('read') === false,
    )
    if (ids.length === 0) return
    for (const id of ids) this.#waiting.add(id)
    this.#showRead(ids)
    if (this.#waiting.size >= atOnce) void this.flush()
    else this.#schedule(collectingTime)
  }

  markConversationRead(conversation: Conversation): Promise<number> {
    this.#showRead(this.unreadIn(conversation))
    return this.#changeNarrow([...termsOf(conversation), this.#unread], 'add', 'oldest')
  }

  markChannelRead(channelId: number): Promise<number> {
    this.#showRead(this.unreadIn({ kind: 'channel', channelId }))
    return this.#changeNarrow(
      [{ operator: 'channel', operand: channelId }, this.#unread],
      'add',
      'oldest',
    )
  }

  markEverythingRead(): Promise<number> {
    this.#showRead(this.unreadIn('everything'))
    return this.#changeNarrow([this.#unread], 'add', 'oldest')
  }

  unreadIn(place: ReadPlace | 'everything'): number[] {
    if (place !== 'everything' && place.kind !== 'channel')
      return [...this.#store.unreads.idsOf(place)]
    return this.#store.unreads.conversations
      .peek()
      .filter(
        ({ conversation }) =>
          place === 'everything' ||
          (conversation.kind === 'topic' && conversation.channelId === place.channelId),
      )
      .flatMap(({ conversation }) => this.#store.unreads.idsOf(conversation))
  }

  async markUnread(messageIds: readonly number[]): Promise<void> {
    // What was read before must not arrive after this.
    await this.flush()
    for (let at = 0; at < messageIds.length; at += atOnce) {
      const messages = messageIds.slice(at, at + atOnce)
      await this.#api.post('/messages/flags', { messages, op: 'remove', flag: 'read' })
    }
  }

  async markUnreadFrom(narrow: readonly WireTerm[], messageId: number): Promise<number> {
    // What was read before must not arrive after this.
    await this.flush()
    return await this.#changeNarrow(narrow, 'remove', messageId)
  }

  async flush(): Promise<void> {
    await this.#sending
    if (this.#sending || this.#waiting.size === 0) return
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#sending = this.#send([...this.#waiting].slice(0, atOnce))
    await this.#sending
  }

  isSettled(): boolean {
    return this.#waiting.size === 0 && this.#marking === 0 && !this.#isWrong
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#stopListening()
  }

  #schedule(ms: number): void {
    this.#cancelTimer ??= this.#clock.after(ms, () => {
      this.#cancelTimer = undefined
      void this.flush()
    })
  }

  async #send(messages: readonly number[]): Promise<void> {
    try {
      await this.#post(messages)
      for (const id of messages) this.#waiting.delete(id)
      if (this.#waiting.size > 0) this.#schedule(0)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      this.#schedule(Math.max(retryTime, (error.retryAfter ?? 0) * 1000))
    } finally {
      this.#sending = undefined
    }
  }

  /**
   * The server refuses all of them if one is gone, so halves are tried then. A single refused
   * message is ignored.
   *
   * @throws CallError it may succeed later
   */
  async #post(messages: readonly number[]): Promise<void> {
    try {
      await this.#api.post('/messages/flags', { messages, op: 'add', flag: 'read' })
    } catch (error) {
      if (!(error instanceof CallError) || isPassing(error)) throw error
      if (messages.length < 2) return
      const middle = messages.length >> 1
      await this.#post(messages.slice(0, middle))
      await this.#post(messages.slice(middle))
    }
  }

  #showRead(ids: readonly number[]): void {
    if (ids.length > 0) this.#store.apply([flagEvent(this.#store, 'add', 'read', ids)])
  }

  /** Goes through a narrow, 1 000 messages at a time. */
  async #changeNarrow(
    narrow: readonly WireTerm[],
    op: 'add' | 'remove',
    from: number | 'oldest',
  ): Promise<number> {
    let anchor = from
    let changed = 0
    this.#marking += 1
    try {
      for (let isFirst = true; ; isFirst = false) {
        const reply = await this.#api.post<NarrowReply>('/messages/flags/narrow', {
          anchor,
          include_anchor: isFirst,
          num_before: 0,
          num_after: atOnce,
          narrow,
          op,
          flag: 'read',
        })
        changed += reply.updated_count
        if (reply.found_newest || reply.last_processed_id === null) return changed
        anchor = reply.last_processed_id
      }
    } catch (error) {
      this.#isWrong = true
      throw error
    } finally {
      this.#marking -= 1
    }
  }
}

function termsOf(conversation: Conversation): WireTerm[] {
  if (conversation.kind === 'direct') return [{ operator: 'dm', operand: conversation.userIds }]
  return [
    { operator: 'channel', operand: conversation.channelId },
    { operator: 'topic', operand: conversation.topic },
  ]
}
