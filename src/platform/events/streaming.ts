import type { Clock } from '#platform/clock.ts'
import { acknowledged, bytesOf, fitting, listJson } from './bodies.ts'
import { createDeadlines } from './deadlines.ts'
import { isStream, type LiveQueue, type Stream } from './live-queue.ts'

/** Sends the events of queues to streams, as far as their clients read and acknowledge them. */
export interface Streaming {
  /** Begins a stream on a queue, with the events that it holds. */
  begin(queue: LiveQueue, stream: Stream): void
  /** Sends a stream the events that it lacks. */
  pump(queue: LiveQueue, stream: Stream): void
  /** The client of a stream has acknowledged events. */
  heard(queue: LiveQueue, stream: Stream): void
  /** The stream on a queue has ended. */
  stop(queue: LiveQueue): void
}

interface StreamingOptions {
  readonly clock: Clock
  readonly heartbeatSeconds: number
}

/** How much is written to a stream before asking whether its client reads it, in bytes. */
const pieceBytes = 64 * 1024

/** How much the client of a stream may leave unacknowledged, in bytes, and for how long. */
const unacknowledged = { bytes: 1024 * 1024, ms: 600_000 } as const

/** How long a stream waits with so much for its client to acknowledge some, in milliseconds. */
const mostPauseMs = 10_000

const isFull = (stream: Stream) => stream.unacknowledgedBytes > unacknowledged.bytes

/** @param end ends the stream on a queue, so that its client asks again */
export function createStreaming(
  { clock, heartbeatSeconds }: StreamingOptions,
  end: (queue: LiveQueue) => void,
): Streaming {
  // Twice as often as heartbeats of polls: a sign of life is no event, and costs next to nothing.
  const deadlines = createDeadlines<LiveQueue>(clock, heartbeatSeconds * 500, beat)

  function pump(queue: LiveQueue, stream: Stream): void {
    while (stream.isFlowing && !isFull(stream) && queue.parked === stream) {
      const first = acknowledged(queue, stream.sentId)
      const until = fitting(queue, first, pieceBytes)
      const newest = queue.ids[until - 1]
      if (until === first || newest === undefined) break
      stream.sentId = newest
      stream.unacknowledgedSince ??= clock.elapsed()
      stream.unacknowledgedBytes += bytesOf(queue, first, until)
      stream.isFlowing = stream.send(listJson(queue, first, until), newest)
      if (queue.parked === stream) deadlines.start(queue)
    }
    if (queue.parked === stream && isDone(stream)) end(queue)
  }

  /**
   * Whether a stream is over: its client acknowledges nothing, so it has to ask again, which does. A
   * client that does not read loses its connection, as with every reply.
   */
  function isDone(stream: Stream): boolean {
    const { unacknowledgedSince: since } = stream
    const most = isFull(stream) ? mostPauseMs : unacknowledged.ms
    return since !== undefined && clock.elapsed() - since > most
  }

  function beat(queue: LiveQueue): void {
    const { parked } = queue
    if (!parked || !isStream(parked)) return
    deadlines.start(queue)
    // Writing to a client that does not read would keep its connection open.
    if (parked.isFlowing) parked.beat()
    if (queue.parked === parked && isDone(parked)) end(queue)
  }

  return {
    begin(queue, stream) {
      deadlines.start(queue)
      queue.parked = stream
      pump(queue, stream)
    },
    pump,
    heard(queue, stream) {
      const left = acknowledged(queue, stream.sentId)
      stream.unacknowledgedSince = left === 0 ? undefined : clock.elapsed()
      stream.unacknowledgedBytes = bytesOf(queue, 0, left)
      pump(queue, stream)
    },
    stop: deadlines.stop,
  }
}
