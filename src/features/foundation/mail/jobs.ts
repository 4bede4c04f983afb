import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { deliver, openTransport } from './delivery.actions.ts'
import { deleteMail, findDueMail, nextMailDue, postponeMail, type WaitingMail } from './queries.ts'

/** The attempts per mail, over about 17 hours. */
const mostTries = 10
const firstRetrySeconds = 60

/** Sends queued mail, and retries at growing intervals. */
export const sendMail: Job = {
  name: 'mail',
  dueAt: nextMailDue,
  async run(server, stopping) {
    const transport = await openTransport(server)
    try {
      // This includes mail queued in the meantime. A failed attempt is due later, so the loop ends.
      while (!stopping.aborted) {
        const mail = findDueMail(server.store)
        if (!mail) return
        await sendOne(server, transport, mail)
      }
    } finally {
      transport?.close()
    }
  },
}

async function sendOne(
  server: SystemContext,
  transport: Awaited<ReturnType<typeof openTransport>>,
  mail: WaitingMail,
): Promise<void> {
  const { store, clock, log } = server
  try {
    await deliver(server, transport, mail)
    await store.write((tx) => deleteMail(tx, mail.id))
  } catch (error) {
    const failures = mail.failures + 1
    const isFinal = failures >= mostTries || isRefusal(error)
    log.warn({ mail: mail.id, failures, isFinal, err: error }, 'a mail was not sent')
    const retry = seconds(clock) + firstRetrySeconds * 2 ** mail.failures
    await store.write((tx) =>
      isFinal ? deleteMail(tx, mail.id) : postponeMail(tx, mail.id, failures, retry),
    )
  }
}

/**
 * Whether the mail server rejected the recipient or the mail permanently. A rejected sender is a
 * mistake in the settings, which the operator can correct.
 */
function isRefusal(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number }
  return (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500
}
