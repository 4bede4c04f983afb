import { setImmediate } from 'node:timers/promises'
import {
  hasRoomForIndex,
  indexSome,
  isIndexOutdated,
  needsFilling,
  updateIndex,
} from '#features/foundation/core/indexing.queries.ts'
import { findFirstPart } from '#features/messaging/notifications/queries.ts'
import { seconds } from '#platform/clock.ts'
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

/**
 * Fills the search index where much of it is missing: after a time on a full disk, or if more comes
 * than commits may index. It stops while the disk has little room.
 */
export const fillSearchIndex: Job = {
  name: 'filling the search index',
  dueAt: (read) => (needsFilling(read) ? seconds(read.clock) : undefined),
  async run({ store }, stopping) {
    while (!stopping.aborted && needsFilling(store) && hasRoomForIndex(store)) {
      await store.write(indexSome)
      await setImmediate()
    }
  },
}

/** Brings the search index up to date after a migration, while it is used. */
export const updateSearchIndex: Job = {
  name: 'updating the search index',
  dueAt: (read) => (isIndexOutdated(read) ? seconds(read.clock) : undefined),
  async run({ store }, stopping) {
    while (!stopping.aborted && isIndexOutdated(store) && hasRoomForIndex(store)) {
      await store.write(updateIndex)
      await setImmediate()
    }
  },
}
