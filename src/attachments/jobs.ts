import type { Job } from '#jobs/jobs.ts'
import { removeForgotten, unclaimedSeconds } from './actions.ts'
import { earliestUnclaimed } from './queries.ts'

/** How many files one write removes. */
const most = 200

/** Removes uploads that no message has linked to for weeks. */
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
