import type { createTransport } from 'nodemailer'
import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { deleteMail, findDueMail, nextMailDue, postponeMail, type WaitingMail } from './queries.ts'

/** The attempts per mail, over about 17 hours. */
const mostTries = 10
const firstRetrySeconds = 60
/** How long to wait for the mail server, in milliseconds. */
const timeoutMilliseconds = 20_000

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

type Transport = ReturnType<typeof createTransport>

/** Undefined if no mail server is configured any longer. */
async function openTransport({ config }: Context): Promise<Transport | undefined> {
  if (config.smtpUrl === null) return undefined
  // Loading takes 25 ms, which servers without mail do not need to spend.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: config.smtpUrl,
    connectionTimeout: timeoutMilliseconds,
    greetingTimeout: timeoutMilliseconds,
    socketTimeout: timeoutMilliseconds,
  })
}

async function sendOne(
  server: Context,
  transport: Transport | undefined,
  mail: WaitingMail,
): Promise<void> {
  const { store, clock, log } = server
  try {
    if (!transport) throw new Error('No mail server is configured.')
    await transport.sendMail({
      from: senderOf(server),
      to: { name: '', address: mail.address },
      subject: mail.subject,
      date: new Date(clock.now()),
      text: mail.body,
      headers: { ...mail.headers, 'Auto-Submitted': 'auto-generated' },
    })
    await store.write((tx) => deleteMail(tx, mail.id))
  } catch (error) {
    const failures = mail.failures + 1
    const isFinal = failures >= mostTries || isRefusal(error)
    log.warn({ mail: mail.id, failures, isFinal, err: error }, 'mail not sent')
    const retry = seconds(clock) + firstRetrySeconds * 2 ** mail.failures
    await store.write((tx) =>
      isFinal ? deleteMail(tx, mail.id) : postponeMail(tx, mail.id, failures, retry),
    )
  }
}

/** Whether the mail server rejected the recipient permanently. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return code === 'EENVELOPE' && responseCode >= 500
}

function senderOf({ config, realmUrl }: Context): string {
  return config.mailFrom ?? `Parley <noreply@${new URL(realmUrl).hostname}>`
}
