import type { Job } from '#platform/jobs/jobs.ts'
import { removeForgotten, unclaimedSeconds } from './actions.ts'
import { earliestUnclaimed } from './queries.ts'

/** The number of files that one write removes. */
const most = 200

/** Removes uploads that have been unclaimed for too long. */
export const removeUnclaimed: Job = {
  name: 'remove unclaimed uploads',
  dueAt(read) {
    const since = earliestUnclaimed(read)
    return since === undefined ? undefined : since + unclaimedSeconds
  },
  async run({ store }) {
    while ((await store.write((tx) => removeForgotten(tx, most))) === most);
  },
}
