import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { endStatus } from './actions.ts'
import { findFirstEnd } from './queries.ts'

/** Clears the statuses whose end has come. */
export const endStatuses: Job = {
  name: 'end statuses',
  dueAt: (read) => findFirstEnd(read)?.endsAt,
  async run({ store, clock }, stopping) {
    while (!stopping.aborted) {
      const first = findFirstEnd(store)
      if (!first || first.endsAt > seconds(clock)) return
      await store.write((tx) => endStatus(tx, first.userId))
    }
  },
}
