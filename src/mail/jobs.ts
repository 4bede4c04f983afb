import type { createTransport } from 'nodemailer'
import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import type { Job } from '#jobs/jobs.ts'
import { deleteMail, findDueMail, nextMailDue, postponeMail, type WaitingMail } from './queries.ts'

/** How often a mail is tried, over the better part of a day. */
const mostTries = 10
const firstRetrySeconds = 60
/** Milliseconds in which the mail server has to answer. */
const patience = 20_000

/** Hands waiting mail to the mail server, each with further tries at growing intervals. */
export const sendMail: Job = {
  name: 'mail',
  dueAt: nextMailDue,
  async run(server, stopping) {
    const transport = await openTransport(server)
    try {
      // What is queued meanwhile goes along; what fails is due later, so this ends.
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

/** Undefined where no mail server is configured any more. */
async function openTransport({ config }: Context): Promise<Transport | undefined> {
  if (config.smtpUrl === null) return undefined
  // Loading it takes 25 ms, which a server that sends no mail keeps.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: config.smtpUrl,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
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
      headers: { 'Auto-Submitted': 'auto-generated' },
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

/** Whether the mail server said that it will never take this recipient. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return code === 'EENVELOPE' && responseCode >= 500
}

function senderOf({ config, realmUrl }: Context): string {
  return config.mailFrom ?? `Parley <noreply@${new URL(realmUrl).hostname}>`
}
