import assert from 'node:assert/strict'
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

/** A push as the push service and the browser got it. */
export interface ReceivedPush {
  /** The last part of the endpoint's path. */
  readonly device: string
  readonly headers: IncomingHttpHeaders
  /** The claims of the sender's token, whose signature is right. */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string }
  /** The length of the body, in bytes. */
  readonly size: number
  /** Decrypted. */
  readonly payload: Record<string, unknown>
}

/** A browser's part of a subscription. */
export interface PushDevice {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** A push service with its browsers: it checks and decrypts all that it gets. */
export interface WebPushService {
  readonly origin: string
  /** A new device, or one of this name again with new keys. */
  device(name?: string): PushDevice
  /** What came, the oldest first; takes it away. */
  take(): ReceivedPush[]
  /** What it answers for a device from now on; undefined: 201. */
  answers(name: string, answer: Answer | undefined): void
  /** Lets the answers wait for `release`. */
  hold(): { readonly arrived: Promise<void>; release(): void }
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  /** How often; default: always. */
  readonly times?: number
  /** Whether the body never ends. */
  readonly endless?: boolean
}

/** @param serverKey the point that devices are bound to, in base64url */
export async function startWebPushService(serverKey: () => string): Promise<WebPushService> {
  const keys = new Map<string, { pair: ECDH; auth: Buffer }>()
  const answers = new Map<string, { answer: Answer; left: number }>()
  let received: ReceivedPush[] = []
  let gate: { arrive(): void; open: Promise<void> } | undefined
  let made = 0

  const http = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const name = (request.url ?? '').split('/').at(-1) ?? ''
    const answer = next(name)
    if (answer.status === 201) {
      const known = keys.get(name)
      assert.ok(known, `the device ${name}`)
      const body = Buffer.concat(parts)
      received.push({
        device: name,
        headers: request.headers,
        claims: claimsIn(request.headers.authorization ?? '', serverKey()),
        size: body.length,
        payload: JSON.parse(decrypt(body, known.pair, known.auth).toString('utf8')),
      })
    }
    gate?.arrive()
    await gate?.open
    response.writeHead(answer.status, answer.headers)
    if (answer.endless) {
      const chunk = Buffer.alloc(64 * 1024)
      response.on('error', () => {})
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    } else response.end()
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const { port } = http.address() as { port: number }
  const origin = `http://127.0.0.1:${port}`

  function next(name: string): Answer {
    const found = answers.get(name)
    if (!found) return { status: 201 }
    found.left -= 1
    if (found.left <= 0) answers.delete(name)
    return found.answer
  }

  return {
    origin,
    device(name = `device-${++made}`) {
      const pair = createECDH('prime256v1')
      pair.generateKeys()
      const auth = randomBytes(16)
      keys.set(name, { pair, auth })
      return {
        endpoint: `${origin}/push/${name}`,
        p256dh: pair.getPublicKey('base64url'),
        auth: auth.toString('base64url'),
      }
    },
    take() {
      const all = received
      received = []
      return all
    },
    answers(name, answer) {
      if (!answer) answers.delete(name)
      else answers.set(name, { answer, left: answer.times ?? Number.POSITIVE_INFINITY })
    },
    hold() {
      let release = () => {}
      let arrive = () => {}
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve
      })
      const open = new Promise<void>((resolve) => {
        release = () => {
          gate = undefined
          resolve()
        }
      })
      gate = { arrive, open }
      return { arrived, release }
    },
    close: () =>
      new Promise<void>((done) => {
        http.closeAllConnections()
        http.close(() => done())
      }),
  }
}

/** The claims of a token that the owner of the key signed. @source RFC 8292 */
function claimsIn(header: string, serverKey: string): ReceivedPush['claims'] {
  const [, head = '', body = '', signature = '', k] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
  assert.equal(k, serverKey)
  const point = Buffer.from(serverKey, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  assert.ok(isRight, 'the signature')
  assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), {
    typ: 'JWT',
    alg: 'ES256',
  })
  return JSON.parse(Buffer.from(body, 'base64url').toString())
}

/** What a browser reads. @source RFC 8188, section 2; RFC 8291, section 3 */
function decrypt(body: Buffer, pair: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16)
  const point = body.subarray(21, 21 + body.readUInt8(20))
  const sealed = body.subarray(21 + point.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), point])
  const secret = hkdfSync('sha256', pair.computeSecret(point), auth, info, 32)
  const part = (name: string, length: number) =>
    Buffer.from(
      hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${name}\0`, length),
    )
  const cipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
  cipher.setAuthTag(sealed.subarray(-16))
  const record = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  assert.equal(record.at(-1), 2, 'the end of the last record')
  return record.subarray(0, -1)
}
