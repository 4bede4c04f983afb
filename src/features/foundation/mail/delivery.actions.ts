import type { createTransport } from 'nodemailer'
import { seconds } from '#platform/clock.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import type { Mail } from './frame.ts'
import { keepMail } from './kept.queries.ts'

/** How long to wait for each answer of the mail server, in milliseconds. */
export const mailTimeout = 20_000

type Transport = ReturnType<typeof createTransport>

/** Undefined if no mail server is configured, or none is to be used. Close it. */
export async function openTransport(
  { config: { smtpUrl, keepMail } }: Pick<Context, 'config'>,
  timeout = mailTimeout,
): Promise<Transport | undefined> {
  if (smtpUrl === null || keepMail) return undefined
  // Loading takes 25 ms, which servers without mail do not need to spend.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
  })
}

/** A mail, as it is queued or new. */
type Outgoing = Omit<Mail, 'html' | 'headers'> & {
  /** Null: queued by a version without it. */
  readonly html: string | null
  readonly headers?: Mail['headers'] | null
}

/**
 * Hands a mail to the mail server now, or keeps it if no mail is to be sent.
 *
 * @throws Error the mail server refused it, or none is configured
 */
export async function deliver(
  server: SystemContext,
  transport: Transport | undefined,
  mail: Outgoing,
): Promise<void> {
  const { config, store, clock } = server
  const from = senderOf(server)
  const headers = { ...mail.headers, 'Auto-Submitted': 'auto-generated' }
  const { address, subject, body: text, html } = mail
  if (config.keepMail) {
    const sentAt = seconds(clock)
    keepMail(store, { sentAt, from, to: address, subject, headers, text, html: html ?? '' })
    return
  }
  if (!transport) throw new Error('No mail server is configured.')
  await transport.sendMail({
    from,
    to: { name: '', address },
    subject,
    date: new Date(clock.now()),
    text,
    ...(html !== null && { html }),
    headers,
  })
}

/** The sender of mail, as `Name <address>`. */
export function senderOf({ config, realmUrl }: Pick<Context, 'config' | 'realmUrl'>): string {
  return config.mailFrom ?? `Parley <noreply@${new URL(realmUrl).hostname}>`
}
