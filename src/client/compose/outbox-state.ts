import { effect, signal, untracked } from '@preact/signals-core'
import { type Api, CallError } from '#client/api/api.ts'
import { type Clock, systemClock } from '#client/state/clock.ts'
import { isPassing } from '#client/state/machine.ts'
import type { Conversation } from '#client/state/model.ts'
import type { UpdateMachine } from '#client/state/store.ts'
import type { KeyValues } from '#client/ui/browser-storage.ts'
import type { Outbox, Outgoing } from './outbox.ts'
import { type StoredList, storedList } from './storage.ts'

export interface OutboxOptions {
  readonly api: Api
  readonly machine: Pick<UpdateMachine, 'store' | 'queueId' | 'connection' | 'isCaughtUp'>
  readonly storage: KeyValues
  readonly clock?: Clock
  /** From 0 to below 1. */
  readonly random?: () => number
  /** The server has a message, or the user took it back: its draft can go, or can be shown again. */
  readonly onSettled?: (localId: string, outcome: 'sent' | 'taken') => void
  /** The name of this window in stored messages. */
  readonly writer: string
  /**
   * Takes over the messages of a closed window, which nothing else would send.
   *
   * @returns false while that window is there, or another one has taken it over
   */
  takeOver(writer: string): Promise<boolean>
  /** The note if it is unknown whether the server has the message. */
  readonly unknownOutcome: string
}

export interface StoredOutbox extends Outbox {
  /** To be called when another window changed the storage. */
  refresh(): void
  stop(): void
}

/** When a pending message is shown, and when a retry is offered. */
const shownAfter = 500
const slowAfter = 10_000
/** How long a sent message is shown without its event, in milliseconds. */
const echoTime = 10_000
/** How long pending events may take, in milliseconds. */
const patience = 3000
/** How long to retry messages that the server did not get, in milliseconds. */
const persistence = 5 * 60_000

interface Stored {
  readonly localId: string
  readonly conversation: Conversation
  readonly content: string
  readonly createdAt: number
  /** The queue of the window that it was written in. */
  readonly madeIn?: string
  /** The window itself. */
  readonly writer?: string
  /** Whether it may have reached the server. */
  isTried?: boolean
}

interface OutboxEntry extends Stored {
  state: Outgoing['state']
  problem: string | undefined
  /** The queue whose events tell of the message, once it was sent. */
  queueId: string | undefined
  /** The id that the server gave it. */
  messageId: number | undefined
  /** Whether it waits for the connection, to be sent then. */
  isHeld: boolean
  isCalling: boolean
  /** Whether it was found in the storage: of a window that was closed, or of one that is open. */
  readonly isFound: boolean
  /** Whether its window is gone, and this one sends it. */
  isTakenOver: boolean
  cancelTimers: (() => void)[]
}

