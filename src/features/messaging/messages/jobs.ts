import { findFirstPart } from '#features/notifications/notifications/queries.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { notifyNextPart } from './unseen.actions.ts'

/**
 * Notifies many people about a message, some at a time, so that nobody else has to wait for all of
 * them.
 */
export const notifyMany: Job = {
  name: 'notifying many',
  dueAt: (read) => findFirstPart(read)?.createdAt,
  async run({ store }, stopping) {
    while (!stopping.aborted && (await store.write(notifyNextPart))) {
      // Each part is a write of its own.
    }
  },
}
