import { connect, type Socket } from 'node:net'

export interface SendOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams
}

/** What calls need of a `Response`. */
export interface Answer {
  readonly status: number
  json(): Promise<unknown>
}

/** A connection that stays open, for one call after the other. */
interface Wire {
  readonly socket: Socket
  /** In Latin-1, which has a character for each byte. */
  received: string
  /** The call that waits for its answer. */
  call: { resolve(answer: Answer): void; reject(error: Error): void } | undefined
  idleSince: number
}

/** Wires without a call, by the host that they lead to. */
const idle = new Map<string, Wire[]>()

/** Servers close what is idle for longer, which a call may come to know too late. */
const mostIdleMs = 500

/**
 * Sends a request by HTTP without TLS, over a connection that stays open. It is for the many calls of
 * tests: Node's client takes twice the CPU, and `fetch` a multiple, and has replies compressed.
 */
export function send(url: string, { method, headers, body }: SendOptions): Promise<Answer> {
  const { host, pathname, search } = new URL(url)
  const form = body?.toString()
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    // As `fetch` says of itself.
    'user-agent: node',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(form === undefined
      ? []
      : ['content-type: application/x-www-form-urlencoded', `content-length: ${form.length}`]),
  ]
  return new Promise((resolve, reject) => {
    const wire = wireTo(host)
    wire.call = { resolve, reject }
    wire.socket.write(`${lines.join('\r\n')}\r\n\r\n${form ?? ''}`, 'latin1')
  })
}

function wireTo(host: string): Wire {
  const waiting = idle.get(host) ?? []
  for (let wire = waiting.pop(); wire; wire = waiting.pop()) {
    if (performance.now() - wire.idleSince < mostIdleMs) {
      wire.socket.ref()
      return wire
    }
    wire.socket.destroy()
  }
  return openWire(host)
}

function openWire(host: string): Wire {
  const { hostname, port } = new URL(`http://${host}`)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const wire: Wire = { socket, received: '', call: undefined, idleSince: 0 }
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => receive(host, wire, part))
  const end = (error = new Error('The connection ended before the answer.')) => {
    idle.set(
      host,
      (idle.get(host) ?? []).filter((each) => each !== wire),
    )
    wire.call?.reject(error)
  }
  socket.on('error', end)
  socket.on('close', () => end())
  return wire
}

function receive(host: string, wire: Wire, part: string): void {
  wire.received += part
  const answer = parse(wire.received)
  if (!answer) return
  const { call } = wire
  const { status, body, isLast } = answer
  wire.call = undefined
  wire.received = ''
  if (isLast) wire.socket.destroy()
  else {
    wire.idleSince = performance.now()
    // Nothing that keeps the process alive.
    wire.socket.unref()
    idle.set(host, [...(idle.get(host) ?? []), wire])
  }
  call?.resolve({ status, json: async () => JSON.parse(Buffer.from(body, 'latin1').toString()) })
}

interface Parsed {
  readonly status: number
  readonly body: string
  /** Whether the connection takes no other call. */
  readonly isLast: boolean
}

/** An answer, as soon as all of it is there. */
function parse(text: string): Parsed | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  const rest = text.slice(end + 4)
  const body = length === undefined ? joinChunks(rest) : rest
  if (body === undefined || body.length < Number(length ?? 0)) return undefined
  return {
    status: Number(head.slice('HTTP/1.1 '.length).slice(0, 3)),
    body,
    isLast: /\r\nconnection: *close/i.test(head),
  }
}

/** What a body in chunks holds, as soon as its last chunk is there, which is empty. */
function joinChunks(text: string): string | undefined {
  let body = ''
  for (let at = 0; ; ) {
    const line = text.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(text.slice(at, line), 16)
    if (size === 0) return text.length < line + 4 ? undefined : body
    body += text.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}
