import { randomUUID } from 'node:crypto'
import type { Clock } from '#clock.ts'
import { ApiError } from '#errors.ts'
import type { Term } from '#narrow/types.ts'
import type {
  Audience,
  Capability,
  IncludeSubscribers,
  QueueTraits,
  QueueView,
  ServerEvent,
} from './types.ts'

/** What a client asked for when it registered. All of it survives a restart. */
export interface QueueRequest {
  readonly userId: number
  readonly client: string
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: IncludeSubscribers
  readonly capabilities: readonly Capability[]
  /** Null: events of every type. */
  readonly eventTypes: readonly string[] | null
  /** The narrow as the client sent it; empty: everything. */
  readonly narrow: readonly Term[]
  readonly allPublicChannels: boolean
  readonly lifespanSeconds: number
}

export interface Queue {
  readonly id: string
  readonly userId: number
  /** Id of the newest event in the queue's history; -1 when there was none. */
  readonly lastEventId: number
}

interface Entry {
  id: number
  /** The event as JSON without its opening brace and id; shared with other queues. */
  body: string
}

/** A request that waits for events: answered with a JSON array of them, once. */
interface Poll {
  answer(events: string): void
  /** The queue is gone. */
  fail(error: ApiError): void
}

interface Parked extends Poll {
  stopTimer(): void
}

interface LiveQueue extends QueueView {
  readonly userId: number
  readonly request: QueueRequest
  entries: Entry[]
  lastEventId: number
  parked: Parked | undefined
  /** When the client last showed itself, in milliseconds. */
  lastContact: number
}

/** A queue as a clean shutdown stores it. */
export interface SavedQueue {
  id: string
  request: QueueRequest
  entries: Entry[]
  lastEventId: number
}

export interface Queues {
  /** Opens an empty queue. Take the state snapshot in the same turn of the event loop. */
  open(request: QueueRequest): Queue
  /** @throws BAD_EVENT_QUEUE_ID with `queue_id`: unknown, expired, or another user's */
  access(userId: number, queueId: string): Queue
  /** Puts an event into every queue of its audience that asked for its type. */
  dispatch(event: ServerEvent, audience: Audience): void
  /**
   * The events after `lastEventId` as a JSON array, undefined when there is none; those up to it
   * are dropped for good. Answers a poll that is parked: a client has one at a time, so that the
   * earlier one is a connection that it gave up.
   */
  read(queue: Queue, lastEventId: number): string | undefined
  /**
   * Answers a poll with the queue's next events, or the heartbeat.
   *
   * @returns gives the poll up: it is not answered any more
   */
  park(queue: Queue, poll: Poll): () => void
  close(queue: Queue): void
  /** Ends all queues of a user at once, parked polls too. */
  closeAllOf(userId: number): void
  /** Users who have a queue now. */
  liveUsers(): ReadonlySet<number>
  /** Answers every parked poll and returns what the next start restores. */
  shutDown(): SavedQueue[]
  restore(saved: readonly SavedQueue[]): void
}

export interface QueueOptions {
  readonly clock: Clock
  readonly heartbeatSeconds: number
  /** Turns a queue's narrow into the filter of its message events. */
  matcher(request: QueueRequest): QueueView['narrow']
}

/** How often expired queues are looked for, in milliseconds. */
const sweepInterval = 60_000

const noEvents = '[]'

/**
 * The event queues of one process, in memory.
 *
 * @source contract, "Get events from an event queue"; design.md §4; clients.md §2
 */
