import { randomUUID } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import type { CredentialKind } from '#platform/http/credential.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type Away, awayAfter, createAway } from './away.ts'
import { type Journal, noJournal } from './journal.ts'
import { type QueueLimits, queueLimits } from './limits.ts'
import {
  type Access,
  isAway,
  type LiveQueue,
  type Poll,
  type QueueRequest,
  type Reader,
} from './live-queue.ts'
import type { MissedLookup } from './missed.ts'
import { createPlacing, type PlacedEvent, type Placing } from './placing.ts'
import { createPolling, type Polling, type StreamControl } from './polling.ts'
import { createRegistry, gone, type Registry } from './registry.ts'
import { restoreQueues } from './restoring.ts'
import { createSweeping, type Sweeping } from './sweeping.ts'
import type { Audience, QueueView, ServerEvent } from './types.ts'

export type { LiveQueue, QueueRequest } from './live-queue.ts'
export type { PlacedEvent } from './placing.ts'

export interface Queue {
  readonly id: string
  readonly userId: number
  /** The ID of the newest event so far; -1 if there was none. */
  readonly lastEventId: number
}

export interface Queues {
  /**
   * Opens an empty queue. Take the state snapshot in the same turn of the event loop. If the
   * account has too many queues, closes the least recently polled one.
   */
  open(request: QueueRequest): Queue
  /** @throws BAD_EVENT_QUEUE_ID with `queue_id`: unknown, expired, or another user's */
  access(userId: number, queueId: string): Queue
  /**
   * Adds an event to the queues of its audience that asked for its type and whose clients are
   * there, and closes the queues that exceed the limits with it. It does not survive the process:
   * use it only for events that are out of date within a minute. Events of a write are placed,
   * recorded and delivered.
   */
  dispatch(event: ServerEvent, audience: Audience): void
  /** The same for everyone; clients that are away get it when they come back. */
  greet(event: ServerEvent): void
  /** Decides which queues get an event, in which forms, and reserves its IDs there. */
  place(event: ServerEvent, audience: Audience): PlacedEvent[]
  /**
   * Stores placed events and all that has changed in queues, inside the transaction of the writes.
   *
   * @returns a function to call once that is on disk
   */
  record(read: Read, placed: readonly PlacedEvent[]): () => void
  /** Adds placed events to their queues, as far as those are still open. */
  deliver(placed: readonly PlacedEvent[]): void
  /**
   * Returns the first events after `lastEventId` as a JSON array, or undefined if there are none,
   * and drops the older ones for good. Ends an earlier waiting request, a poll without events: a
   * client has one at a time, so it has given up the earlier connection.
   *
   * @param lastEventId the newest event that the client has; -1: it does not say
   * @throws BAD_EVENT_QUEUE_ID the queue never had that event, or has dropped later ones: the
   *   client, or the server, has gone back to an earlier state, and would miss events
   */
  read(queue: Queue, lastEventId: number): string | undefined
  /**
   * Parks a poll until the queue's next events or the heartbeat. Call `read` first; what came since
   * then is the answer.
   *
   * @returns a function that cancels the poll without an answer
   */
  park(queue: Queue, poll: Poll): () => void
  /**
   * Sends the events of a queue as they come, those that it holds first. Call `read` first. It ends
   * if its client has acknowledged nothing for long, or has to ask again for what it missed.
   *
   * @param lastEventId as for `read`
   */
  follow(queue: Queue, lastEventId: number, reader: Reader): StreamControl
  /** Drops the events up to an ID for good, as `read` does. @throws as `read` */
  acknowledge(queue: Queue, lastEventId: number): void
  close(queue: Queue): void
  /** Counts the client of a queue as being there, if the user has that queue. */
  attend(userId: number, queueId: string): void
  /** Resolves once all opened and closed queues are stored as such. */
  stored(): Promise<void>
  /**
   * Closes all queues of a user in the write that calls it, and then fails the requests that wait
   * for their events.
   *
   * @param openedWith closes only the queues that were opened with this kind of credential, and
   *   fails the waiting requests that were made with it, on any queue
   * @param sessionId only for this session
   */
  closeAllOf(tx: Tx, userId: number, openedWith?: CredentialKind, sessionId?: string): void
  /** The IDs of the users who have a queue now. */
  liveUsers(): ReadonlySet<number>
  /**
   * The users among these whom an event may reach: new messages reach only those who are not away.
   */
  reachedBy(event: ServerEvent): ReadonlySet<number>
  /** The number of queues, those whose client is away or waits, and their memory. */
  size(): QueuesSize
  /** Whether a user has a queue that gets messages and was polled in the last ten minutes. */
  isListening(userId: number): boolean
  /**
   * Ends every waiting request, and from now on every new one immediately: the server is about to stop.
   */
  stopWaiting(): void
  /** Ends the work of the queues. What changes in them afterwards is lost with the process. */
  shutDown(): void
  /** Stores the queues as they are, as the last thing before a shutdown. */
  recordEnd(tx: Tx): void
  /**
   * Opens the stored queues again, except those whose narrow is no longer accepted.
   *
   * @returns the errors of those that could not be read: their clients register anew
   */
  restore(tx: Tx): unknown[]
}

