import { connect, type Socket } from 'node:net'

/** An answer: its status and its whole body. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** One keep-alive connection that has one request under way at a time. */
export interface Connection {
  /** Writes a finished request, resolves with its answer as it arrives. */
  send(request: string): Promise<Answer>
  close(): void
}

/** The caller: the address and API key of an account. */
export interface Account {
  readonly email: string
  readonly apiKey: string
}

/**
 * Opens a connection that costs as little as can be, so that the client is not what is measured:
 * no header is parsed but `Content-Length`, which every answer must carry.
 */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return speak(socket)
}

function speak(socket: Socket): Connection {
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined
  let parts: Buffer[] = []
  let size = 0
  /** Length of head and body together; 0 until the head is there. */
  let expected = 0

  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    size += chunk.length
    if (expected === 0) {
      const whole = joined(parts)
      const head = whole.indexOf('\r\n\r\n')
      if (head < 0) return
      const text = whole.toString('latin1', 0, head + 2)
      const length = contentLength(text)
      if (length === undefined) {
        socket.destroy(new Error(`An answer without Content-Length:\n${text}`))
        return
      }
      expected = head + 4 + length
    }
    if (size < expected) return
    const whole = joined(parts)
    const answer = {
      status: Number(whole.toString('latin1', 9, 12)),
      body: whole.subarray(bodyStart(whole)),
    }
    const { resolve } = waiting ?? {}
    parts = []
    size = 0
    expected = 0
    waiting = undefined
    resolve?.(answer)
  })
  const lost = (error?: Error) => {
    waiting?.reject(error ?? new Error('The server closed the connection.'))
    waiting = undefined
  }
  socket.on('error', lost)
  socket.on('close', () => lost())

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        // Servers close connections that nobody used for some seconds.
        if (socket.destroyed) lost()
        else socket.write(request, 'latin1')
      }),
    close: () => void socket.destroy(),
  }
}

function joined(parts: Buffer[]): Buffer {
  const [first] = parts
  return first && parts.length === 1 ? first : Buffer.concat(parts)
}

function bodyStart(answer: Buffer): number {
  return answer.indexOf('\r\n\r\n') + 4
}

function contentLength(head: string): number | undefined {
  const found = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)
  return found ? Number(found[1]) : undefined
}

function authorization({ email, apiKey }: Account): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
}

/** Parameters as the API wants them: strings as they are, everything else as JSON. */
export type Params = Readonly<Record<string, unknown>>

export function encodeForm(params: Params): string {
  return Object.entries(params)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name}=${encodeURIComponent(text)}`
    })
    .join('&')
}

/** Makes `POST` requests to one path as one user; the form comes encoded. */
export function poster(path: string, account?: Account): (form: string) => string {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ParleyBench/1.0\r\n` +
    (account ? `Authorization: ${authorization(account)}\r\n` : '') +
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: '
  return (form) => `${head}${form.length}\r\n\r\n${form}`
}

/** A `GET` request. */
export function getRequest(path: string, params: Params = {}, account?: Account): string {
  const query = Object.keys(params).length > 0 ? `?${encodeForm(params)}` : ''
  return (
    `GET ${path}${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ParleyBench/1.0\r\n` +
    `${account ? `Authorization: ${authorization(account)}\r\n` : ''}\r\n`
  )
}

/** Sends a request that must succeed. @throws with what the server said instead */
export async function ask(connection: Connection, request: string): Promise<Buffer> {
  const { status, body } = await connection.send(request)
  if (status !== 200) {
    throw new Error(`${request.slice(0, request.indexOf('\r\n'))}: ${status} ${body}`)
  }
  return body
}
