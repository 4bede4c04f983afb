import type { Clock } from '#platform/clock.ts'
import { ApiError } from '#platform/errors.ts'
import { type Body, messageIn } from './bodies.ts'
import type { Journal } from './journal.ts'
import type { QueueLimits } from './limits.ts'
import {
  getsMessages,
  isAway,
  type LiveQueue,
  type Poll,
  type QueueRequest,
  type Stream,
} from './live-queue.ts'
import { createMemory } from './memory.ts'
import type { Missed } from './missed.ts'
import { sharedWords } from './shared-words.ts'
import type { Capability, QueueTraits, QueueView } from './types.ts'

/** The queues that there are, within their limits, by ID and by user. */
export interface Registry {
  /** An empty queue that is not registered yet. @throws BAD_NARROW */
  create(
    asked: QueueRequest,
    known: Pick<LiveQueue, 'number' | 'id' | 'lastEventId' | 'acknowledgedId'>,
  ): LiveQueue
  /** Adds a queue, whose client counts as being there unless it `isAway`. */
  add(queue: LiveQueue): void
  /** Closes a queue, and fails what waits for its events. */
  remove(queue: LiveQueue): void
  all(): Iterable<LiveQueue>
  /** @throws BAD_EVENT_QUEUE_ID with `queue_id`: unknown, expired, or another user's */
  access(userId: number, queueId: string): LiveQueue
  queuesOf(userId: number): ReadonlySet<LiveQueue>
  /** The IDs of the users who have a queue. */
  readonly users: ReadonlySet<number>
  /** The IDs of the users who have a queue whose client is not away. */
  readonly attending: ReadonlySet<number>
  /** The queues of a user whose clients are not away. */
  attendedQueuesOf(userId: number): ReadonlySet<LiveQueue>
  /** Notes that a queue's client has come back or is away now, by `isAway`. */
  noteAttendance(queue: LiveQueue): void
  /** Adds an event that the client can get from now on. */
  hold(queue: LiveQueue, body: Body, id: number): void
  /** Counts a further event that a queue holds. */
  count(queue: LiveQueue, body: Body): void
  /** Removes the oldest events. */
  release(queue: LiveQueue, count: number): void
  /** Closes queues for a new one of this user. */
  makeRoom(userId: number): void
  /** Closes what exceeds a limit now that this queue has grown. */
  closeExcess(queue: LiveQueue): void
  /** Closes queues while all together exceed the limit. */
  relieve(): void
  bytes(): number
  /** Removes and returns what waits for events, and restarts the queue's lifespan. */
  unpark(queue: LiveQueue): Poll | Stream | undefined
  isListening(userId: number): boolean
  /** Restarts the time after which a queue's client is away, then silent, then gone. */
  noteContact(queue: LiveQueue): void
  /**
   * Notes which users are no longer reading along, and closes expired queues.
   *
   * @returns when there is more to do unless clients poll, in milliseconds of `Clock.elapsed`
   */
  sweep(): number
}

export interface RegistryOptions {
  readonly clock: Clock
  readonly limits: QueueLimits
  readonly missed: Missed | undefined
  matcher(request: QueueRequest): QueueView['narrow']
  onSilence?(userId: number, messageIds: readonly number[]): void
  /** Called when nothing waits for the events of a queue anymore. */
  onUnpark(queue: LiveQueue): void
  /** Called when a queue begins to wait for its client's next poll. */
  onContact(queue: LiveQueue): void
}

/** How long after its last poll a queue's client counts as online, in milliseconds. */
const onlineMilliseconds = 600_000

/** The most queues that fall silent at a time: what their users missed is looked up for each. */
const mostSilenced = 100

const none: ReadonlySet<never> = new Set<never>()

