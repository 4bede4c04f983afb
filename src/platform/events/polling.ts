import type { Clock } from '#platform/clock.ts'
import type { Away } from './away.ts'
import { acknowledged, type Body, createBody, fitting, listJson } from './bodies.ts'
import { createDeadlines, type Deadlines } from './deadlines.ts'
import type { Journal } from './journal.ts'
import {
  getsMessages,
  isAway,
  isStream,
  type LiveQueue,
  type Poll,
  type Reader,
  type Stream,
} from './live-queue.ts'
import { gone, type Registry } from './registry.ts'
import { createStreaming, type Streaming } from './streaming.ts'
import { acknowledge } from './stretches.ts'

/** Gives clients the events of their queues. */
export interface Polling {
  /** Adds an event to a queue; if a request waits for it, that gets it after this turn. */
  push(queue: LiveQueue, body: Body, id: number): void
  /** As of `Queues`. */
  read(queue: LiveQueue, lastEventId: number): string | undefined
  /** As of `Queues`. */
  park(queue: LiveQueue, poll: Poll): () => void
  /** As of `Queues`. */
  follow(queue: LiveQueue, lastEventId: number, reader: Reader): StreamControl
  /** As of `Queues`. */
  acknowledge(queue: LiveQueue, lastEventId: number): void
  /** Nothing waits for the events of a queue anymore. */
  unparked(queue: LiveQueue): void
  /** As of `Queues`. */
  stopWaiting(): void
}

/** The signals from a stream to its queue. */
export interface StreamControl {
  /** The client has read all that it was sent. */
  resume(): void
  /** The connection is closed. */
  close(): void
}

interface PollingOptions {
  readonly clock: Clock
  readonly heartbeatSeconds: number
  /** The largest reply, in bytes. */
  readonly replyBytes: number
}

const noEvents = '[]'

export function createPolling(
  options: PollingOptions,
  registry: Registry,
  away: Away,
  journal: Journal<LiveQueue>,
  nextId: (queue: LiveQueue) => number,
): Polling {
  return new QueuePolling(options, registry, away, journal, nextId)
}

class QueuePolling implements Polling {
  readonly #replyBytes: number
  readonly #registry: Registry
  readonly #away: Away
  readonly #journal: Journal<LiveQueue>
  readonly #nextId: (queue: LiveQueue) => number
  readonly #polls: Deadlines<LiveQueue>
  readonly #streams: Streaming
  /**
   * Queues with a waiting request that got an event in this turn of the event loop. They are
   * answered together after it, so that a client gets all events of the turn in one reply.
   */
  #ready: Set<LiveQueue> | undefined
  #isStopping = false

