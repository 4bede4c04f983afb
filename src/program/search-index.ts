import { indexLag, indexMessages } from '#features/messaging/core/queries.ts'
import type { Read } from '#platform/store/write.ts'
import type { Task } from '#platform/task.ts'

/** The number of messages that enter the index in one transaction. */
const perStep = 10_000

/**
 * Fills the search index after a migration that reset it. If interrupted, the next start continues
 * where this one stopped.
 */
export function fillSearchIndex(read: Read, task?: Task): void {
  const total = indexLag(read)
  for (let left = total; left > 0; left = indexLag(read)) {
    task?.report('Indexing messages for search', total - left, total)
    indexMessages(read, perStep)
  }
}
