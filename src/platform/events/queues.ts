import { randomUUID } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import { ApiError } from '#platform/errors.ts'
import type { Term } from '#platform/events/types.ts'
import type { CredentialKind } from '#platform/http/caller.ts'
import { acknowledged, type Body, bodyOf, createBody, listJson } from './bodies.ts'
import { type QueueLimits, queueLimits } from './limits.ts'
import { createMemory, type QueueMemory } from './memory.ts'
import type {
  Audience,
  Capability,
  IncludeSubscribers,
  QueueTraits,
  QueueView,
  ServerEvent,
} from './types.ts'

/** The options a client registered a queue with. All of it survives a restart. */
export interface QueueRequest {
  readonly userId: number
  /** What the client logged in with; absent in queues that older versions saved. */
  readonly openedWith?: CredentialKind
  /** `Session.id`; absent unless a session opened it, and in queues that older versions saved. */
  readonly sessionId?: string
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
interface Poll {
  /** Replies once. @param events a JSON array */
  answer(events: string): void
  /** Replies that the queue no longer exists. */
  fail(error: ApiError): void
}

interface Parked extends Poll {
  stopTimer(): void
}

interface LiveQueue extends QueueView, QueueMemory {
  readonly request: QueueRequest
  /** The events that the client has not acknowledged; the last one has `lastEventId`. */
  readonly bodies: Body[]
  lastEventId: number
  parked: Parked | undefined
  /** When the client last polled, in milliseconds since the epoch. */
  lastContact: number
}

/** A queue as a clean shutdown stores it. */
export interface SavedQueue {
  id: string
  request: QueueRequest
  /** The unread events with their JSON, without its opening brace and ID. */
  entries: { id: number; body: string }[]
  lastEventId: number
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
   * that exceed the limits with it.
   */
  dispatch(event: ServerEvent, audience: Audience): void
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
  /**
   * Closes all queues of a user and fails their parked polls.
   *
   * @param openedWith closes only the queues that were opened with this kind of credential
   * @param sessionId of these, only those that this session opened
   */
  closeAllOf(userId: number, openedWith?: CredentialKind, sessionId?: string): void
  /** The IDs of the users who have a queue now. */
  liveUsers(): ReadonlySet<number>
  /** Answers every parked poll, and from now on each at once: the server is about to stop. */
  stopWaiting(): void
  /**
   * Ends the work of the queues and returns them for the next start: the lightest ones, as far as
   * their events fit into the limit. What is dispatched afterwards is lost.
   */
  shutDown(): SavedQueue[]
  /**
   * Opens saved queues again, except those whose narrow is no longer accepted.
   *
   * @returns the errors of those that could not be read: their clients register anew
   */
  restore(saved: readonly SavedQueue[]): unknown[]
}

export interface QueueOptions {
  readonly clock: Clock
  readonly heartbeatSeconds: number
  /** Compiles a queue's narrow into a filter for its message events. */
  matcher(request: QueueRequest): QueueView['narrow']
  readonly limits?: QueueLimits
}

/** How often to remove expired queues, in milliseconds. */
const sweepInterval = 60_000

const noEvents = '[]'

/**
 * Creates the in-memory event queues of a server.
 *
 * @source Zulip API, "Get events from an event queue"
 */
export function createQueues(options: QueueOptions): Queues {
  const { clock, limits = queueLimits } = options
  const byId = new Map<string, LiveQueue>()
  const memory = createMemory<LiveQueue>(limits)
  const users = new Set<number>()
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
      if (!queue.parked && idle > queue.request.lifespanSeconds * 1000) remove(queue)
    }
    stopSweeping = clock.after(sweepInterval, sweep)
  }

  function create({ id, request, lastEventId }: Omit<SavedQueue, 'entries'>): LiveQueue {
    const traits: QueueTraits = { ...request, capabilities: new Set(request.capabilities) }
    return {
      id,
      request,
      bodies: [],
      lastEventId,
      userId: request.userId,
      ownBytes: ownBytes(request),
      bytes: 0,
      traits,
      narrow: options.matcher(request),
      allPublicChannels: request.allPublicChannels,
      eventTypes: request.eventTypes && new Set(request.eventTypes),
      parked: undefined,
      lastContact: clock.elapsed(),
    }
  }

  function add(queue: LiveQueue): void {
    byId.set(queue.id, queue)
    memory.add(queue)
    users.add(queue.userId)
  }

  function remove(queue: LiveQueue): void {
    unpark(queue)?.fail(gone(queue.id))
    if (!byId.delete(queue.id)) return
    memory.remove(queue)
    queue.bodies.length = 0
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

  function restoreOne(saved: SavedQueue, known: Map<string, Body>): void {
    const queue = create(saved)
    add(queue)
    for (const { body: json } of saved.entries) {
      const body = known.get(json) ?? bodyOf(json)
      known.set(json, body)
      queue.bodies.push(body)
      memory.hold(queue, body)
    }
  }

  function access(userId: number, queueId: string): LiveQueue {
    const queue = byId.get(queueId)
    if (queue?.request.userId !== userId) throw gone(queueId)
    return queue
  }

  function push(queue: LiveQueue, body: Body): void {
    queue.lastEventId += 1
    queue.bodies.push(body)
    memory.hold(queue, body)
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
      push(queue, createBody({ type: 'heartbeat' }))
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

  return {
    open(request) {
      const queue = create({ id: `${request.userId}:${randomUUID()}`, request, lastEventId: -1 })
      makeRoom(request.userId)
      add(queue)
      closeExcess(queue)
      if (memory.isFull()) memory.relieve(remove)
      return queue
    },
    access,
    dispatch(event, audience) {
      const bodies = new Map<string, Body>()
      for (const queue of targets(audience)) {
        if (queue.eventTypes && !queue.eventTypes.has(event.type)) continue
        const key = 'variant' in event ? event.variant(queue) : ''
        if (key === undefined) continue
        let body = bodies.get(key)
        if (body === undefined) {
          body = createBody('variant' in event ? event.build(key, queue) : event)
          bodies.set(key, body)
        }
        push(queue, body)
        closeExcess(queue)
      }
      if (memory.isFull()) memory.relieve(remove)
    },
    read({ userId, id }, lastEventId) {
      const queue = access(userId, id)
      queue.lastContact = clock.elapsed()
      const read = acknowledged(queue, lastEventId)
      memory.release(queue, read)
      queue.bodies.splice(0, read)
      unpark(queue)?.answer(noEvents)
      return queue.bodies.length > 0 ? page(queue) : undefined
    },
    park: ({ userId, id }, poll) => park(access(userId, id), poll),
    close: ({ userId, id }) => remove(access(userId, id)),
    closeAllOf(userId, openedWith, sessionId) {
      for (const queue of memory.queuesOf(userId)) {
        const { request } = queue
        if (openedWith && (request.openedWith ?? openedWith) !== openedWith) continue
        if (sessionId && (request.sessionId ?? sessionId) !== sessionId) continue
        remove(queue)
      }
    },
    liveUsers: () => users,
    stopWaiting() {
      isStopping = true
      for (const queue of byId.values()) unpark(queue)?.answer(page(queue))
    },
    shutDown() {
      stopSweeping()
      return savedWithin([...byId.values()], limits.savedBytes)
    },
    restore(saved) {
      const known = new Map<string, Body>()
      const problems: unknown[] = []
      for (const queue of saved) {
        try {
          restoreOne(queue, known)
        } catch (error) {
          const opened = byId.get((queue as SavedQueue | null)?.id ?? '')
          if (opened) remove(opened)
          if (!(error instanceof ApiError)) problems.push(error)
        }
      }
      return problems
    },
  }
}

/** The lightest queues, in the form that is saved, as long as they fit into `most` bytes. */
function savedWithin(queues: LiveQueue[], most: number): SavedQueue[] {
  let room = most
  return queues
    .sort((a, b) => a.bytes - b.bytes)
    .filter(({ bytes }) => {
      room -= bytes
      return room >= 0
    })
    .map(({ id, request, bodies, lastEventId }) => ({
      id,
      request,
      entries: bodies.map(({ json }, i) => ({
        id: lastEventId - bodies.length + 1 + i,
        body: json,
      })),
      lastEventId,
    }))
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
