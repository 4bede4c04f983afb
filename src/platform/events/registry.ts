import type { Clock } from '#platform/clock.ts'
import { ApiError } from '#platform/errors.ts'
import { sentSentence } from '#translations/translate.ts'
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
import { createMemory, type Memory } from './memory.ts'
import type { MissedLookup } from './missed.ts'
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
  readonly missed: MissedLookup | undefined
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
  return new QueueRegistry(options, journal)
}

class QueueRegistry implements Registry {
  readonly #options: RegistryOptions
  readonly #journal: Journal<LiveQueue>
  readonly #clock: Clock
  readonly #limits: QueueLimits
  readonly #missed: MissedLookup | undefined
  readonly #byId = new Map<string, LiveQueue>()
  readonly #memory: Memory<LiveQueue>
  readonly users = new Set<number>()
  readonly #attending = new Map<number, Set<LiveQueue>>()
  readonly attending = new Set<number>()
  readonly #sharedCapabilities = sharedWords<Capability>()
  readonly #sharedTypes = sharedWords<string>()
  readonly queuesOf: (userId: number) => ReadonlySet<LiveQueue>
  readonly count: (queue: LiveQueue, body: Body) => void
  readonly bytes: () => number

  constructor(options: RegistryOptions, journal: Journal<LiveQueue>) {
    this.#options = options
    this.#journal = journal
    const { clock, limits, missed } = options
    this.#clock = clock
    this.#limits = limits
    this.#missed = missed
    this.#memory = createMemory<LiveQueue>(this.#limits, (body) => journal.freed(body))
    this.queuesOf = this.#memory.queuesOf
    this.count = this.#memory.hold
    this.bytes = this.#memory.total
  }

  create(
    asked: QueueRequest,
    known: Pick<LiveQueue, 'number' | 'id' | 'lastEventId' | 'acknowledgedId'>,
  ): LiveQueue {
    const capabilities = this.#sharedCapabilities(asked.capabilities)
    const eventTypes = asked.eventTypes && this.#sharedTypes(asked.eventTypes)
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
      narrow: this.#options.matcher(request),
      allPublicChannels: request.allPublicChannels,
      eventTypes: eventTypes?.set ?? null,
      parked: undefined,
      lastContact: this.#clock.elapsed(),
      isOnline: getsMessages(request),
    }
  }

  add(queue: LiveQueue): void {
    this.#byId.set(queue.id, queue)
    queue.isOpen = true
    this.#memory.add(queue)
    this.users.add(queue.userId)
    this.noteAttendance(queue)
    this.#options.onContact(queue)
  }

  remove(queue: LiveQueue): void {
    this.unpark(queue)?.fail(gone(queue.id))
    if (!this.#byId.delete(queue.id)) return
    queue.isOpen = false
    this.#journal.closed(queue)
    this.#memory.remove(queue)
    this.noteAttendance(queue)
    if (queue.isOnline) this.#silence(queue)
    queue.bodies.length = 0
    queue.ids.length = 0
    queue.waiting.bodies.length = 0
    queue.waiting.ids.length = 0
    queue.ahead = []
    if (this.#memory.queuesOf(queue.userId).size === 0) this.users.delete(queue.userId)
  }

  all(): Iterable<LiveQueue> {
    return this.#byId.values()
  }

  access(userId: number, queueId: string): LiveQueue {
    const queue = this.#byId.get(queueId)
    if (queue?.request.userId !== userId) throw gone(queueId)
    return queue
  }

  attendedQueuesOf(userId: number): ReadonlySet<LiveQueue> {
    return this.#attending.get(userId) ?? none
  }

  noteAttendance(queue: LiveQueue): void {
    const { userId } = queue
    const own = this.#attending.get(userId)
    if (queue.isOpen && !isAway(queue)) {
      if (own) own.add(queue)
      else this.#attending.set(userId, new Set([queue]))
      this.attending.add(userId)
    } else if (own?.delete(queue) && own.size === 0) {
      this.#attending.delete(userId)
      this.attending.delete(userId)
    }
  }

  hold(queue: LiveQueue, body: Body, id: number): void {
    queue.bodies.push(body)
    queue.ids.push(id)
    this.#memory.hold(queue, body)
  }

  release(queue: LiveQueue, count: number): void {
    this.#memory.release(queue, queue.bodies.splice(0, count))
    queue.ids.splice(0, count)
  }

  makeRoom(userId: number): void {
    const own = this.#memory.queuesOf(userId)
    while (own.size >= this.#limits.perUser) {
      const [first, ...others] = own
      if (!first) return
      this.remove(others.reduce((oldest, one) => (isIdler(one, oldest) ? one : oldest), first))
    }
  }

  closeExcess(queue: LiveQueue): void {
    for (let next = this.#memory.excess(queue); next; next = this.#memory.excess(queue)) {
      this.remove(next)
      if (next === queue) return
    }
  }

  relieve(): void {
    if (this.#memory.isFull()) this.#memory.relieve((queue) => this.remove(queue))
  }

  unpark(queue: LiveQueue): Poll | Stream | undefined {
    const { parked } = queue
    if (!parked) return undefined
    queue.parked = undefined
    this.noteContact(queue)
    this.#options.onUnpark(queue)
    return parked
  }

  noteContact(queue: LiveQueue): void {
    queue.lastContact = this.#clock.elapsed()
    this.#options.onContact(queue)
  }

  isListening(userId: number): boolean {
    for (const queue of this.#memory.queuesOf(userId))
      if (queue.isOnline && this.#isPolled(queue)) return true
    return false
  }

  sweep(): number {
    let silenced = 0
    let next = Number.POSITIVE_INFINITY
    for (const queue of this.#byId.values()) {
      if (queue.parked) continue
      if (queue.isOnline && !this.#isPolled(queue) && silenced < mostSilenced) {
        silenced += 1
        this.#silence(queue)
        this.#noteSilence(queue)
      }
      const expiry = queue.lastContact + queue.request.lifespanSeconds * 1000
      if (this.#clock.elapsed() > expiry) this.remove(queue)
      else if (queue.isOnline) next = Math.min(next, queue.lastContact + onlineMilliseconds, expiry)
      else next = Math.min(next, expiry)
    }
    return next
  }

  #isPolled({ parked, lastContact }: LiveQueue): boolean {
    return parked !== undefined || this.#clock.elapsed() - lastContact <= onlineMilliseconds
  }

  #silence(queue: LiveQueue): void {
    queue.isOnline = false
    if (!this.#options.onSilence || this.isListening(queue.userId)) return
    const held = queue.bodies.flatMap((body) => messageIn(body) ?? [])
    const ahead = queue.ahead.flatMap(
      ({ after, until }) =>
        this.#missed?.listIds(queue, after, until ?? this.#missed.newest()) ?? [],
    )
    const messageIds = [...held, ...ahead]
    if (messageIds.length > 0) this.#options.onSilence(queue.userId, messageIds)
  }

  /** Otherwise the user would count as reading along again after a restart. */
  #noteSilence(queue: LiveQueue): void {
    const open = queue.stretches.at(-1)
    if (open?.until !== null) return
    queue.stretches = [...queue.stretches.slice(0, -1), { ...open, isSilent: true }]
    this.#journal.changed(queue)
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
  return new ApiError(
    'BAD_EVENT_QUEUE_ID',
    sentSentence('Bad event queue ID: {id}', { id: queueId }),
    {
      queue_id: queueId,
    },
    { parameter: 'queue_id' },
  )
}
