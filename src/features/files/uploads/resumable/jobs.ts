import type { Job } from '#platform/jobs/jobs.ts'
import { endExpired } from './actions.ts'
import { nextExpiry } from './queries.ts'

const most = 100

/** Deletes uploads that have expired. */
export const endResumableUploads: Job = {
  name: 'end resumable uploads',
  dueAt: nextExpiry,
  async run({ store }) {
    while ((await store.write((tx) => endExpired(tx, most))) === most);
  },
}
