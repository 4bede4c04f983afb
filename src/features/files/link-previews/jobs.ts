import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { serveDue } from '#platform/jobs/serve-due.ts'
import { recordPage } from './actions.ts'
import { fetchPage } from './fetching.ts'
import { isAnyPageAsked, listAskedPages } from './queries.ts'

/**
 * The most pages that are read at the same time, one for each user whose messages link to them.
 */
const atOnce = 8

export const readPages: Job = {
  name: 'read the pages of links',
  dueAt: (read) => (isAnyPageAsked(read) ? seconds(read.clock) : undefined),
  run: (server, stopping) =>
    serveDue(server, stopping, {
      name: 'reading the page of a link',
      atOnce,
      list: (users, most) => listAskedPages(server.store, [...users].map(Number), most),
      keyOf: ({ askedBy }) => String(askedBy),
      async serve({ url }) {
        const facts = await fetchPage(server, url, stopping)
        // Cut off by the stop, and asked for again at the next start.
        if (stopping.aborted) return
        await server.store.write((tx) => recordPage(tx, url, facts))
      },
    }),
}
