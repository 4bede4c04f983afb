import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HeaderRecord, LightHeaders } from './headers.ts'

/**
 * A request as it arrived. What our code and the router ask for is answered without the platform's
 * `Request`; all else by a real one, which is made when it is asked.
 */
export class LightRequest implements Request {
  readonly method: string
  readonly url: string
  readonly headers: LightHeaders
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  #abort: AbortController | undefined
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined
  #real: Request | undefined

  constructor(url: string, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method ?? 'GET'
    this.url = url
    this.headers = new LightHeaders(incoming.headers as HeaderRecord)
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  /** Aborted when the connection is lost before the reply is complete. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController()
      const outgoing = this.#outgoing
      const end = () => {
        if (!outgoing.writableFinished) abort.abort(new Error('The connection was lost.'))
      }
      if (outgoing.closed) end()
      else outgoing.once('close', end)
      this.#abort = abort
    }
    return this.#abort.signal
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#body === undefined) this.#body = this.#hasBody ? streamOf(this.#incoming) : null
    return this.#body
  }

  get bodyUsed(): boolean {
    return this.#incoming.readableDidRead
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer
  }

  /** @throws Error the connection is lost, or the body has been read */
  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#hasBody ? receive(this.#incoming) : Promise.resolve(new Uint8Array())
  }

  async text(): Promise<string> {
    return Buffer.from(await this.arrayBuffer()).toString()
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  /** The same as the platform has it. It shares the body, which can be read once. */
  get real(): Request {
    const { method, url, headers, body, signal } = this
    const init = { method, headers: [...headers], body, signal, duplex: 'half' }
    this.#real ??= new Request(url, init as RequestInit)
    return this.#real
  }

  blob(): Promise<Blob> {
    return this.real.blob()
  }

  clone(): Request {
    return this.real.clone()
  }

  formData(): Promise<FormData> {
    return this.real.formData()
  }

  get cache(): RequestCache {
    return this.real.cache
  }

  get credentials(): RequestCredentials {
    return this.real.credentials
  }

  get destination(): RequestDestination {
    return this.real.destination
  }

  get integrity(): string {
    return this.real.integrity
  }

  get keepalive(): boolean {
    return this.real.keepalive
  }

  get mode(): RequestMode {
    return this.real.mode
  }

  get redirect(): RequestRedirect {
    return this.real.redirect
  }

  get referrer(): string {
    return this.real.referrer
  }

  get referrerPolicy(): ReferrerPolicy {
    return this.real.referrerPolicy
  }

  get #hasBody(): boolean {
    return this.method !== 'GET' && this.method !== 'HEAD'
  }
}

function receive(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  if (incoming.destroyed || incoming.readableDidRead) {
    return Promise.reject(new Error('The body of the request cannot be read.'))
  }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    // Not the parts themselves: Node may read the next request into their memory.
    incoming.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    incoming.on('error', reject)
    incoming.on('close', () => reject(new Error('The connection was lost.')))
  })
}

/** Whoever stops reading leaves the connection open, for the reply. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = incoming.iterator({ destroyOnReturn: false })
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await parts.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
