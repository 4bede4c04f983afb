import { savedQueues } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import type { SavedQueue } from './queues.ts'

/** Keeps the queues of a server that shuts down for its next start. */
export function saveQueues(tx: Tx, saved: readonly SavedQueue[]): void {
  for (const queue of saved) {
    tx.db
      .insert(savedQueues)
      .values({ id: queue.id, userId: queue.request.userId, state: queue })
      .run()
  }
}

/** Once restored, a saved queue is out of date: a crash must not bring it back. */
export function deleteSavedQueues(tx: Tx): void {
  tx.db.delete(savedQueues).run()
}

/** The queues that the last shutdown kept. */
export function listSavedQueues(read: Read): SavedQueue[] {
  return read.db
    .select()
    .from(savedQueues)
    .all()
    .map(({ state }) => state as SavedQueue)
}