interface QueuesSize {
  readonly count: number
  readonly away: number
  readonly parked: number
  readonly bytes: number
}

export interface QueueOptions {
  readonly clock: Clock
  readonly heartbeatSeconds: number
  /** Compiles a queue's narrow into a filter for its message events. */
  matcher(request: QueueRequest): QueueView['narrow']
  /** Looks up what clients missed; absent: no client counts as away. */
  readonly missed?: MissedLookup
  readonly limits?: QueueLimits
  /** Absent: queues last as long as the process. */
  readonly journal?: Journal<LiveQueue>
  /** Whether the account that opened a stored queue may still use it. */
  mayUse?(read: Read, request: QueueRequest): boolean
  /**
   * Called when the last queue in which a user was reading along is no longer polled or is gone,
   * with the messages in it that the client has not acknowledged.
   */
  onSilence?(userId: number, messageIds: readonly number[]): void
}

/**
 * Creates the event queues of a server.
 *
 * @source Zulip API, "Get events from an event queue"
 */
export function createQueues(options: QueueOptions): Queues {
  return new EventQueues(options)
}

class EventQueues implements Queues {
  readonly #options: QueueOptions
  readonly #journal: Journal<LiveQueue>
  readonly #sweeping: Sweeping
  readonly #registry: Registry
  readonly #away: Away
  readonly #placing: Placing
  readonly #polling: Polling

