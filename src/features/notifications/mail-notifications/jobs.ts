import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { mailMissed } from './actions.ts'
import { loadMessageHtml } from './message-html.ts'
import { findDueReader, nextMissedMail } from './queries.ts'

/** Queues the mails about missed messages, one person at a time. */
export const mailMissedMessages: Job = {
  name: 'missed mail',
  dueAt: nextMissedMail,
  async run(server, stopping) {
    const { store, clock } = server
    const toMailHtml = await loadMessageHtml()
    while (!stopping.aborted) {
      const userId = findDueReader(store, seconds(clock))
      if (userId === undefined) return
      await store.write((tx) => mailMissed(tx, server, userId, toMailHtml))
    }
  },
}
