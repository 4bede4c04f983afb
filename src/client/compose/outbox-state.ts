import { effect, signal, untracked } from '@preact/signals-core'
import { type Api, CallError } from '#client/api/api.ts'
import { type Clock, systemClock } from '#client/state/clock.ts'
import { isPassing } from '#client/state/machine.ts'
import type { Conversation } from '#client/state/model.ts'
import type { Store, UpdateMachine } from '#client/state/store.ts'
import type { KeyValues } from '#client/ui/browser-storage.ts'
import { tRefusal } from '#client/ui/t.ts'
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
/** How long a message can be sent again without being sent twice: less than its key is known. */
const repeatable = 20 * 3600_000

interface StoredMessage {
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
  /** Whether it is sent with its `localId` as a key, so that the server takes it once only. */
  readonly isKeyed?: boolean
  /** Why the server refused it, in words for the user. */
  refusal?: string | undefined
}

interface OutboxEntry extends StoredMessage {
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
  return new BrowserOutbox(options)
}

class BrowserOutbox implements StoredOutbox {
  readonly #options: OutboxOptions
  readonly #api: Api
  readonly #machine: Pick<UpdateMachine, 'store' | 'queueId' | 'connection' | 'isCaughtUp'>
  readonly #clock: Clock
  readonly #random: () => number
  readonly #store: Store
  readonly #stored: StoredList<StoredMessage>
  readonly #entries = new Map<string, OutboxEntry>()
  readonly messages = signal<readonly Outgoing[]>([])
  readonly #stopMessages: () => void
  /** Settles fetched messages. */
  readonly #stopFetches: () => void
  readonly #stopConnection: () => void

