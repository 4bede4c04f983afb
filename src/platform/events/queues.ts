import { randomUUID } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import { ApiError } from '#platform/errors.ts'
import type { Term } from '#platform/events/types.ts'
import type { CredentialKind } from '#platform/http/caller.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import { acknowledged, type Body, createBody, listJson, messageIn } from './bodies.ts'
import {
  type Journal,
  type JournalQueue,
  noJournal,
  type Placed,
  type StoredBody,
} from './journal.ts'
import { type QueueLimits, queueLimits } from './limits.ts'
import { createMemory, type QueueMemory } from './memory.ts'
import type { StoredQueue } from './queries.ts'
import { sharedWords } from './shared-words.ts'
import type {
  Audience,
  Capability,
  IncludeSubscribers,
  QueueTraits,
  QueueView,
  ServerEvent,
} from './types.ts'

/** What a queue was opened with, or a poll was made with. */
interface Access {
  /** Absent in queues that older versions saved. */
  readonly openedWith?: CredentialKind
  /** `Session.id`; absent unless it is a session, and in queues that older versions saved. */
  readonly sessionId?: string
}

/** The options a client registered a queue with. All of it survives a restart. */
export interface QueueRequest extends Access {
  readonly userId: number
  readonly client: string
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: IncludeSubscribers
  readonly capabilities: readonly Capability[]
  /** Null: events of every type. */
  readonly eventTypes: readonly string[] | null
  /** The narrow as the client sent it; empty: all messages. */
  readonly narrow: readonly Term[]
  readonly allPublicChannels: boolean
  readonly lifespanSeconds: number
}

export interface Queue {
  readonly id: string
  readonly userId: number
  /** The ID of the newest event so far; -1 if there was none. */
  readonly lastEventId: number
}

/** A request that waits for events. */
interface Poll extends Access {
  /** Replies once. @param events a JSON array */
  answer(events: string): void
  /** Replies that the queue no longer exists. */
  fail(error: ApiError): void
}

interface Parked extends Poll {
  stopTimer(): void
}

