import { mailRequestDue } from '#features/foundation/mail/links.queries.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { sendPasswordReset } from './actions.ts'

/** Mails reset links to users who requested one. */
export const sendPasswordResets: Job = {
  name: 'password resets',
  dueAt: (read) => mailRequestDue(read, 'password_reset'),
  async run(server, stopping) {
    while (!stopping.aborted) {
      if (!(await server.store.write((tx) => sendPasswordReset(tx, server)))) return
    }
  },
}
