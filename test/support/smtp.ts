import { createServer, type Socket } from 'node:net'

/** A mail as the mail server got it. */
export interface ReceivedMail {
  /** From the envelope. */
  readonly from: string
  readonly to: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Decoded text. */
  readonly text: string
}

export interface MailServer {
  readonly url: string
  /** Everything that came, the oldest first; takes it away. */
  take(): ReceivedMail[]
  /** What it says from now on instead of taking a recipient or a message: `450 later`. */
  refuse(answer: { recipient?: string; message?: string }): void
  close(): Promise<void>
}

/** As much of an SMTP server as a client needs that sends plain text. */
export async function startMailServer(): Promise<MailServer> {
  let received: ReceivedMail[] = []
  let refusal: { recipient?: string; message?: string } = {}
  const sockets = new Set<Socket>()

  function talk(socket: Socket): void {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let input = ''
    let isData = false
    let from = ''
    let to: string[] = []
    const say = (line: string) => socket.write(`${line}\r\n`)
    const address = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? ''
    say('220 test')

    /** What the server answers to a line. */
    function answer(line: string): string {
      switch (line.slice(0, 4).toUpperCase()) {
        case 'MAIL':
          from = address(line)
          to = []
          return '250 ok'
        case 'RCPT':
          if (refusal.recipient) return refusal.recipient
          to.push(address(line))
          return '250 ok'
        case 'DATA':
          isData = true
          return '354 go on'
        case 'QUIT':
          return '221 bye'
        default:
          return '250 ok'
      }
    }

    socket.on('data', (bytes) => {
      input += bytes.toString('latin1')
      for (;;) {
        const end = input.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const part = input.slice(0, end)
        input = input.slice(end + (isData ? 5 : 2))
        if (!isData) say(answer(part))
        else {
          isData = false
          if (refusal.message) say(refusal.message)
          else {
            received.push({ from, to, ...parse(part) })
            say('250 taken')
          }
        }
      }
    })
  }

  const server = createServer(talk)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
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
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
}

function parse(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = source.slice(end + 4).replaceAll('\r\n..', '\r\n.')
  const encoding = headers['content-transfer-encoding']
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquoted(body) : body, 'latin1')
  return { headers, text: bytes.toString('utf8').replaceAll('\r\n', '\n') }
}

function unquoted(body: string): string {
  return body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
