import type { createTransport } from 'nodemailer'
import type { Context } from '#platform/context.ts'
import type { Mail } from './frame.ts'

/** How long to wait for the mail server, in milliseconds. */
const timeoutMilliseconds = 20_000

type Transport = ReturnType<typeof createTransport>

/** Undefined if no mail server is configured. Close it. */
export async function openTransport({
  config,
}: Pick<Context, 'config'>): Promise<Transport | undefined> {
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

/** Hands a mail to the mail server now. @throws Error it did not take it, or none is configured */
export async function deliver(
  { config, realmUrl, clock }: Context,
  transport: Transport | undefined,
  mail: Omit<Mail, 'html' | 'headers'> & {
    /** Null: queued by a version without it. */
    readonly html: string | null
    readonly headers?: Mail['headers'] | null
  },
): Promise<void> {
  if (!transport) throw new Error('No mail server is configured.')
  await transport.sendMail({
    from: config.mailFrom ?? `Parley <noreply@${new URL(realmUrl).hostname}>`,
    to: { name: '', address: mail.address },
    subject: mail.subject,
    date: new Date(clock.now()),
    text: mail.body,
    ...(mail.html !== null && { html: mail.html }),
    headers: { ...mail.headers, 'Auto-Submitted': 'auto-generated' },
  })
}