export function createRegistry(options: RegistryOptions, journal: Journal<LiveQueue>): Registry {
  const { clock, limits, missed } = options
  const byId = new Map<string, LiveQueue>()
  const memory = createMemory<LiveQueue>(limits, journal.freed)
  const users = new Set<number>()
  const attending = new Map<number, Set<LiveQueue>>()
  const attendingUsers = new Set<number>()
  const sharedCapabilities = sharedWords<Capability>()
  const sharedTypes = sharedWords<string>()

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
      slimPresence: asked.slimPresence,
      includeSubscribers: asked.includeSubscribers,
      capabilities: capabilities.set,
    }
    const { number, id, lastEventId, acknowledgedId } = known
    return {
      number,
      id,
      lastEventId,
      acknowledgedId,
      request,
      bodies: [],
      ids: [],
      stretches: [],
      ahead: [],
      waiting: { bodies: [], ids: [] },
      fixed: undefined,
      greeting: undefined,
      storedEventId: known.lastEventId,
      userId: request.userId,
      isOpen: false,
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

  function noteAttendance(queue: LiveQueue): void {
    const { userId } = queue
    const own = attending.get(userId)
    if (queue.isOpen && !isAway(queue)) {
      if (own) own.add(queue)
      else attending.set(userId, new Set([queue]))
      attendingUsers.add(userId)
    } else if (own?.delete(queue) && own.size === 0) {
      attending.delete(userId)
      attendingUsers.delete(userId)
    }
  }

  function remove(queue: LiveQueue): void {
    unpark(queue)?.fail(gone(queue.id))
    if (!byId.delete(queue.id)) return
    queue.isOpen = false
    journal.closed(queue)
    memory.remove(queue)
    noteAttendance(queue)
    if (queue.isOnline) silence(queue)
    queue.bodies.length = 0
    queue.ids.length = 0
    queue.waiting.bodies.length = 0
    queue.waiting.ids.length = 0
    queue.ahead = []
    if (memory.queuesOf(queue.userId).size === 0) users.delete(queue.userId)
  }

  function unpark(queue: LiveQueue): Poll | Stream | undefined {
    const { parked } = queue
    if (!parked) return undefined
    queue.parked = undefined
    noteContact(queue)
    options.onUnpark(queue)
    return parked
  }

  function noteContact(queue: LiveQueue): void {
    queue.lastContact = clock.elapsed()
    options.onContact(queue)
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
    if (!options.onSilence || isListening(queue.userId)) return
    const held = queue.bodies.flatMap((body) => messageIn(body) ?? [])
    const ahead = queue.ahead.flatMap(
      ({ after, until }) => missed?.listIds(queue, after, until ?? missed.newest()) ?? [],
    )
    const messageIds = [...held, ...ahead]
    if (messageIds.length > 0) options.onSilence(queue.userId, messageIds)
  }

  /** Otherwise the user would count as reading along again after a restart. */
  function noteSilence(queue: LiveQueue): void {
    const open = queue.stretches.at(-1)
    if (open?.until !== null) return
    queue.stretches = [...queue.stretches.slice(0, -1), { ...open, isSilent: true }]
    journal.changed(queue)
  }

  function relieve(): void {
    if (memory.isFull()) memory.relieve(remove)
  }

  return {
    create,
    add(queue) {
      byId.set(queue.id, queue)
      queue.isOpen = true
      memory.add(queue)
      users.add(queue.userId)
      noteAttendance(queue)
      options.onContact(queue)
    },
    remove,
    all: () => byId.values(),
    access(userId, queueId) {
      const queue = byId.get(queueId)
      if (queue?.request.userId !== userId) throw gone(queueId)
      return queue
    },
    queuesOf: memory.queuesOf,
    users,
    attending: attendingUsers,
    attendedQueuesOf: (userId) => attending.get(userId) ?? none,
    noteAttendance,
    hold(queue, body, id) {
      queue.bodies.push(body)
      queue.ids.push(id)
      memory.hold(queue, body)
    },
    count: memory.hold,
    release(queue, count) {
      memory.release(queue, queue.bodies.splice(0, count))
      queue.ids.splice(0, count)
    },
    makeRoom(userId) {
      const own = memory.queuesOf(userId)
      while (own.size >= limits.perUser) {
        const [first, ...others] = own
        if (!first) return
        remove(others.reduce((oldest, one) => (isIdler(one, oldest) ? one : oldest), first))
      }
    },
    closeExcess(queue) {
      for (let next = memory.excess(queue); next; next = memory.excess(queue)) {
        remove(next)
        if (next === queue) return
      }
    },
    relieve,
    bytes: memory.total,
    unpark,
    noteContact,
    isListening,
    sweep() {
      let silenced = 0
      let next = Number.POSITIVE_INFINITY
      for (const queue of byId.values()) {
        if (queue.parked) continue
        if (queue.isOnline && !isPolled(queue) && silenced < mostSilenced) {
          silenced += 1
          silence(queue)
          noteSilence(queue)
        }
        const expiry = queue.lastContact + queue.request.lifespanSeconds * 1000
        if (clock.elapsed() > expiry) remove(queue)
        else if (queue.isOnline)
          next = Math.min(next, queue.lastContact + onlineMilliseconds, expiry)
        else next = Math.min(next, expiry)
      }
      return next
    },
  }
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

export function gone(queueId: string): ApiError {
  return new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, {
    queue_id: queueId,
  })
}
