import type { Clock } from '#platform/clock.ts'
import type { Away } from './away.ts'
import { acknowledged, type Body, createBody, listJson } from './bodies.ts'
import type { Journal } from './journal.ts'
import { getsMessages, isAway, type LiveQueue, type Parked, type Poll } from './live-queue.ts'
import { gone, type Registry } from './registry.ts'
import { acknowledge } from './stretches.ts'

/** Gives clients the events of their queues. */
export interface Polling {
  /** Adds an event to a queue; if a poll waits for it, answers that after this turn. */
  push(queue: LiveQueue, body: Body, id: number): void
  /** As of `Queues`. */
  read(queue: LiveQueue, lastEventId: number): string | undefined
  /** As of `Queues`. */
  park(queue: LiveQueue, poll: Poll): () => void
  /** As of `Queues`. */
  stopWaiting(): void
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
  /**
   * Parked queues that got an event in this turn of the event loop. They are answered together
   * after it, so that one poll returns all events of the turn.
   */
  let ready: Set<LiveQueue> | undefined
  let isStopping = false

  const page = (queue: LiveQueue) => listJson(queue, answerBytes)

  function answerReady(): void {
    const queues = ready ?? []
    ready = undefined
    for (const queue of queues) unpark(queue)?.answer(page(queue))
  }

  function push(queue: LiveQueue, body: Body, id: number): void {
    if (isAway(queue)) {
      queue.waiting.push({ body, id })
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
    const stored = queue.bodies.slice(0, count).filter(({ row }) => row > 0)
    if (stored.length > 0) journal.advanced(queue, sumOf(stored))
    registry.release(queue, count)
  }

  return {
    push,
    read(queue, lastEventId) {
      requireContinuous(queue, lastEventId)
      queue.lastContact = clock.elapsed()
      queue.isOnline = getsMessages(queue.request)
      drop(queue, lastEventId)
      unpark(queue)?.answer(noEvents)
      if (isAway(queue)) {
        away.catchUp(queue, lastEventId)
        // After a crash, it may have got these before.
        drop(queue, lastEventId)
      }
      return queue.bodies.length > 0 ? page(queue) : undefined
    },
    park(queue, poll) {
      unpark(queue)?.answer(noEvents)
      // Events may have come since the poll was read.
      away.catchUp(queue, queue.acknowledgedId)
      // Still away: nothing of this part was for this queue, and there is more.
      if (isStopping || queue.bodies.length > 0 || isAway(queue)) {
        poll.answer(page(queue))
        return () => {}
      }
      const stopTimer = clock.after(heartbeatSeconds * 1000, () => {
        const body = createBody({ type: 'heartbeat' }, away.newestMessage())
        push(queue, body, nextId(queue))
        ready?.delete(queue)
        unpark(queue)?.answer(page(queue))
      })
      const parked: Parked = { ...poll, stopTimer }
      queue.parked = parked
      return () => {
        if (queue.parked === parked) unpark(queue)
      }
    },
    stopWaiting() {
      isStopping = true
      for (const queue of registry.all()) unpark(queue)?.answer(page(queue))
    },
  }
}

function sumOf(bodies: readonly Body[]): number {
  return bodies.reduce((sum, { bytes }) => sum + bytes, 0)
}
