import { Agent, type IncomingMessage, request } from 'node:http'
import type { listEndpoints } from '#program/features.ts'
import { pixel, type SampleCall } from '#test/support/calls/sample-call.ts'

type Endpoint = ReturnType<typeof listEndpoints>[number]['endpoint']

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A request before it is sent. */
export interface Sending {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A request whose headers and half of whose body have been received. */
export interface Suspended {
  /** The answer, which may come before the rest is sent. */
  readonly answered: Promise<Answer>
  /** Sends the rest. */
  complete(): Promise<Answer>
}

const encoded = (value: unknown) =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))

/**
 * What a call of an endpoint sends.
 *
 * @param prefix `/api/v1` or `/json`
 * @param credentials headers
 */
export async function sendingOf(
  endpoint: Endpoint,
  sample: SampleCall,
  prefix: string,
  credentials: Readonly<Record<string, string>>,
): Promise<Sending> {
  const params = new Map(
    Object.entries(sample.params ?? {}).map(([name, value]) => [name, encoded(value)]),
  )
  const path = endpoint.path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => {
    const value = params.get(name) ?? ''
    params.delete(name)
    return value
  })
  const form = [...params].map(([name, value]) => `${name}=${value}`).join('&')
  const inQuery = sample.picture || sample.body || endpoint.method === 'get'
  const content = await contentOf(sample, form)
  return {
    method: endpoint.method.toUpperCase(),
    path: `${prefix}${path}${inQuery && form ? `?${form}` : ''}`,
    headers: { ...credentials, ...sample.headers, 'content-type': content.type },
    body: content.body,
  }
}

async function contentOf(
  sample: SampleCall,
  form: string,
): Promise<{ type: string; body: Buffer }> {
  if (sample.picture) {
    const files = new FormData()
    files.set('file', new File([pixel], 'dot.png', { type: 'image/png' }))
    const encodedFiles = new Response(files)
    const type = encodedFiles.headers.get('content-type') ?? ''
    return { type, body: Buffer.from(await encodedFiles.arrayBuffer()) }
  }
  if (sample.body)
    return { type: 'application/json', body: Buffer.from(JSON.stringify(sample.body)) }
  // An endpoint without parameters gets one that it ignores, so that there is a body to wait for.
  const type = 'application/x-www-form-urlencoded'
  return { type, body: Buffer.from(form || 'nothing=1') }
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

/**
 * Sends the headers and half of the body. Resolves when the server has read the headers and waits
 * for the rest: it says so by `100 Continue`.
 */
export function suspend(url: string, { method, path, headers, body }: Sending): Promise<Suspended> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(body.length), expect: '100-continue' }
    const sent = request(url + path, { method, headers: { ...headers, ...length }, agent })
    const answered = new Promise<Answer>((done, failed) => {
      sent.on('response', (response) => read(response).then(done, failed))
      sent.on('error', failed)
    })
    answered.catch(reject)
    sent.on('continue', () => {
      const half = Math.floor(body.length / 2)
      sent.write(body.subarray(0, half))
      resolve({
        answered,
        complete() {
          sent.end(body.subarray(half))
          return answered
        },
      })
    })
  })
}

async function read(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  const body = text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : { text }
  return { status: response.statusCode ?? 0, body }
}
