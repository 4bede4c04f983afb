import type { Job } from '#jobs/jobs.ts'
import { graceSeconds, sweep } from './actions.ts'
import { earliestLoose } from './queries.ts'

/** How many contents one write may remove: each is a call to the file system. */
const most = 50

/** Removes the contents of files that nothing names any longer. */
export const sweepFiles: Job = {
  name: 'sweep files',
  dueAt(read) {
    const since = earliestLoose(read)
    return since === undefined ? undefined : since + graceSeconds
  },
  async run({ store, files }) {
    while ((await store.write((tx) => sweep(tx, files, most))) === most);
  },
}
