import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import { type Account, encodeForm, type Params } from '#test/bench/http.ts'

/** A request to the server on this machine. */
export interface Call {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** The caller; default: the attacker; null: nobody. */
  readonly as?: Account | null
  /** After how long the client goes away without the answer, in milliseconds. */
  readonly abandonAfterMs?: number
}

export interface Answer {
  readonly status: number
  readonly body: Buffer
  /** The `Retry-After` header, in seconds. */
  readonly retryAfter: number | undefined
}

export const newAgent = (): Agent => new Agent({ keepAlive: true })

export function authorization({ email, apiKey }: Account): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
}

const guarded = new WeakSet<Socket>()

/** A server that answers before it has read the whole body breaks the connection after the answer. */
function guard(socket: Socket): void {
  if (guarded.has(socket)) return
  guarded.add(socket)
  socket.on('error', () => {})
}

/** Makes a call over an agent's connections. @throws Error the connection was lost */
export function makeCall(
  agent: Agent,
  port: number,
  { method, path, headers, body, as, abandonAfterMs }: Call,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request({
      ...{ agent, port, host: '127.0.0.1', method, path },
      headers: {
        ...(as && { authorization: authorization(as) }),
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    })
    asking.on('error', reject)
    asking.on('socket', guard)
    asking.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => void parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts),
          retryAfter: Number(response.headers['retry-after']) || undefined,
        }),
      )
    })
    const timer = abandonAfterMs ? setTimeout(() => asking.destroy(), abandonAfterMs) : undefined
    asking.on('close', () => clearTimeout(timer))
    asking.end(body)
  })
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** A call of the API with its parameters in a form. */
export function sending(method: string, path: string, params: Params | string = {}): Call {
  const body = typeof params === 'string' ? params : encodeForm(params)
  return { method, path: `/api/v1${path}`, headers: formType, body }
}

export function reading(path: string, params: Params = {}): Call {
  return { method: 'GET', path: `/api/v1${path}?${encodeForm(params)}` }
}

const boundary = 'xxBoundaryxx'
export const multipartType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** The body of an upload up to where the file ends, without what has to follow. */
export function openUpload(bytes: Buffer, name: string, type: string): Buffer {
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
    `Content-Type: ${type}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

export function uploading(path: string, bytes: Buffer, name: string, type: string): Call {
  const closing = Buffer.from(`\r\n--${boundary}--\r\n`)
  const body = Buffer.concat([openUpload(bytes, name, type), closing])
  return { method: 'POST', path: `/api/v1${path}`, headers: multipartType, body }
}
