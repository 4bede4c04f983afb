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
  /** Shows them as read at once, and reports many together to the server. */
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

export function createMarking(api: Api, store: Store, clock: Clock = systemClock): Marking {
  /** Read here, but not yet on the server. */
  const waiting = new Set<number>()
  let cancelTimer: (() => void) | undefined
  /** The call that is on its way. */
  let sending: Promise<void> | undefined
  /** The number of narrows that are being processed. */
  let marking = 0
  /** Whether a message is shown as read, but could not be reported. */
  let isWrong = false

  function schedule(ms: number): void {
    cancelTimer ??= clock.after(ms, () => {
      cancelTimer = undefined
      void flush()
    })
  }

  async function flush(): Promise<void> {
    await sending
    if (sending || waiting.size === 0) return
    cancelTimer?.()
    cancelTimer = undefined
    sending = send([...waiting].slice(0, atOnce))
    await sending
  }

  async function send(messages: readonly number[]): Promise<void> {
    try {
      await post(messages)
      for (const id of messages) waiting.delete(id)
      if (waiting.size > 0) schedule(0)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      schedule(Math.max(retryTime, (error.retryAfter ?? 0) * 1000))
    } finally {
      sending = undefined
    }
  }

  /**
   * The server refuses all of them if one is gone, so halves are tried then. A single refused
   * message is ignored.
   *
   * @throws CallError it may succeed later
   */
  async function post(messages: readonly number[]): Promise<void> {
    try {
      await api.post('/messages/flags', { messages, op: 'add', flag: 'read' })
    } catch (error) {
      if (!(error instanceof CallError) || isPassing(error)) throw error
      if (messages.length < 2) return
      const middle = messages.length >> 1
      await post(messages.slice(0, middle))
      await post(messages.slice(middle))
    }
  }

  function showRead(ids: readonly number[]): void {
    if (ids.length > 0) store.apply([flagEvent(store, 'add', 'read', ids)])
  }

  const stopListening = store.onMessages((change) => {
    if (change.kind === 'deleted') for (const id of change.ids) waiting.delete(id)
    if (change.kind === 'restart') {
      isWrong = false
      // A registration does not know of what still waits.
      showRead([...waiting])
    }
  })

  /** Goes through a narrow, 1 000 messages at a time. */
  async function changeNarrow(
    narrow: readonly WireTerm[],
    op: 'add' | 'remove',
    from: number | 'oldest',
  ): Promise<number> {
    let anchor = from
    let changed = 0
    marking += 1
    try {
      for (let isFirst = true; ; isFirst = false) {
        const reply = await api.post<NarrowReply>('/messages/flags/narrow', {
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
      isWrong = true
      throw error
    } finally {
      marking -= 1
    }
  }

  const unread: WireTerm = { operator: 'is', operand: 'unread' }

  function unreadIn(place: ReadPlace | 'everything'): number[] {
    if (place !== 'everything' && place.kind !== 'channel') return [...store.unreads.idsOf(place)]
    return store.unreads.conversations
      .peek()
      .filter(
        ({ conversation }) =>
          place === 'everything' ||
          (conversation.kind === 'topic' && conversation.channelId === place.channelId),
      )
      .flatMap(({ conversation }) => store.unreads.idsOf(conversation))
  }

  return {
    markRead(messageIds) {
      const ids = messageIds.filter(
        (id) => store.unreads.find(id) || store.messages.peek(id)?.flags.has('read') === false,
      )
      if (ids.length === 0) return
      for (const id of ids) waiting.add(id)
      showRead(ids)
      if (waiting.size >= atOnce) void flush()
      else schedule(collectingTime)
    },
    markConversationRead(conversation) {
      showRead(unreadIn(conversation))
      return changeNarrow([...termsOf(conversation), unread], 'add', 'oldest')
    },
    markChannelRead(channelId) {
      showRead(unreadIn({ kind: 'channel', channelId }))
      return changeNarrow([{ operator: 'channel', operand: channelId }, unread], 'add', 'oldest')
    },
    markEverythingRead() {
      showRead(unreadIn('everything'))
      return changeNarrow([unread], 'add', 'oldest')
    },
    unreadIn,
    async markUnread(messageIds) {
      // What was read before must not arrive after this.
      await flush()
      for (let at = 0; at < messageIds.length; at += atOnce) {
        const messages = messageIds.slice(at, at + atOnce)
        await api.post('/messages/flags', { messages, op: 'remove', flag: 'read' })
      }
    },
    async markUnreadFrom(narrow, messageId) {
      // What was read before must not arrive after this.
      await flush()
      return await changeNarrow(narrow, 'remove', messageId)
    },
    flush,
    isSettled: () => waiting.size === 0 && marking === 0 && !isWrong,
    stop() {
      cancelTimer?.()
      stopListening()
    },
  }
}

function termsOf(conversation: Conversation): WireTerm[] {
  if (conversation.kind === 'direct') return [{ operator: 'dm', operand: conversation.userIds }]
  return [
    { operator: 'channel', operand: conversation.channelId },
    { operator: 'topic', operand: conversation.topic },
  ]
}