  constructor(options: OutboxOptions) {
    this.#options = options
    const { machine } = options
    this.#api = options.api
    this.#machine = machine
    this.#clock = options.clock ?? systemClock
    this.#random = options.random ?? Math.random
    this.#store = machine.store
    this.#stored = storedList(options.storage, `parley:outbox:${this.#store.selfId}`)
    for (const item of this.#stored.read()) this.#add(item, true)
    this.#show()
    this.#stopMessages = this.#store.onMessages((change) => {
      if (change.kind === 'new' && change.localId !== undefined) {
        const entry = this.#entries.get(change.localId)
        if (entry) this.#settle(entry, 'sent')
      }
    })
    this.#stopFetches = effect(() => {
      this.#store.messages.version.value
      untracked(() => {
        for (const entry of [...this.#entries.values()]) {
          const { messageId } = entry
          if (messageId !== undefined && this.#store.messages.has(messageId))
            this.#settle(entry, 'sent')
        }
      })
    })
    this.#stopConnection = effect(() => {
      this.#machine.connection.value
      this.#machine.isCaughtUp.value
      untracked(() => this.#releaseIfConnected())
    })
  }

  send(conversation: Conversation, content: string): string {
    const localId = `${this.#clock.now().toString(36)}-${this.#random().toString(36).slice(2, 12)}`
    const madeIn = this.#machine.queueId
    const { writer } = this.#options
    const createdAt = this.#clock.now()
    const item = { localId, conversation, content, createdAt, madeIn, writer, isKeyed: true }
    this.#keep((all) => [...all, item])
    const entry = this.#add(item, false)
    this.#show()
    this.#startTimers(entry)
    void this.#call(entry)
    return localId
  }

  retry(localId: string): void {
    this.refresh()
    const entry = this.#entries.get(localId)
    if (!entry || entry.isCalling || entry.messageId !== undefined) return
    this.#change(entry, { state: 'waiting', problem: undefined })
    if (entry.refusal !== undefined) this.#keepChanged(entry, { refusal: undefined })
    this.#startTimers(entry)
    void this.#call(entry)
  }

  take(localId: string): Outgoing | undefined {
    this.refresh()
    const entry = this.#entries.get(localId)
    const message = this.messages.peek().find((one) => one.localId === localId)
    if (!entry || entry.messageId !== undefined) return undefined
    this.#settle(entry, 'taken')
    return message
  }

  /** Follows the changes of other windows to messages in the storage. */
  refresh(): void {
    const kept = new Set(this.#stored.read().map(({ localId }) => localId))
    for (const entry of [...this.#entries.values()]) {
      if (entry.isFound && !entry.isCalling && !kept.has(entry.localId)) this.#settle(entry, 'sent')
    }
  }

  stop(): void {
    this.#stopMessages()
    this.#stopFetches()
    this.#stopConnection()
    for (const { cancelTimers } of this.#entries.values())
      for (const cancel of cancelTimers) cancel()
  }

  #show(): void {
    this.messages.value = [...this.#entries.values()].map(
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
  #keep(change: (others: readonly StoredMessage[]) => readonly StoredMessage[]): void {
    this.#stored.write(change(this.#stored.read()))
  }

  #keepChanged(entry: OutboxEntry, changes: Partial<StoredMessage>): void {
    Object.assign(entry, changes)
    this.#keep((all) =>
      all.map((one) => (one.localId === entry.localId ? { ...one, ...changes } : one)),
    )
  }

  #change(entry: OutboxEntry, changes: Partial<Pick<OutboxEntry, 'state' | 'problem'>>): void {
    Object.assign(entry, changes)
    this.#show()
  }

  #settle(entry: OutboxEntry, outcome: 'sent' | 'taken'): void {
    if (!this.#entries.delete(entry.localId)) return
    for (const cancel of entry.cancelTimers) cancel()
    this.#keep((all) => all.filter(({ localId }) => localId !== entry.localId))
    this.#show()
    this.#options.onSettled?.(entry.localId, outcome)
  }

  #add(item: StoredMessage, isFound: boolean): OutboxEntry {
    // The events of that window's queue come here now, and tell whether the server has it.
    const isOurs = isFound && this.#isOfQueue(item)
    const isLost = isFound && !isOurs && !this.#mayTakeOver(item)
    const problem = item.refusal ?? (isLost ? this.#options.unknownOutcome : undefined)
    const entry: OutboxEntry = {
      ...item,
      isFound,
      isTakenOver: false,
      state: problem !== undefined ? 'failed' : isFound ? 'waiting' : 'hidden',
      problem,
      queueId: isOurs && item.isTried ? item.madeIn : undefined,
      messageId: undefined,
      isHeld: isFound && problem === undefined,
      isCalling: false,
      cancelTimers: [],
    }
    this.#entries.set(item.localId, entry)
    return entry
  }

  /** Whether only its window is gone, and it cannot be sent twice. */
  #mayTakeOver(message: StoredMessage): boolean {
    return message.writer !== undefined && this.#isRepeatable(message)
  }

  /** Never tried, it cannot be on the server; with a key that it knows, it would be found there. */
  #isRepeatable({ isTried, isKeyed, createdAt }: StoredMessage): boolean {
    return !isTried || (isKeyed === true && this.#clock.now() - createdAt < repeatable)
  }

  async #takeOver(entry: OutboxEntry): Promise<void> {
    const isOurs = await this.#options.takeOver(entry.writer ?? '')
    if (!this.#entries.has(entry.localId) || entry.state === 'failed') return
    entry.isTakenOver = entry.isHeld = isOurs
    if (isOurs) this.#releaseIfConnected()
    else this.#change(entry, { state: 'failed', problem: this.#options.unknownOutcome })
  }

  #isOfQueue({ madeIn }: StoredMessage): boolean {
    return madeIn !== undefined && madeIn === this.#machine.queueId
  }

  #startTimers(entry: OutboxEntry): void {
    for (const cancel of entry.cancelTimers) cancel()
    const becomes = (state: 'waiting' | 'slow', from: readonly Outgoing['state'][]) => () => {
      if (from.includes(entry.state)) this.#change(entry, { state })
    }
    entry.cancelTimers = [
      this.#clock.after(shownAfter, becomes('waiting', ['hidden'])),
      this.#clock.after(slowAfter, becomes('slow', ['hidden', 'waiting'])),
    ]
  }

  async #call(entry: OutboxEntry): Promise<void> {
    if (this.#machine.connection.peek().state !== 'connected') {
      entry.isHeld = true
      return
    }
    entry.isHeld = false
    entry.isCalling = true
    entry.queueId = this.#machine.queueId
    if (!entry.isTried) {
      const { writer } = this.#options
      this.#keepChanged(entry, { isTried: true, madeIn: this.#machine.queueId, writer })
    }
    try {
      const { id } = await this.#api.post<{ id: number }>('/messages', this.#wireMessage(entry))
      this.#received(entry, id)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (this.#entries.has(entry.localId)) this.#failed(entry, error)
    } finally {
      entry.isCalling = false
    }
  }

  #wireMessage({ conversation, content, localId, queueId, isKeyed }: OutboxEntry) {
    const place =
      conversation.kind === 'topic'
        ? { type: 'channel', to: conversation.channelId, topic: conversation.topic }
        : { type: 'direct', to: conversation.userIds }
    return {
      ...place,
      content,
      local_id: localId,
      queue_id: queueId,
      idempotency_key: isKeyed ? localId : undefined,
      read_by_sender: true,
    }
  }

  /** The server has it; its event takes the place of this one. */
  #received(entry: OutboxEntry, messageId: number): void {
    entry.messageId = messageId
    this.#keep((all) => all.filter(({ localId }) => localId !== entry.localId))
    if (this.#store.messages.has(messageId)) this.#settle(entry, 'sent')
    else entry.cancelTimers.push(this.#clock.after(echoTime, () => this.#settle(entry, 'sent')))
  }

  #failed(entry: OutboxEntry, error: CallError): void {
    const isYoung = this.#clock.now() - entry.createdAt < persistence
    if (error.status === 429 && isYoung) {
      entry.cancelTimers.push(
        this.#clock.after(Math.max(1, error.retryAfter ?? 1) * 1000, () => void this.#call(entry)),
      )
      return
    }
    if (!isPassing(error) || !isYoung) {
      const problem = tRefusal(error)
      // What is about the session, and not about the message, goes out after the next login.
      const isOfSession = error.status === 401 || error.code === 'CSRF_FAILED'
      if (!isPassing(error) && !isOfSession) this.#keepChanged(entry, { refusal: problem })
      this.#change(entry, { state: 'failed', problem })
      return
    }
    // The queue's next events show whether the server got it.
    entry.isHeld = true
    entry.cancelTimers.push(this.#clock.after(patience, () => this.#releaseIfConnected()))
  }

  /** Online again: sends the messages that waited, unless the server may have them already. */
  #release(): void {
    for (const entry of [...this.#entries.values()]) {
      if (!entry.isHeld || entry.isCalling || entry.state === 'failed') continue
      // Another window may be sending what it wrote, if this one has got a queue of its own.
      const isMine = !entry.isFound || entry.isTakenOver || this.#isOfQueue(entry)
      const isKnown = entry.queueId === undefined || entry.queueId === this.#machine.queueId
      if (isMine && (isKnown || this.#isRepeatable(entry))) {
        void this.#call(entry)
        continue
      }
      entry.isHeld = false
      if (this.#mayTakeOver(entry)) void this.#takeOver(entry)
      else {
        this.#change(entry, { state: 'failed', problem: this.#options.unknownOutcome })
      }
    }
  }

  #releaseIfConnected(): void {
    const isConnected = this.#machine.connection.peek().state === 'connected'
    if (isConnected && this.#machine.isCaughtUp.peek()) this.#release()
  }
}
