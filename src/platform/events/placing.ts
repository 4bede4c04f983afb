import type { Away } from './away.ts'
import { type Body, createBody } from './bodies.ts'
import type { Journal, QueuedEvent } from './journal.ts'
import { isAway, type LiveQueue } from './live-queue.ts'
import type { Registry } from './registry.ts'
import type { Audience, ServerEvent } from './types.ts'

/** A form of an event and its IDs in the queues that get it. */
export type PlacedEvent = QueuedEvent<LiveQueue>

/** Decides which queues get an event, and adds it to them. */
export interface Placing {
  /** Decides which queues get an event, in which forms, and reserves its IDs there. */
  place(event: ServerEvent, audience: Audience): PlacedEvent[]
  /** The same for an event that is not stored, only for clients that are there. */
  placePassing(event: ServerEvent, audience: Audience): PlacedEvent[]
  /** Adds placed events to their queues, as far as those are still open. */
  deliver(placed: readonly PlacedEvent[]): void
  /** An ID for an event that only this queue gets. */
  nextId(queue: LiveQueue): number
}

/** The position of a queue is stored at the latest after this many events that were not stored. */
const mostUnstored = 1000

/** @param push gets each event that a client can receive immediately */
export function createPlacing(
  registry: Registry,
  away: Away,
  journal: Journal<LiveQueue>,
  push: (queue: LiveQueue, body: Body, id: number) => void,
): Placing {
  function nextId(queue: LiveQueue): number {
    if (isAway(queue)) return away.nextId(queue)
    queue.lastEventId += 1
    if (queue.lastEventId - queue.storedEventId >= mostUnstored) journal.advanced(queue, 0)
    return queue.lastEventId
  }

  // Without generators or objects for each queue: there may be thousands.
  function placeIn(event: ServerEvent, audience: Audience, attendedOnly: boolean): PlacedEvent[] {
    const forms = new Map<string, PlacedEvent>()
    const isPredicate = typeof audience === 'function'
    const everybody = attendedOnly ? registry.attending : registry.users
    for (const userId of isPredicate ? everybody : audience) {
      const own = attendedOnly ? registry.attendedQueuesOf(userId) : registry.queuesOf(userId)
      if (own.size === 0 || (isPredicate && !audience(userId))) continue
      for (const queue of own) {
        const form = formFor(queue, event, forms)
        if (!form) continue
        form.queues.push(queue)
        form.ids.push(nextId(queue))
      }
    }
    return [...forms.values()]
  }

  /** The form of an event that a queue gets; undefined if it gets none. */
  function formFor(
    queue: LiveQueue,
    event: ServerEvent,
    forms: Map<string, PlacedEvent>,
  ): PlacedEvent | undefined {
    if (queue.eventTypes && !queue.eventTypes.has(event.type)) return undefined
    const key = 'variant' in event ? event.variant(queue) : ''
    if (key === undefined) return undefined
    const known = forms.get(key)
    if (known) return known
    const wire = 'variant' in event ? event.build(key, queue) : event
    const form = { body: createBody(wire, away.newestMessage()), queues: [], ids: [] }
    forms.set(key, form)
    return form
  }

  return {
    nextId,
    place(event, audience) {
      const newMessage = 'variant' in event ? event.newMessage : undefined
      if (newMessage !== undefined) away.noteMessage(newMessage)
      return placeIn(event, audience, newMessage !== undefined)
    },
    placePassing: (event, audience) => placeIn(event, audience, true),
    deliver(placed) {
      for (const { body, queues, ids } of placed) {
        for (const [i, queue] of queues.entries()) {
          if (!queue.isOpen) continue
          push(queue, body, ids[i] ?? 0)
          registry.closeExcess(queue)
        }
        if (body.holders === 0) journal.freed(body)
      }
      registry.relieve()
    },
  }
}
