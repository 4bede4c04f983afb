import { mailRequestDue } from '#features/mail/links.queries.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { sendPasswordReset } from './actions.ts'

/** Mails reset links to users who requested one. */
export const answerPasswordResets: Job = {
  name: 'password resets',
  dueAt: (read) => mailRequestDue(read, 'password_reset'),
  async run({ store, realmUrl }, stopping) {
    while (!stopping.aborted) {
      if (!(await store.write((tx) => sendPasswordReset(tx, realmUrl)))) return
    }
  },
}
