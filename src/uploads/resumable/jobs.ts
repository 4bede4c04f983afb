import type { Job } from '#jobs/jobs.ts'
import { endExpired } from './actions.ts'
import { nextExpiry } from './queries.ts'

const most = 100

/** Gives up uploads of which nothing has come for too long. */
export const endResumableUploads: Job = {
  name: 'end resumable uploads',
  dueAt: nextExpiry,
  async run({ store }) {
    while ((await store.write((tx) => endExpired(tx, most))) === most);
  },
}
