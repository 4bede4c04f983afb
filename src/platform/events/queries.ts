import { ne } from 'drizzle-orm'
import { preparedInsert } from '#platform/store/insert.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { eventQueues, queuedEvents } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'

export type StoredQueue = typeof eventQueues.$inferSelect
export type StoredEvent = typeof queuedEvents.$inferSelect

export const insertQueue = preparedInsert(eventQueues)

const queueUpdate = preparedSql<unknown>(
  `UPDATE event_queues
   SET last_event_id = @lastEventId, acknowledged_id = @acknowledgedId, is_exact = @isExact,
     stretches = @stretches
   WHERE number = @number`,
)

/** Stores how far a queue has come. */
export function updateQueue(
  read: Read,
  { number, lastEventId, acknowledgedId, isExact, stretches }: Omit<StoredQueue, 'id' | 'request'>,
): void {
  const changed = { number, lastEventId, acknowledgedId, stretches }
  queueUpdate(read).run({ ...changed, isExact: isExact ? 1 : 0 })
}

/** Stores for all queues whether their last ID is exact. */
export function markExact(read: Read, isExact: boolean): void {
  read.db.update(eventQueues).set({ isExact }).where(ne(eventQueues.isExact, isExact)).run()
}

const queueDeletion = preparedSql<unknown>('DELETE FROM event_queues WHERE number = @number')

/** Deletes a queue; its events stay until `deleteEvents`. */
export function deleteQueue(read: Read, number: number): void {
  queueDeletion(read).run({ number })
}

/**
 * Deletes all queues with their events, from a copy of the database: they belong to the original.
 */
export function deleteAllQueues(read: Read): void {
  read.db.delete(eventQueues).run()
  read.db.delete(queuedEvents).run()
}

export function listQueues(read: Read): StoredQueue[] {
  return read.db.select().from(eventQueues).orderBy(eventQueues.number).all()
}

const eventInsert = preparedSql<unknown>(
  `INSERT INTO queued_events (id, json, places, newest_message)
   VALUES (@id, @json, @places, @newestMessage)`,
)

export function insertEvent(read: Read, event: StoredEvent): void {
  eventInsert(read).run(event)
}

const rangeDeletion = preparedSql<unknown>(
  'DELETE FROM queued_events WHERE id BETWEEN @first AND @last',
)

/** Deletes these events, in one statement for each range of IDs. */
export function deleteEvents(read: Read, ids: readonly number[]): void {
  const sorted = [...ids].sort((a, b) => a - b)
  let first = sorted[0]
  for (const [i, last] of sorted.entries()) {
    if (first === undefined || sorted[i + 1] === last + 1) continue
    rangeDeletion(read).run({ first, last })
    first = sorted[i + 1]
  }
}

/** All events, in the order in which they were emitted. */
export function listEvents(read: Read): StoredEvent[] {
  return read.db.select().from(queuedEvents).orderBy(queuedEvents.id).all()
}
