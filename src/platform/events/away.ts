import type { Clock } from '#platform/clock.ts'
import { type Body, createBody } from './bodies.ts'
import type { Journal } from './journal.ts'
import { getsMessages, isAway, type LiveQueue } from './live-queue.ts'
import type { MissedLookup } from './missed.ts'
import type { Registry } from './registry.ts'
import { from, idAt, type Stretch } from './stretches.ts'

/**
 * Queues whose clients are away. New messages, which are most events, are not placed in them, so
 * that sending only concerns the clients that are there. A queue keeps the point from which its
 * client is away, and the messages since then are looked up, a part at a time, when it polls again.
 */
export interface Away {
  /**
   * Marks clients that have not polled for a while as away.
   *
   * @returns when there is more to do unless clients poll, in milliseconds of `Clock.elapsed`
   */
  leave(): number
  /**
   * Looks up what the client of a queue missed, as much as one reply may take.
   *
   * @param lastEventId the newest event that the client says it has; after a crash, it may be newer
   *   than the one known here
   */
  catchUp(queue: LiveQueue, lastEventId: number): void
  /** Looks up everything that it missed. */
  catchUpWholly(queue: LiveQueue): void
  /** Notes a new message, in the order of the events. */
  noteMessage(id: number): void
  newestMessage(): number
  /** The largest ID that an event in a queue can have so far. */
  newestId(queue: LiveQueue): number
  /** The ID of the next event in the queue of someone who is away. */
  nextId(queue: LiveQueue): number
  /** Restores what `catchUp` needs, once the queue has its stretches and the events that wait. */
  restore(queue: LiveQueue, isExact: boolean): void
}

/** How long a client may take from one poll to the next, in milliseconds, without being away. */
export const awayAfter = 20_000
/** The most clients that leave together: each is stored with the next message. */
const mostLeaving = 500
/** How many messages are looked up at a time for a reply. */
const atOnce = 500
/** How many times that is done for a reply that is still empty. */
const mostParts = 10

/**
 * After a crash, IDs continue this far beyond the newest stored one: a queue cannot get more events
 * than this between two transactions.
 */
const leap = 1_000_000

export function createAway(
  clock: Clock,
  registry: Registry,
  journal: Journal<LiveQueue>,
  missed: MissedLookup | undefined,
): Away {
  return new AwayQueues(clock, registry, journal, missed)
}

class AwayQueues implements Away {
  readonly #clock: Clock
  readonly #registry: Registry
  readonly #journal: Journal<LiveQueue>
  readonly #missed: MissedLookup | undefined
  /** As of the events placed so far. */
  #newestPlaced = 0

  constructor(
    clock: Clock,
    registry: Registry,
    journal: Journal<LiveQueue>,
    missed: MissedLookup | undefined,
  ) {
    this.#clock = clock
    this.#registry = registry
    this.#journal = journal
    this.#missed = missed
  }