  constructor(options: QueueOptions) {
    this.#options = options
    const { clock, limits = queueLimits, journal = noJournal<LiveQueue>(), missed } = options
    this.#journal = journal
    this.#sweeping = createSweeping(clock, () =>
      Math.min(this.#registry.sweep(), this.#away.leave()),
    )
    this.#registry = createRegistry(
      {
        ...options,
        limits,
        missed,
        onUnpark: (queue) => this.#onUnpark(queue),
        onContact: (queue) => this.#onContact(queue),
      },
      this.#journal,
    )
    this.#away = createAway(clock, this.#registry, this.#journal, missed)
    this.#placing = createPlacing(this.#registry, this.#away, this.#journal, (...event) =>
      this.#polling.push(...event),
    )
    this.#polling = createPolling(
      { ...options, replyBytes: limits.replyBytes },
      this.#registry,
      this.#away,
      this.#journal,
      this.#placing.nextId,
    )
  }

  open(request: QueueRequest): Queue {
    const queue = this.#registry.create(request, {
      number: this.#journal.nextNumber(),
      id: `${request.userId}-${randomUUID()}`,
      lastEventId: -1,
      acknowledgedId: -1,
    })
    this.#registry.makeRoom(request.userId)
    this.#registry.add(queue)
    this.#journal.opened(queue)
    this.#registry.closeExcess(queue)
    this.#registry.relieve()
    return queue
  }

  access(userId: number, queueId: string): LiveQueue {
    return this.#registry.access(userId, queueId)
  }

  dispatch(event: ServerEvent, audience: Audience): void {
    this.#placing.deliver(this.#placing.placePassing(event, audience))
  }

  greet(event: ServerEvent): void {
    for (const queue of this.#registry.all()) {
      const isWanted = !queue.eventTypes || queue.eventTypes.has(event.type)
      if (isWanted && isAway(queue)) queue.greeting = event
    }
    this.#placing.deliver(this.#placing.placePassing(event, () => true))
  }

  place(event: ServerEvent, audience: Audience): PlacedEvent[] {
    return this.#placing.place(event, audience)
  }

  record(read: Read, placed: readonly PlacedEvent[]): () => void {
    return this.#journal.record(read, placed)
  }

  deliver(placed: readonly PlacedEvent[]): void {
    this.#placing.deliver(placed)
  }

  read({ userId, id }: Queue, lastEventId: number): string | undefined {
    return this.#polling.read(this.access(userId, id), lastEventId)
  }

  park({ userId, id }: Queue, poll: Poll): () => void {
    return this.#polling.park(this.access(userId, id), poll)
  }

  follow({ userId, id }: Queue, lastEventId: number, reader: Reader): StreamControl {
    return this.#polling.follow(this.access(userId, id), lastEventId, reader)
  }

  acknowledge({ userId, id }: Queue, lastEventId: number): void {
    this.#polling.acknowledge(this.access(userId, id), lastEventId)
  }

  close({ userId, id }: Queue): void {
    this.#registry.remove(this.access(userId, id))
  }

  attend(userId: number, queueId: string): void {
    for (const queue of this.#registry.queuesOf(userId)) {
      if (queue.id !== queueId) continue
      this.#registry.noteContact(queue)
      this.#away.catchUpWholly(queue)
    }
  }

  stored(): Promise<void> {
    return this.#journal.flush()
  }

  isListening(userId: number): boolean {
    return this.#registry.isListening(userId)
  }

  stopWaiting(): void {
    this.#polling.stopWaiting()
  }

  closeAllOf(tx: Tx, userId: number, openedWith?: CredentialKind, sessionId?: string): void {
    const isLost = (access: Access) =>
      (!openedWith || (access.openedWith ?? openedWith) === openedWith) &&
      (!sessionId || (access.sessionId ?? sessionId) === sessionId)
    for (const queue of this.#registry.queuesOf(userId)) {
      if (isLost(queue.request)) {
        this.#journal.forget(tx, queue)
        tx.afterCommit(() => this.#registry.remove(queue))
      } else {
        tx.afterCommit(() => {
          if (queue.parked && isLost(queue.parked))
            this.#registry.unpark(queue)?.fail(gone(queue.id))
        })
      }
    }
  }

  liveUsers(): ReadonlySet<number> {
    return this.#registry.users
  }

  reachedBy(event: ServerEvent): ReadonlySet<number> {
    return 'newMessage' in event && event.newMessage !== undefined
      ? this.#registry.attending
      : this.#registry.users
  }

  size(): QueuesSize {
    const size = { count: 0, away: 0, parked: 0 }
    for (const queue of this.#registry.all()) {
      size.count += 1
      if (isAway(queue)) size.away += 1
      if (queue.parked) size.parked += 1
    }
    return { ...size, bytes: this.#registry.bytes() }
  }

  shutDown(): void {
    this.#sweeping.stop()
    this.#journal.stop()
  }

  recordEnd(tx: Tx): void {
    const all = [...this.#registry.all()]
    this.#journal.recordEnd(
      tx,
      all.filter((queue) => !isAway(queue) || this.#journal.isBehind(queue)),
    )
  }

  restore(tx: Tx): unknown[] {
    return restoreQueues(
      tx,
      this.#registry,
      this.#away,
      this.#journal,
      (...asked) => this.#options.mayUse?.(...asked) ?? true,
    )
  }

  #onUnpark(queue: LiveQueue) {
    this.#polling.unparked(queue)
  }

  #onContact({ request }: LiveQueue) {
    this.#sweeping.noteContact(Math.min(awayAfter, request.lifespanSeconds * 1000))
  }
}
