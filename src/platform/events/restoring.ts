import { ApiError } from '#platform/errors.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { Away } from './away.ts'
import type { Journal, StoredBody } from './journal.ts'
import type { LiveQueue, QueueRequest } from './live-queue.ts'
import type { StoredQueue } from './queries.ts'
import type { Registry } from './registry.ts'

/** Queues are not restored with larger IDs, which some clients keep in 32 bits. */
const largestId = 2 ** 31 - 1

/**
 * Opens the stored queues again, except those whose narrow is no longer accepted.
 *
 * @param mayUse whether the account that opened a stored queue may still use it
 * @returns the errors of those that could not be read: their clients register anew
 */
export function restoreQueues(
  tx: Tx,
  registry: Registry,
  away: Away,
  journal: Journal<LiveQueue>,
  mayUse: (read: Read, request: QueueRequest) => boolean,
): unknown[] {
  const { queues: rows, events } = journal.load(tx)
  const restored = new Map<number, LiveQueue>()
  const problems: unknown[] = []
  for (const row of rows) {
    try {
      const queue = restoreQueue(row)
      if (queue) restored.set(row.number, queue)
    } catch (error) {
      if (!(error instanceof ApiError)) problems.push(error)
    }
    if (!restored.has(row.number)) journal.forget(tx, row)
  }
  for (const event of events) restoreEvent(event)
  for (const row of rows) {
    const queue = restored.get(row.number)
    if (!queue) continue
    away.restore(queue, row.isExact)
    registry.noteAttendance(queue)
  }
  registry.relieve()
  return problems

  /** @throws ApiError the narrow; Error the row is malformed */
  function restoreQueue(row: StoredQueue): LiveQueue | undefined {
    const request: QueueRequest = JSON.parse(row.request)
    if (row.lastEventId > largestId || !mayUse(tx, request)) return undefined
    const queue = registry.create(request, row)
    queue.stretches = JSON.parse(row.stretches)
    registry.add(queue)
    return queue
  }

  /** Puts a stored event into the queues that have not acknowledged it. */
  function restoreEvent({ body, places }: StoredBody): void {
    for (const { number, id } of places) {
      const queue = restored.get(number)
      if (!queue) continue
      queue.lastEventId = Math.max(queue.lastEventId, id)
      if (id <= queue.acknowledgedId) continue
      const [stretch] = queue.stretches
      if (!stretch || id <= stretch.id) {
        registry.hold(queue, body, id)
      } else {
        queue.waiting.bodies.push(body)
        queue.waiting.ids.push(id)
        registry.count(queue, body)
      }
    }
    if (body.holders === 0) journal.freed(body)
  }
}