  leave(): number {
    let next = Number.POSITIVE_INFINITY
    if (!this.#missed) return next
    let left = 0
    for (const queue of this.#registry.all()) {
      if (isAway(queue) || queue.parked || !getsMessages(queue.request)) continue
      const latest = queue.lastContact + awayAfter
      if (this.#clock.elapsed() <= latest) {
        next = Math.min(next, latest)
        continue
      }
      this.#leaveAt(queue, this.#newest())
      left += 1
      if (left === mostLeaving) return latest
    }
    return next
  }

  catchUp(queue: LiveQueue, lastEventId: number): void {
    const known = Math.max(queue.acknowledgedId, lastEventId)
    // The narrow may match none of the messages.
    for (let part = 0; part < mostParts && isAway(queue); part++) {
      this.#catchUpOnce(queue, known)
      if (queue.ids.some((id) => id > known)) return
    }
  }

  catchUpWholly(queue: LiveQueue): void {
    while (queue.isOpen && isAway(queue)) this.#catchUpOnce(queue, queue.acknowledgedId)
  }

  noteMessage(id: number): void {
    this.#newestPlaced = Math.max(this.#newestPlaced, id)
  }

  newestMessage(): number {
    return this.#newestPlaced
  }

  newestId(queue: LiveQueue): number {
    return isAway(queue) ? lastIdAt(queue, this.#newest()) : queue.lastEventId
  }

  nextId(queue: LiveQueue): number {
    queue.lastEventId = lastIdAt(queue, this.#newestPlaced) + 1
    const { fixed } = queue
    if (fixed) {
      // In place: with each event, for thousands of queues.
      fixed.newestMessage = this.#newestPlaced
      fixed.id = queue.lastEventId
    } else {
      queue.fixed = { newestMessage: this.#newestPlaced, id: queue.lastEventId }
    }
    return queue.lastEventId
  }

  restore(queue: LiveQueue, isExact: boolean): void {
    const now = this.#newest()
    const last = queue.stretches.at(-1)
    if (last?.until === null && last.isSilent) queue.isOnline = false
    if (last?.until === null) {
      const wait = waitingAt(queue, -1)
      const isLater = wait !== undefined && wait.id > last.id
      queue.fixed = isLater
        ? { newestMessage: wait.body.newestMessage, id: wait.id }
        : { newestMessage: last.after, id: last.id }
      queue.lastEventId = lastIdAt(queue, now)
    }
    if (!isExact) {
      queue.lastEventId += leap
      if (last)
        queue.stretches = [...queue.stretches.slice(0, -1), { ...last, until: last.until ?? now }]
      this.#journal.changed(queue)
    }
    queue.ahead = queue.stretches
    const isOpen = queue.stretches.at(-1)?.until === null
    if (this.#missed && !isOpen && (last || leavesAtOnce(queue))) this.#leaveAt(queue, now)
  }

  #newest(): number {
    const id = this.#missed?.newest() ?? 0
    this.#newestPlaced = Math.max(this.#newestPlaced, id)
    return id
  }

  #leaveAt(queue: LiveQueue, after: number): void {
    const stretch: Stretch = {
      after,
      until: null,
      id: queue.lastEventId,
      ...(!queue.isOnline && { isSilent: true }),
    }
    queue.stretches = [...queue.stretches, stretch]
    queue.ahead = [...queue.ahead, stretch]
    queue.fixed = { newestMessage: after, id: queue.lastEventId }
    this.#registry.noteAttendance(queue)
    this.#journal.changed(queue)
  }

  #takeWaiting(queue: LiveQueue): void {
    const body = queue.waiting.bodies.shift()
    const id = queue.waiting.ids.shift()
    if (!body || id === undefined) return
    queue.bodies.push(body)
    queue.ids.push(id)
  }

  #comeBack(queue: LiveQueue, at: number): void {
    while (queue.waiting.ids.length > 0) this.#takeWaiting(queue)
    const open = queue.stretches.at(-1)
    const isAllAcknowledged = queue.bodies.length === 0 || !open
    queue.stretches = isAllAcknowledged
      ? []
      : [...queue.stretches.slice(0, -1), { ...open, until: at }]
    this.#registry.noteAttendance(queue)
    this.#journal.changed(queue)
    const { greeting } = queue
    if (!greeting) return
    queue.greeting = undefined
    queue.lastEventId += 1
    this.#registry.hold(queue, createBody(greeting, at), queue.lastEventId)
  }

  /**
   * @param known the newest event that the client has
   * @returns the number of messages that were looked at
   */
  #lookUp(queue: LiveQueue, stretch: Stretch, end: number, most: number, known: number): number {
    const after = Math.min(end, stretch.after + Math.max(0, known - stretch.id))
    const found = after < end ? this.#missed?.list(queue, after, end, most) : undefined
    for (const { id: messageId, event } of found?.messages ?? []) {
      this.#registry.hold(queue, createBody(event, messageId), idAt(stretch, messageId))
    }
    const until = found?.until ?? end
    const rest = from(stretch, { newestMessage: until, id: idAt(stretch, until) })
    queue.ahead = [rest, ...queue.ahead.slice(1)]
    return found?.looked ?? 0
  }

  #catchUpOnce(queue: LiveQueue, known: number): void {
    const now = this.#newest()
    let room = atOnce - queue.bodies.length
    for (let stretch = queue.ahead[0]; stretch; stretch = queue.ahead[0]) {
      const later = queue.ahead[1]
      const waiting = waitingAt(queue, 0)
      const next = waiting && later && waiting.id > later.id ? undefined : waiting
      const until = stretch.until ?? now
      const at = next ? next.body.newestMessage : until
      if (next && next.id <= stretch.id) {
        this.#takeWaiting(queue)
      } else if (stretch.after < Math.min(until, at)) {
        if (room <= 0) return
        room -= this.#lookUp(queue, stretch, Math.min(until, at), room, known)
        this.#registry.closeExcess(queue)
        if (!queue.isOpen) return
      } else if (next && at <= until) {
        this.#takeWaiting(queue)
        queue.ahead = [from(stretch, { newestMessage: at, id: next.id }), ...queue.ahead.slice(1)]
      } else {
        queue.ahead = queue.ahead.slice(1)
      }
    }
    queue.lastEventId = lastIdAt(queue, now)
    this.#comeBack(queue, now)
    this.#registry.relieve()
  }
}

/** One of the events that wait, with its ID. @param at as `Array.at` has it */
function waitingAt({ waiting }: LiveQueue, at: number): { body: Body; id: number } | undefined {
  const body = waiting.bodies.at(at)
  const id = waiting.ids.at(at)
  return body && id !== undefined ? { body, id } : undefined
}

/** The ID of the newest event in a queue whose client is away, given the newest message. */
function lastIdAt({ fixed, lastEventId }: LiveQueue, newestMessage: number): number {
  if (!fixed) return lastEventId
  return Math.max(lastEventId, idAt({ after: fixed.newestMessage, id: fixed.id }, newestMessage))
}

/**
 * Whether a client counts as away as soon as the server starts. The meaning of a narrow is decided
 * when it is applied, so clients with a narrow get a moment to come back.
 */
function leavesAtOnce({ request }: LiveQueue): boolean {
  return getsMessages(request) && request.narrow.length === 0 && !request.allPublicChannels
}
