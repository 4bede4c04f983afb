import type { Away } from './away.ts'
import { type Body, createBody } from './bodies.ts'
import type { Journal, Placed } from './journal.ts'
import { isAway, type LiveQueue } from './live-queue.ts'
import type { Registry } from './registry.ts'
import type { Audience, ServerEvent } from './types.ts'

/** A form of an event and its IDs in the queues that get it. */
export type PlacedEvent = Placed<LiveQueue>

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

/** @param push gets each event that a client can receive at once */
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

  function* targets(audience: Audience, attendedOnly: boolean): Iterable<LiveQueue> {
    const isPredicate = typeof audience === 'function'
    const everybody = attendedOnly ? registry.attending : registry.users
    for (const userId of isPredicate ? everybody : audience) {
      const own = attendedOnly ? registry.attendedQueuesOf(userId) : registry.queuesOf(userId)
      if (own.size > 0 && (!isPredicate || audience(userId))) yield* own
    }
  }

  function placeIn(queues: Iterable<LiveQueue>, event: ServerEvent): PlacedEvent[] {
    const forms = new Map<string, PlacedEvent>()
    for (const queue of queues) {
      if (queue.eventTypes && !queue.eventTypes.has(event.type)) continue
      const key = 'variant' in event ? event.variant(queue) : ''
      if (key === undefined) continue
      let form = forms.get(key)
      if (form === undefined) {
        const wire = 'variant' in event ? event.build(key, queue) : event
        form = { body: createBody(wire, away.newestMessage()), places: [] }
        forms.set(key, form)
      }
      form.places.push({ queue, id: nextId(queue) })
    }
    return [...forms.values()]
  }

  return {
    nextId,
    place(event, audience) {
      const newMessage = 'variant' in event ? event.newMessage : undefined
      if (newMessage !== undefined) away.noteMessage(newMessage)
      return placeIn(targets(audience, newMessage !== undefined), event)
    },
    placePassing: (event, audience) => placeIn(targets(audience, true), event),
    deliver(placed) {
      for (const { body, places } of placed) {
        for (const { queue, id } of places) {
          if (!registry.isOpen(queue)) continue
          push(queue, body, id)
          registry.closeExcess(queue)
        }
        if (body.holders === 0) journal.freed(body)
      }
      registry.relieve()
    },
  }
}
