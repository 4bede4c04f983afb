import type { Clock } from '#platform/clock.ts'
import type { Away } from './away.ts'
import { acknowledged, type Body, createBody, fitting, listJson } from './bodies.ts'
import { createDeadlines } from './deadlines.ts'
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
import { createStreaming } from './streaming.ts'
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
  follow(queue: LiveQueue, lastEventId: number, reader: Reader): Followed
  /** As of `Queues`. */
  acknowledge(queue: LiveQueue, lastEventId: number): void
  /** Nothing waits for the events of a queue anymore. */
  unparked(queue: LiveQueue): void
  /** As of `Queues`. */
  stopWaiting(): void
}

/** The signals from a stream to its queue. */
export interface Followed {
  /** The client has read all that it was sent. */
  resume(): void
  /** The connection is closed. */
  close(): void
}

interface PollingOptions {
  readonly clock: Clock
  readonly heartbeatSeconds: number
  /** The largest reply, in bytes. */
  readonly answerBytes: number
}

const noEvents = '[]'

export function createPolling(
  { clock, heartbeatSeconds, answerBytes }: PollingOptions,
  registry: Registry,
  away: Away,
  journal: Journal<LiveQueue>,
  nextId: (queue: LiveQueue) => number,
): Polling {
  const { unpark } = registry
  const polls = createDeadlines<LiveQueue>(clock, heartbeatSeconds * 1000, answerWithHeartbeat)
  const streams = createStreaming({ clock, heartbeatSeconds }, finishEmpty)
  /**
   * Queues with a waiting request that got an event in this turn of the event loop. They are
   * answered together after it, so that a client gets all events of the turn at once.
   */
  let ready: Set<LiveQueue> | undefined
  let isStopping = false

  const page = (queue: LiveQueue) => listJson(queue, 0, fitting(queue, 0, answerBytes))

  function answerReady(): void {
    const queues = ready ?? []
    ready = undefined
    for (const queue of queues) {
      if (queue.parked && isStream(queue.parked)) streams.pump(queue, queue.parked)
      else finish(queue, page)
    }
  }

  /** Ends the waiting request, so that its client asks again. @param events what a poll gets */
  function finish(queue: LiveQueue, events: (queue: LiveQueue) => string): void {
    const waiting = unpark(queue)
    if (!waiting) return
    if (isStream(waiting)) waiting.end()
    else waiting.answer(events(queue))
  }

  function finishEmpty(queue: LiveQueue): void {
    finish(queue, () => noEvents)
  }

  function answerWithHeartbeat(queue: LiveQueue): void {
    const body = createBody({ type: 'heartbeat' }, away.newestMessage())
    push(queue, body, nextId(queue))
    finish(queue, page)
  }

  function push(queue: LiveQueue, body: Body, id: number): void {
    if (isAway(queue)) {
      queue.waiting.bodies.push(body)
      queue.waiting.ids.push(id)
      registry.count(queue, body)
      return
    }
    registry.hold(queue, body, id)
    if (!queue.parked) return
    if (!ready) {
      ready = new Set()
      setImmediate(answerReady)
    }
    ready.add(queue)
  }

  /** @throws BAD_EVENT_QUEUE_ID as `Queues.read` */
  function requireContinuous(queue: LiveQueue, lastEventId: number): void {
    if (lastEventId === -1) return
    const isKnown = lastEventId <= away.newestId(queue)
    if (!isKnown || lastEventId < queue.acknowledgedId) throw gone(queue.id)
  }

  /** Drops the events up to an ID for good. */
  function drop(queue: LiveQueue, lastEventId: number): void {
    const count = acknowledged(queue, lastEventId)
    const last = queue.bodies[count - 1]
    const id = queue.ids[count - 1]
    if (!last || id === undefined) return
    queue.acknowledgedId = id
    if (queue.stretches.length > 0) {
      queue.stretches = acknowledge(queue.stretches, { newestMessage: last.newestMessage, id })
      journal.changed(queue)
    }
    const bytes = storedBytes(queue.bodies, count)
    if (bytes > 0) journal.advanced(queue, bytes)
    registry.release(queue, count)
  }

  /** The client acknowledges events. @throws as `Queues.read` */
  function hear(queue: LiveQueue, lastEventId: number): void {
    requireContinuous(queue, lastEventId)
    registry.noteContact(queue)
    queue.isOnline = getsMessages(queue.request)
    drop(queue, lastEventId)
  }

  return {
    push,
    read(queue, lastEventId) {
      hear(queue, lastEventId)
      finishEmpty(queue)
      if (isAway(queue)) {
        away.catchUp(queue, lastEventId)
        // After a crash, it may have got these before.
        drop(queue, lastEventId)
      }
      return queue.bodies.length > 0 ? page(queue) : undefined
    },
    park(queue, poll) {
      finishEmpty(queue)
      // Events may have come since the poll was read.
      away.catchUp(queue, queue.acknowledgedId)
      // Still away: nothing of this part was for this queue, and there is more.
      if (isStopping || queue.bodies.length > 0 || isAway(queue)) {
        poll.answer(page(queue))
        return () => {}
      }
      polls.start(queue)
      queue.parked = poll
      return () => {
        if (queue.parked === poll) unpark(queue)
      }
    },
    follow(queue, lastEventId, reader) {
      finishEmpty(queue)
      away.catchUp(queue, queue.acknowledgedId)
      const stream: Stream = {
        ...reader,
        sentId: Math.max(queue.acknowledgedId, lastEventId),
        isFlowing: true,
        unacknowledgedSince: undefined,
      }
      streams.begin(queue, stream)
      // Still away: there is more, which the client gets after it has acknowledged this part.
      if (queue.parked === stream && (isStopping || isAway(queue))) finishEmpty(queue)
      return {
        resume() {
          stream.isFlowing = true
          streams.pump(queue, stream)
        },
        close() {
          if (queue.parked === stream) unpark(queue)
        },
      }
    },
    acknowledge(queue, lastEventId) {
      hear(queue, lastEventId)
      const { parked } = queue
      if (parked && isStream(parked)) streams.heard(queue, parked)
    },
    unparked(queue) {
      polls.stop(queue)
      streams.stop(queue)
    },
    stopWaiting() {
      isStopping = true
      for (const queue of registry.all()) finish(queue, page)
    },
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
