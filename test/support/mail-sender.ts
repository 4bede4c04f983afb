import { createTransport, type SendMailOptions } from 'nodemailer'

/** A program that sends mail to a server's gateway. */
export interface MailSender {
  /** Sends a source as it is. @returns what the server answers: its code and text */
  send(to: string | readonly string[], source: string | Buffer, from?: string): Promise<string>
  /** Composes a mail and sends it. @returns as `send` */
  compose(mail: SendMailOptions): Promise<string>
  close(): void
}

/** @param port of the gateway, on this machine */
export function openMailSender(port: number): MailSender {
  // One connection for all mails, as the server makes each new one wait for 100 ms.
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
  })
  const compose = async (mail: SendMailOptions) => {
    try {
      return (await transport.sendMail(mail)).response
    } catch (error) {
      return (error as { response?: string }).response ?? String(error)
    }
  }
  return {
    send: (to, source, from = 'ada@example.com') =>
      compose({ envelope: { from, to: [to].flat() }, raw: source }),
    compose,
    close: () => transport.close(),
  }
}

/** The source of a mail. @param headers lines that end with CRLF */
export function plainMail(subject: string, text: string, headers = ''): string {
  return `From: Ada <ada@example.com>\r\nSubject: ${subject}\r\n${headers}\r\n${text}\r\n`
}
