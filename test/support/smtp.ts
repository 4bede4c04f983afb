import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail as the mail server got it. */
export interface ReceivedMail {
  /** From the envelope. */
  readonly from: string
  readonly to: readonly string[]
  /** As they were sent, unfolded. */
  readonly headers: Readonly<Record<string, string>>
  /** The part that is plain text, decoded. */
  readonly text: string
  /** The part that is HTML, decoded; empty: none. */
  readonly html: string
}

export interface MailServer {
  readonly url: string
  /** Everything that came, the oldest first; takes it away. */
  take(): ReceivedMail[]
  /** What it says from now on instead of taking a recipient or a message: `450 later`. */
  refuse(answer: { recipient?: string; message?: string }): void
  close(): Promise<void>
}

/** An SMTP server without TLS and passwords that keeps what it gets. */
export async function startMailServer(): Promise<MailServer> {
  let received: ReceivedMail[] = []
  let refusal: { recipient?: string; message?: string } = {}
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_, __, done) {
      done(refusal.recipient === undefined ? null : refused(refusal.recipient))
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', async () => {
        if (refusal.message !== undefined) return done(refused(refusal.message))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, ...(await parse(Buffer.concat(parts))) })
        done()
      })
    },
  })
  // A client that vanishes in the middle of a mail is no failure of the test.
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    take() {
      const all = received
      received = []
      return all
    },
    refuse(answer) {
      refusal = answer
    },
    close: () => new Promise((done) => server.close(() => done())),
  }
}

function refused(answer: string): Error {
  const [, code, message = ''] = /^(\d{3}) (.*)$/.exec(answer) ?? []
  return Object.assign(new Error(message), { responseCode: Number(code) })
}

async function parse(source: Buffer): Promise<Pick<ReceivedMail, 'headers' | 'text' | 'html'>> {
  const { headers, text = '', html = '' } = await PostalMime.parse(source)
  return { headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])), text, html }
}