export function createQueues(options: QueueOptions): Queues {
  const { clock } = options
  const byId = new Map<string, LiveQueue>()
  const byUser = new Map<number, Set<LiveQueue>>()
  const users = new Set<number>()
  /** Parked queues that got an event in this turn: answered together, so that a poll brings all. */
  let ready: Set<LiveQueue> | undefined
  let stopSweeping = clock.after(sweepInterval, sweep)

  function sweep(): void {
    for (const queue of byId.values()) {
      const idle = clock.now() - queue.lastContact
      if (!queue.parked && idle > queue.request.lifespanSeconds * 1000) remove(queue)
    }
    stopSweeping = clock.after(sweepInterval, sweep)
  }

  function add(saved: SavedQueue): LiveQueue {
    const { request } = saved
    const traits: QueueTraits = { ...request, capabilities: new Set(request.capabilities) }
    const queue: LiveQueue = {
      ...saved,
      userId: request.userId,
      traits,
      narrow: options.matcher(request),
      allPublicChannels: request.allPublicChannels,
      eventTypes: request.eventTypes && new Set(request.eventTypes),
      parked: undefined,
      lastContact: clock.now(),
    }
    byId.set(queue.id, queue)
    const own = byUser.get(request.userId) ?? new Set()
    byUser.set(request.userId, own.add(queue))
    users.add(request.userId)
    return queue
  }

  function remove(queue: LiveQueue): void {
    unpark(queue)?.fail(gone(queue.id))
    byId.delete(queue.id)
    const own = byUser.get(queue.request.userId)
    own?.delete(queue)
    if (own?.size === 0) {
      byUser.delete(queue.request.userId)
      users.delete(queue.request.userId)
    }
  }

  function access(userId: number, queueId: string): LiveQueue {
    const queue = byId.get(queueId)
    if (queue?.request.userId !== userId) throw gone(queueId)
    return queue
  }

  function push(queue: LiveQueue, body: string): void {
    queue.lastEventId += 1
    queue.entries.push({ id: queue.lastEventId, body })
    if (!queue.parked) return
    if (!ready) {
      ready = new Set()
      setImmediate(answerReady)
    }
    ready.add(queue)
  }

  function answerReady(): void {
    const queues = ready ?? []
    ready = undefined
    for (const queue of queues) unpark(queue)?.answer(listJson(queue.entries))
  }

  /** Takes the parked poll out; the queue counts as seen now. */
  function unpark(queue: LiveQueue): Parked | undefined {
    const { parked } = queue
    if (!parked) return undefined
    queue.parked = undefined
    queue.lastContact = clock.now()
    parked.stopTimer()
    return parked
  }

  function park(queue: LiveQueue, poll: Poll): () => void {
    unpark(queue)?.answer(noEvents)
    const stopTimer = clock.after(options.heartbeatSeconds * 1000, () => {
      push(queue, heartbeat)
      ready?.delete(queue)
      unpark(queue)?.answer(listJson(queue.entries))
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
      const own = byUser.get(userId)
      if (own && wanted(userId)) yield* own
    }
  }

  return {
    open: (request) =>
      add({ id: `${request.userId}:${randomUUID()}`, request, entries: [], lastEventId: -1 }),
    access,
    dispatch(event, audience) {
      const bodies = new Map<string, string>()
      for (const queue of targets(audience)) {
        if (queue.eventTypes && !queue.eventTypes.has(event.type)) continue
        const key = 'variant' in event ? event.variant(queue) : ''
        if (key === undefined) continue
        let body = bodies.get(key)
        if (body === undefined) {
          body = bodyJson('variant' in event ? event.build(key, queue) : event)
          bodies.set(key, body)
        }
        push(queue, body)
      }
    },
    read({ userId, id }, lastEventId) {
      const queue = access(userId, id)
      queue.lastContact = clock.now()
      dropAcknowledged(queue, lastEventId)
      unpark(queue)?.answer(noEvents)
      return queue.entries.length > 0 ? listJson(queue.entries) : undefined
    },
    park: ({ userId, id }, poll) => park(access(userId, id), poll),
    close: ({ userId, id }) => remove(access(userId, id)),
    closeAllOf(userId) {
      for (const queue of byUser.get(userId) ?? []) remove(queue)
    },
    liveUsers: () => users,
    shutDown() {
      stopSweeping()
      for (const queue of byId.values()) unpark(queue)?.answer(listJson(queue.entries))
      return [...byId.values()].map(({ id, request, entries, lastEventId }) => ({
        id,
        request,
        entries,
        lastEventId,
      }))
    },
    restore(saved) {
      for (const queue of saved) add(queue)
    },
  }
}

/** Acknowledged events never come again; an id from before the oldest one changes nothing. */
function dropAcknowledged(queue: LiveQueue, lastEventId: number): void {
  const first = queue.entries.findIndex(({ id }) => id > lastEventId)
  if (first < 0) queue.entries = []
  else if (first > 0) queue.entries = queue.entries.slice(first)
}

function gone(queueId: string): ApiError {
  return new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, {
    queue_id: queueId,
  })
}

function bodyJson(event: object): string {
  return JSON.stringify(event).slice(1)
}

const heartbeat = bodyJson({ type: 'heartbeat' })

function listJson(entries: readonly Entry[]): string {
  return `[${entries.map(({ id, body }) => `{"id":${id},${body}`).join(',')}]`
}