/** Pending messages, in the browser's storage until the server has them. */
export function createOutbox(options: OutboxOptions): StoredOutbox {
  const { api, machine, clock = systemClock, random = Math.random } = options
  const { store } = machine
  const stored: StoredList<Stored> = storedList(options.storage, `parley:outbox:${store.selfId}`)
  const entries = new Map<string, OutboxEntry>()
  const messages = signal<readonly Outgoing[]>([])

  function show(): void {
    messages.value = [...entries.values()].map(
      ({ localId, conversation, content, createdAt, state, problem }) => ({
        localId,
        conversation,
        content,
        createdAt,
        state,
        problem,
      }),
    )
  }

  /** Other windows keep theirs in the same list. */
  function keep(change: (others: readonly Stored[]) => readonly Stored[]): void {
    stored.write(change(stored.read()))
  }

  function change(
    entry: OutboxEntry,
    changes: Partial<Pick<OutboxEntry, 'state' | 'problem'>>,
  ): void {
    Object.assign(entry, changes)
    show()
  }

  function settle(entry: OutboxEntry, outcome: 'sent' | 'taken'): void {
    if (!entries.delete(entry.localId)) return
    for (const cancel of entry.cancelTimers) cancel()
    keep((all) => all.filter(({ localId }) => localId !== entry.localId))
    show()
    options.onSettled?.(entry.localId, outcome)
  }

  function add(item: Stored, isFound: boolean): OutboxEntry {
    // The events of that window's queue come here now, and tell whether the server has it.
    const isOurs = isFound && isOfQueue(item)
    const isLost = isFound && !isOurs && !mayTakeOver(item)
    const entry: OutboxEntry = {
      ...item,
      isFound,
      isTakenOver: false,
      state: isLost ? 'failed' : isFound ? 'waiting' : 'hidden',
      problem: isLost ? options.unknownOutcome : undefined,
      queueId: isOurs && item.isTried ? item.madeIn : undefined,
      messageId: undefined,
      isHeld: isFound && !isLost,
      isCalling: false,
      cancelTimers: [],
    }
    entries.set(item.localId, entry)
    return entry
  }

  /** A message that was never tried cannot be on the server; only its window is gone. */
  function mayTakeOver({ isTried, writer }: Stored): boolean {
    return !isTried && writer !== undefined
  }

  async function takeOver(entry: OutboxEntry): Promise<void> {
    const isOurs = await options.takeOver(entry.writer ?? '')
    if (!entries.has(entry.localId) || entry.state === 'failed') return
    entry.isTakenOver = entry.isHeld = isOurs
    if (isOurs) releaseIfConnected()
    else change(entry, { state: 'failed', problem: options.unknownOutcome })
  }

  function isOfQueue({ madeIn }: Stored): boolean {
    return madeIn !== undefined && madeIn === machine.queueId
  }

  function startTimers(entry: OutboxEntry): void {
    for (const cancel of entry.cancelTimers) cancel()
    const becomes = (state: 'waiting' | 'slow', from: readonly Outgoing['state'][]) => () => {
      if (from.includes(entry.state)) change(entry, { state })
    }
    entry.cancelTimers = [
      clock.after(shownAfter, becomes('waiting', ['hidden'])),
      clock.after(slowAfter, becomes('slow', ['hidden', 'waiting'])),
    ]
  }

  async function call(entry: OutboxEntry): Promise<void> {
    if (machine.connection.peek().state !== 'connected') {
      entry.isHeld = true
      return
    }
    entry.isHeld = false
    entry.isCalling = true
    entry.queueId = machine.queueId
    if (!entry.isTried) {
      entry.isTried = true
      const tried = { isTried: true, madeIn: machine.queueId, writer: options.writer }
      keep((all) => all.map((one) => (one.localId === entry.localId ? { ...one, ...tried } : one)))
    }
    try {
      const { id } = await api.post<{ id: number }>('/messages', wireMessage(entry))
      received(entry, id)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (entries.has(entry.localId)) failed(entry, error)
    } finally {
      entry.isCalling = false
    }
  }

  function wireMessage({ conversation, content, localId, queueId }: OutboxEntry) {
    const place =
      conversation.kind === 'topic'
        ? { type: 'channel', to: conversation.channelId, topic: conversation.topic }
        : { type: 'direct', to: conversation.userIds }
    return { ...place, content, local_id: localId, queue_id: queueId, read_by_sender: true }
  }

  /** The server has it; its event takes the place of this one. */
  function received(entry: OutboxEntry, messageId: number): void {
    entry.messageId = messageId
    keep((all) => all.filter(({ localId }) => localId !== entry.localId))
    if (store.messages.has(messageId)) settle(entry, 'sent')
    else entry.cancelTimers.push(clock.after(echoTime, () => settle(entry, 'sent')))
  }

  function failed(entry: OutboxEntry, error: CallError): void {
    const isYoung = clock.now() - entry.createdAt < persistence
    if (error.status === 429 && isYoung) {
      entry.cancelTimers.push(
        clock.after(Math.max(1, error.retryAfter ?? 1) * 1000, () => void call(entry)),
      )
      return
    }
    if (!isPassing(error) || !isYoung) {
      change(entry, { state: 'failed', problem: error.message })
      return
    }
    // The queue's next events show whether the server got it.
    entry.isHeld = true
    entry.cancelTimers.push(clock.after(patience, releaseIfConnected))
  }

  /** Online again: sends the messages that waited, unless the server may have them already. */
  function release(): void {
    for (const entry of [...entries.values()]) {
      if (!entry.isHeld || entry.isCalling || entry.state === 'failed') continue
      // Another window may be sending what it wrote, if this one has got a queue of its own.
      const isMine = !entry.isFound || entry.isTakenOver || isOfQueue(entry)
      const isKnown = entry.queueId === undefined || entry.queueId === machine.queueId
      if (isMine && isKnown) {
        void call(entry)
        continue
      }
      entry.isHeld = false
      if (mayTakeOver(entry)) void takeOver(entry)
      else {
        change(entry, { state: 'failed', problem: options.unknownOutcome })
      }
    }
  }

  /** Follows the changes of other windows to messages in the storage. */
  function refresh(): void {
    const kept = new Set(stored.read().map(({ localId }) => localId))
    for (const entry of [...entries.values()]) {
      if (entry.isFound && !entry.isCalling && !kept.has(entry.localId)) settle(entry, 'sent')
    }
  }

  for (const item of stored.read()) add(item, true)
  show()

  const stopMessages = store.onMessages((change) => {
    if (change.kind === 'new' && change.localId !== undefined) {
      const entry = entries.get(change.localId)
      if (entry) settle(entry, 'sent')
    }
  })
  /** Settles fetched messages. */
  const stopFetches = effect(() => {
    store.messages.version.value
    untracked(() => {
      for (const entry of [...entries.values()]) {
        const { messageId } = entry
        if (messageId !== undefined && store.messages.has(messageId)) settle(entry, 'sent')
      }
    })
  })
  function releaseIfConnected(): void {
    const isConnected = machine.connection.peek().state === 'connected'
    if (isConnected && machine.isCaughtUp.peek()) release()
  }
  const stopConnection = effect(() => {
    machine.connection.value
    machine.isCaughtUp.value
    untracked(releaseIfConnected)
  })

  return {
    messages,
    send(conversation, content) {
      const localId = `${clock.now().toString(36)}-${random().toString(36).slice(2, 12)}`
      const madeIn = machine.queueId
      const { writer } = options
      const item = { localId, conversation, content, createdAt: clock.now(), madeIn, writer }
      keep((all) => [...all, item])
      const entry = add(item, false)
      show()
      startTimers(entry)
      void call(entry)
      return localId
    },
    retry(localId) {
      refresh()
      const entry = entries.get(localId)
      if (!entry || entry.isCalling || entry.messageId !== undefined) return
      change(entry, { state: 'waiting', problem: undefined })
      startTimers(entry)
      void call(entry)
    },
    take(localId) {
      refresh()
      const entry = entries.get(localId)
      const message = messages.peek().find((one) => one.localId === localId)
      if (!entry || entry.messageId !== undefined) return undefined
      settle(entry, 'taken')
      return message
    },
    refresh,
    stop() {
      stopMessages()
      stopFetches()
      stopConnection()
      for (const { cancelTimers } of entries.values()) for (const cancel of cancelTimers) cancel()
    },
  }
}
