import { savedQueues } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import type { SavedQueue } from './queues.ts'

/** Stores the queues at shutdown, for the next start. */
export function saveQueues(tx: Tx, saved: readonly SavedQueue[]): void {
  for (const queue of saved) {
    tx.db
      .insert(savedQueues)
      .values({ id: queue.id, userId: queue.request.userId, state: queue })
      .run()
  }
}

/** Deletes the saved queues once restored: after a crash they would be out of date. */
export function deleteSavedQueues(tx: Tx): void {
  tx.db.delete(savedQueues).run()
}

/** The queues that the last shutdown stored. */
export function listSavedQueues(read: Read): SavedQueue[] {
  return read.db
    .select()
    .from(savedQueues)
    .all()
    .map(({ state }) => state as SavedQueue)
}