export interface LiveQueue extends QueueView, QueueMemory, JournalQueue {
  readonly request: QueueRequest
  readonly userId: number
  /** The events that the client has not acknowledged. */
  readonly bodies: Body[]
  readonly ids: number[]
  lastEventId: number
  acknowledgedId: number
  parked: Parked | undefined
  /** When the client last polled, in milliseconds since the epoch. */
  lastContact: number
  /** Whether its user counts as reading along in it: it gets messages, and was polled lately. */
  isOnline: boolean
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
   * Adds an event to every queue of its audience that asked for its type, and closes the queues
   * that exceed the limits with it. It does not survive the process: for what is out of date
   * within a minute. Events of a write are placed, recorded and delivered.
   */
  dispatch(event: ServerEvent, audience: Audience): void
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
   * and drops the older ones for good. Answers a parked poll with no events: a client polls one at a time,
   * so it has given up the earlier connection.
   */
  read(queue: Queue, lastEventId: number): string | undefined
  /**
   * Parks a poll until the queue's next events or the heartbeat. Call `read` first; what came since
   * then is the answer.
   *
   * @returns a function that cancels the poll without an answer
   */
  park(queue: Queue, poll: Poll): () => void
  close(queue: Queue): void
  /** Resolves once the queues that were opened and closed are so on disk. */
  stored(): Promise<void>
  /**
   * Closes all queues of a user with the write that calls it, and then fails their parked polls.
   *
   * @param openedWith closes only the queues that were opened with this kind of credential, and fails
   * the polls that were made with it, on any queue
   * @param sessionId of these, only those of this session
   */
  closeAllOf(tx: Tx, userId: number, openedWith?: CredentialKind, sessionId?: string): void
  /** The IDs of the users who have a queue now. */
  liveUsers(): ReadonlySet<number>
  /** How many queues there are and how many of them have a parked poll, and their memory. */
  size(): { readonly count: number; readonly parked: number; readonly bytes: number }
  /** Whether a user has a queue that gets messages and was polled in the last ten minutes. */
  isListening(userId: number): boolean
  /** Answers every parked poll, and from now on each at once: the server is about to stop. */
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

export interface QueueOptions {
  readonly clock: Clock
  readonly heartbeatSeconds: number
  /** Compiles a queue's narrow into a filter for its message events. */
  matcher(request: QueueRequest): QueueView['narrow']
  readonly limits?: QueueLimits
  /** Absent: queues last as long as the process. */
  readonly journal?: Journal<LiveQueue>
  /** Whether who opened a stored queue may still use it. */
  mayUse?(read: Read, request: QueueRequest): boolean
  /**
   * Called when the last queue of a user is no longer polled or is gone, in which the user was
   * reading along, with the messages in it that the client has not acknowledged.
   */
  onSilence?(userId: number, messageIds: readonly number[]): void
}

/** A form of an event and its IDs in the queues that get it. */
export type PlacedEvent = Placed<LiveQueue>

/**
 * After a crash, IDs go on this far beyond the newest one that was stored: more events than can
 * have come to a queue between two transactions.
 */
const leap = 1_000_000
/** A queue has its position stored at the latest after so many events that were not. */
const mostUnstored = 1000
/** Queues are not restored with larger IDs, which some clients keep in 32 bits. */
const largestId = 2 ** 31 - 1

/** How long after its last poll a queue's client counts as online, in milliseconds. */
const onlineMilliseconds = 600_000

/** How often to remove expired queues, in milliseconds. */
const sweepInterval = 60_000

const noEvents = '[]'

/**
 * Creates the in-memory event queues of a server.
 *
 * @source Zulip API, "Get events from an event queue"
 */
export function createQueues(options: QueueOptions): Queues {
  const { clock, limits = queueLimits, journal = noJournal<LiveQueue>() } = options
  const byId = new Map<string, LiveQueue>()
  const memory = createMemory<LiveQueue>(limits, journal.freed)
  const users = new Set<number>()
  const sharedCapabilities = sharedWords<Capability>()
  const sharedTypes = sharedWords<string>()
  /**
   * Parked queues that got an event in this turn of the event loop. They are answered together
   * after it, so that one poll returns all events of the turn.
   */
  let ready: Set<LiveQueue> | undefined
  let stopSweeping = clock.after(sweepInterval, sweep)
  let isStopping = false

  function sweep(): void {
    for (const queue of byId.values()) {
      const idle = clock.elapsed() - queue.lastContact
      if (queue.isOnline && !isPolled(queue)) silence(queue)
      if (!queue.parked && idle > queue.request.lifespanSeconds * 1000) remove(queue)
    }
    stopSweeping = clock.after(sweepInterval, sweep)
  }

  function create(
    asked: QueueRequest,
    known: Pick<LiveQueue, 'number' | 'id' | 'lastEventId' | 'acknowledgedId'>,
  ): LiveQueue {
    const capabilities = sharedCapabilities(asked.capabilities)
    const eventTypes = asked.eventTypes && sharedTypes(asked.eventTypes)
    const request: QueueRequest = {
      ...asked,
      capabilities: capabilities.list,
      eventTypes: eventTypes?.list ?? null,
    }
    const traits: QueueTraits = {
      userId: asked.userId,
      applyMarkdown: asked.applyMarkdown,
      clientGravatar: asked.clientGravatar,
      slimPresence: asked.slimPresence,
      includeSubscribers: asked.includeSubscribers,
      capabilities: capabilities.set,
    }
    return {
      ...known,
      request,
      bodies: [],
      ids: [],
      storedEventId: known.lastEventId,
      userId: request.userId,
      ownBytes: ownBytes(request),
      bytes: 0,
      traits,
      narrow: options.matcher(request),
      allPublicChannels: request.allPublicChannels,
      eventTypes: eventTypes?.set ?? null,
      parked: undefined,
      lastContact: clock.elapsed(),
      isOnline: getsMessages(request),
    }
  }

  function isPolled({ parked, lastContact }: LiveQueue): boolean {
    return parked !== undefined || clock.elapsed() - lastContact <= onlineMilliseconds
  }

  function isListening(userId: number): boolean {
    for (const queue of memory.queuesOf(userId)) if (queue.isOnline && isPolled(queue)) return true
    return false
  }

  function silence(queue: LiveQueue): void {
    queue.isOnline = false
    if (isListening(queue.userId)) return
    const messageIds = queue.bodies.flatMap((body) => messageIn(body) ?? [])
    if (messageIds.length > 0) options.onSilence?.(queue.userId, messageIds)
  }

  function add(queue: LiveQueue): void {
    byId.set(queue.id, queue)
    memory.add(queue)
    users.add(queue.userId)
  }

  function remove(queue: LiveQueue): void {
    unpark(queue)?.fail(gone(queue.id))
    if (!byId.delete(queue.id)) return
    journal.closed(queue)
    memory.remove(queue)
    if (queue.isOnline) silence(queue)
    queue.bodies.length = 0
    queue.ids.length = 0
    if (memory.queuesOf(queue.userId).size === 0) users.delete(queue.userId)
  }

  /** Closes queues for a new one of this user. */
  function makeRoom(userId: number): void {
    const own = memory.queuesOf(userId)
    while (own.size >= limits.perUser) {
      const [first, ...others] = own
      if (!first) return
      remove(others.reduce((oldest, one) => (isIdler(one, oldest) ? one : oldest), first))
    }
  }

  function closeExcess(queue: LiveQueue): void {
    for (let next = memory.excess(queue); next; next = memory.excess(queue)) {
      remove(next)
      if (next === queue) return
    }
  }

  /** @throws ApiError the narrow; Error the row is malformed */
  function restoreQueue(tx: Tx, row: StoredQueue): LiveQueue | undefined {
    const request: QueueRequest = JSON.parse(row.request)
    const isGone = row.lastEventId > largestId || options.mayUse?.(tx, request) === false
    return isGone ? undefined : create(request, row)
  }

  /** Puts a stored event into the queues that have not acknowledged it. */
  function restoreEvent(
    { body, places }: StoredBody,
    restored: ReadonlyMap<number, LiveQueue>,
  ): void {
    for (const { number, id } of places) {
      const queue = restored.get(number)
      if (!queue) continue
      queue.lastEventId = Math.max(queue.lastEventId, id)
      if (id > queue.acknowledgedId) hold(queue, body, id)
    }
    if (body.holders === 0) journal.freed(body)
  }

  function access(userId: number, queueId: string): LiveQueue {
    const queue = byId.get(queueId)
    if (queue?.request.userId !== userId) throw gone(queueId)
    return queue
  }

  function nextId(queue: LiveQueue): number {
    queue.lastEventId += 1
    if (queue.lastEventId - queue.storedEventId >= mostUnstored) journal.advanced(queue, 0)
    return queue.lastEventId
  }

  function hold(queue: LiveQueue, body: Body, id: number): void {
    queue.bodies.push(body)
    queue.ids.push(id)
    memory.hold(queue, body)
  }

  function push(queue: LiveQueue, body: Body, id: number): void {
    hold(queue, body, id)
    if (!queue.parked) return
    if (!ready) {
      ready = new Set()
      setImmediate(answerReady)
    }
    ready.add(queue)
  }

  const page = (queue: LiveQueue) => listJson(queue, limits.answerBytes)

  function answerReady(): void {
    const queues = ready ?? []
    ready = undefined
    for (const queue of queues) unpark(queue)?.answer(page(queue))
  }

  /** Removes and returns the parked poll, and restarts the queue's lifespan. */
  function unpark(queue: LiveQueue): Parked | undefined {
    const { parked } = queue
    if (!parked) return undefined
    queue.parked = undefined
    queue.lastContact = clock.elapsed()
    parked.stopTimer()
    return parked
  }

  function park(queue: LiveQueue, poll: Poll): () => void {
    unpark(queue)?.answer(noEvents)
    // Events may have come since the poll was read.
    if (isStopping || queue.bodies.length > 0) {
      poll.answer(page(queue))
      return () => {}
    }
    const stopTimer = clock.after(options.heartbeatSeconds * 1000, () => {
      push(queue, createBody({ type: 'heartbeat' }), nextId(queue))
      ready?.delete(queue)
      unpark(queue)?.answer(page(queue))
    })
    const parked: Parked = { ...poll, stopTimer }
    queue.parked = parked
    return () => {
      if (queue.parked === parked) unpark(queue)
    }
  }

  function targets(audience: Audience): Iterable<LiveQueue> {
    if (typeof audience === 'function') return someQueues(users, audience)
    return someQueues(audience, () => true)
  }

  function* someQueues(userIds: Iterable<number>, wanted: (userId: number) => boolean) {
    for (const userId of userIds) {
      const own = memory.queuesOf(userId)
      if (own.size > 0 && wanted(userId)) yield* own
    }
  }

  function place(event: ServerEvent, audience: Audience): PlacedEvent[] {
    const forms = new Map<string, PlacedEvent>()
    for (const queue of targets(audience)) {
      if (queue.eventTypes && !queue.eventTypes.has(event.type)) continue
      const key = 'variant' in event ? event.variant(queue) : ''
      if (key === undefined) continue
      let form = forms.get(key)
      if (form === undefined) {
        const body = createBody('variant' in event ? event.build(key, queue) : event)
        form = { body, places: [] }
        forms.set(key, form)
      }
      form.places.push({ queue, id: nextId(queue) })
    }
    return [...forms.values()]
  }

  function deliver(placed: readonly PlacedEvent[]): void {
    for (const { body, places } of placed) {
      for (const { queue, id } of places) {
        if (byId.get(queue.id) !== queue) continue
        push(queue, body, id)
        closeExcess(queue)
      }
      if (body.holders === 0) journal.freed(body)
    }
    if (memory.isFull()) memory.relieve(remove)
  }

  return {
    open(request) {
      const queue = create(request, {
        number: journal.nextNumber(),
        id: `${request.userId}:${randomUUID()}`,
        lastEventId: -1,
        acknowledgedId: -1,
      })
      makeRoom(request.userId)
      add(queue)
      journal.opened(queue)
      closeExcess(queue)
      if (memory.isFull()) memory.relieve(remove)
      return queue
    },
    access,
    dispatch: (event, audience) => deliver(place(event, audience)),
    place,
    record: journal.record,
    deliver,
    read({ userId, id }, lastEventId) {
      const queue = access(userId, id)
      queue.lastContact = clock.elapsed()
      queue.isOnline = getsMessages(queue.request)
      const read = acknowledged(queue, lastEventId)
      if (read > 0) {
        queue.acknowledgedId = queue.ids[read - 1] ?? queue.acknowledgedId
        const stored = queue.bodies.slice(0, read).filter(({ row }) => row > 0)
        if (stored.length > 0) journal.advanced(queue, sumOf(stored))
        memory.release(queue, read)
        queue.bodies.splice(0, read)
        queue.ids.splice(0, read)
      }
      unpark(queue)?.answer(noEvents)
      return queue.bodies.length > 0 ? page(queue) : undefined
    },
    park: ({ userId, id }, poll) => park(access(userId, id), poll),
    close: ({ userId, id }) => remove(access(userId, id)),
    stored: journal.flush,
    closeAllOf(tx, userId, openedWith, sessionId) {
      const isLost = (access: Access) =>
        (!openedWith || (access.openedWith ?? openedWith) === openedWith) &&
        (!sessionId || (access.sessionId ?? sessionId) === sessionId)
      for (const queue of memory.queuesOf(userId)) {
        if (isLost(queue.request)) {
          journal.forget(tx, queue)
          tx.afterCommit(() => remove(queue))
        } else {
          tx.afterCommit(() => {
            if (queue.parked && isLost(queue.parked)) unpark(queue)?.fail(gone(queue.id))
          })
        }
      }
    },
    liveUsers: () => users,
    size() {
      let parked = 0
      for (const queue of byId.values()) if (queue.parked) parked += 1
      return { count: byId.size, parked, bytes: memory.total() }
    },
    isListening,
    stopWaiting() {
      isStopping = true
      for (const queue of byId.values()) unpark(queue)?.answer(page(queue))
    },
    shutDown() {
      stopSweeping()
      journal.stop()
    },
    recordEnd: (tx) => journal.recordEnd(tx, byId.values()),
    restore(tx) {
      const { queues, events } = journal.load(tx)
      const restored = new Map<number, LiveQueue>()
      const problems: unknown[] = []
      for (const row of queues) {
        journal.forget(tx, row)
        try {
          const queue = restoreQueue(tx, row)
          if (!queue) continue
          add(queue)
          restored.set(row.number, queue)
        } catch (error) {
          if (!(error instanceof ApiError)) problems.push(error)
        }
      }
      const isExact = new Map(queues.map((row) => [row.number, row.isExact]))
      for (const event of events) restoreEvent(event, restored)
      for (const queue of restored.values()) {
        if (!isExact.get(queue.number)) queue.lastEventId += leap
        journal.opened(queue)
      }
      if (memory.isFull()) memory.relieve(remove)
      return problems
    },
  }
}

function sumOf(bodies: readonly Body[]): number {
  return bodies.reduce((sum, { bytes }) => sum + bytes, 0)
}

function getsMessages({ eventTypes }: QueueRequest): boolean {
  return eventTypes === null || eventTypes.includes('message')
}

/** Whether to close `one` before `other`: the least recently polled first, parked queues last. */
function isIdler(one: LiveQueue, other: LiveQueue): boolean {
  if (!one.parked !== !other.parked) return !one.parked
  return one.lastContact < other.lastContact
}

/**
 * An estimate of a queue's memory without events, in bytes: a fixed part, and its request as
 * UTF-16.
 */
function ownBytes(request: QueueRequest): number {
  return 2048 + 2 * JSON.stringify(request).length
}

function gone(queueId: string): ApiError {
  return new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, {
    queue_id: queueId,
  })
}
