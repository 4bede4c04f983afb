import { mailRequestDue } from '#features/mail/links.queries.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { answerPasswordReset } from './actions.ts'

/** Mails reset links to those who asked for one and have an account. */
export const answerPasswordResets: Job = {
  name: 'password resets',
  dueAt: (read) => mailRequestDue(read, 'password_reset'),
  async run({ store, realmUrl }, stopping) {
    while (!stopping.aborted) {
      if (!(await store.write((tx) => answerPasswordReset(tx, realmUrl)))) return
    }
  },
}
