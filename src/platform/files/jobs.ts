import type { Job } from '#platform/jobs/jobs.ts'
import { graceSeconds, sweep } from './actions.ts'
import { earliestLoose } from './queries.ts'

/** The most contents that one write removes: each takes a file system call. */
const most = 50

/** Removes file contents that no row references anymore. */
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