  constructor(
    { clock, heartbeatSeconds, replyBytes }: PollingOptions,
    registry: Registry,
    away: Away,
    journal: Journal<LiveQueue>,
    nextId: (queue: LiveQueue) => number,
  ) {
    this.#replyBytes = replyBytes
    this.#registry = registry
    this.#away = away
    this.#journal = journal
    this.#nextId = nextId
    this.#polls = createDeadlines<LiveQueue>(clock, heartbeatSeconds * 1000, (queue) =>
      this.#replyWithHeartbeat(queue),
    )
    this.#streams = createStreaming({ clock, heartbeatSeconds }, (queue) =>
      this.#finishEmpty(queue),
    )
  }

  push(queue: LiveQueue, body: Body, id: number): void {
    if (isAway(queue)) {
      queue.waiting.bodies.push(body)
      queue.waiting.ids.push(id)
      this.#registry.count(queue, body)
      return
    }
    this.#registry.hold(queue, body, id)
    if (!queue.parked) return
    if (!this.#ready) {
      this.#ready = new Set()
      setImmediate(() => this.#replyReady())
    }
    this.#ready.add(queue)
  }

  read(queue: LiveQueue, lastEventId: number): string | undefined {
    this.#hear(queue, lastEventId)
    this.#finishEmpty(queue)
    if (isAway(queue)) {
      this.#away.catchUp(queue, lastEventId)
      // After a crash, it may have got these before.
      this.#drop(queue, lastEventId)
    }
    return queue.bodies.length > 0 ? this.#page(queue) : undefined
  }

  park(queue: LiveQueue, poll: Poll): () => void {
    this.#finishEmpty(queue)
    // Events may have come since the poll was read.
    this.#away.catchUp(queue, queue.acknowledgedId)
    // Still away: nothing of this part was for this queue, and there is more.
    if (this.#isStopping || queue.bodies.length > 0 || isAway(queue)) {
      poll.reply(this.#page(queue))
      return () => {}
    }
    this.#polls.start(queue)
    queue.parked = poll
    return () => {
      if (queue.parked === poll) this.#registry.unpark(queue)
    }
  }

  follow(queue: LiveQueue, lastEventId: number, reader: Reader): StreamControl {
    this.#finishEmpty(queue)
    this.#away.catchUp(queue, queue.acknowledgedId)
    const stream: Stream = {
      ...reader,
      sentId: Math.max(queue.acknowledgedId, lastEventId),
      isFlowing: true,
      unacknowledgedSince: undefined,
      unacknowledgedBytes: 0,
    }
    this.#streams.begin(queue, stream)
    // Still away: there is more, which the client gets after it has acknowledged this part.
    if (queue.parked === stream && (this.#isStopping || isAway(queue))) this.#finishEmpty(queue)
    return {
      resume: () => {
        stream.isFlowing = true
        this.#streams.pump(queue, stream)
      },
      close: () => {
        if (queue.parked === stream) this.#registry.unpark(queue)
      },
    }
  }

  acknowledge(queue: LiveQueue, lastEventId: number): void {
    this.#hear(queue, lastEventId)
    const { parked } = queue
    if (parked && isStream(parked)) this.#streams.heard(queue, parked)
  }

  unparked(queue: LiveQueue): void {
    this.#polls.stop(queue)
    this.#streams.stop(queue)
  }

  stopWaiting(): void {
    this.#isStopping = true
    for (const queue of this.#registry.all()) this.#finish(queue, (queue) => this.#page(queue))
  }

  #page(queue: LiveQueue) {
    return listJson(queue, 0, fitting(queue, 0, this.#replyBytes))
  }

  #replyReady(): void {
    const queues = this.#ready ?? []
    this.#ready = undefined
    for (const queue of queues) {
      if (queue.parked && isStream(queue.parked)) this.#streams.pump(queue, queue.parked)
      else this.#finish(queue, (queue) => this.#page(queue))
    }
  }

  /** Ends the waiting request, so that its client asks again. @param events what a poll gets */
  #finish(queue: LiveQueue, events: (queue: LiveQueue) => string): void {
    const waiting = this.#registry.unpark(queue)
    if (!waiting) return
    if (isStream(waiting)) waiting.end()
    else waiting.reply(events(queue))
  }

  #finishEmpty(queue: LiveQueue): void {
    this.#finish(queue, () => noEvents)
  }

  #replyWithHeartbeat(queue: LiveQueue): void {
    const body = createBody({ type: 'heartbeat' }, this.#away.newestMessage())
    this.push(queue, body, this.#nextId(queue))
    this.#finish(queue, (queue) => this.#page(queue))
  }

  /** @throws BAD_EVENT_QUEUE_ID as `Queues.read` */
  #requireContinuous(queue: LiveQueue, lastEventId: number): void {
    if (lastEventId === -1) return
    const isKnown = lastEventId <= this.#away.newestId(queue)
    if (!isKnown || lastEventId < queue.acknowledgedId) throw gone(queue.id)
  }

  /** Drops the events up to an ID for good. */
  #drop(queue: LiveQueue, lastEventId: number): void {
    const count = acknowledged(queue, lastEventId)
    const last = queue.bodies[count - 1]
    const id = queue.ids[count - 1]
    if (!last || id === undefined) return
    queue.acknowledgedId = id
    if (queue.stretches.length > 0) {
      queue.stretches = acknowledge(queue.stretches, { newestMessage: last.newestMessage, id })
      this.#journal.changed(queue)
    }
    const bytes = storedBytes(queue.bodies, count)
    if (bytes > 0) this.#journal.advanced(queue, bytes)
    this.#registry.release(queue, count)
  }

  /** The client acknowledges events. @throws as `Queues.read` */
  #hear(queue: LiveQueue, lastEventId: number): void {
    this.#requireContinuous(queue, lastEventId)
    this.#registry.noteContact(queue)
    queue.isOnline = getsMessages(queue.request)
    this.#drop(queue, lastEventId)
  }
}

/** The size of the events at the start of a list that are stored. */
function storedBytes(bodies: readonly Body[], count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) {
    const body = bodies[i]
    if (body && body.row > 0) sum += body.bytes
  }
  return sum
}
