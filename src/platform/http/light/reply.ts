import { LightHeaders } from './headers.ts'

/** The content of a reply; a stream is passed on as fast as the client reads. */
export type Content = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

/** The status, 200 by default, and the headers of a reply. */
export interface ReplyInit {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>> | Iterable<readonly [string, string]>
}

/**
 * A reply as the listener writes it. All that other code may ask of a `Response` is answered by a
 * real one, which is made when it is asked.
 */
export class LightReply implements Response {
  readonly content: Content
  readonly status: number
  readonly headers: LightHeaders
  #real: Response | undefined

  constructor(content: Content, { status = 200, headers = {} }: ReplyInit = {}) {
    this.content = content
    this.status = status
    if (Symbol.iterator in headers) {
      this.headers = new LightHeaders({})
      for (const [name, value] of headers) this.headers.append(name, value)
    } else this.headers = new LightHeaders({ ...headers })
  }

  /** The same as the platform has it. It shares the content, which can be read once. */
  get real(): Response {
    const { content, status, headers } = this
    this.#real ??= new Response(content, { status, headers: [...headers] })
    return this.#real
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get redirected(): boolean {
    return this.real.redirected
  }

  get statusText(): string {
    return this.real.statusText
  }

  get type(): ResponseType {
    return this.real.type
  }

  get url(): string {
    return this.real.url
  }

  get body(): Response['body'] {
    return this.real.body
  }

  get bodyUsed(): boolean {
    return this.real.bodyUsed
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.real.arrayBuffer()
  }

  blob(): Promise<Blob> {
    return this.real.blob()
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.real.bytes()
  }

  clone(): Response {
    return this.real.clone()
  }

  formData(): Promise<FormData> {
    return this.real.formData()
  }

  json(): Promise<unknown> {
    return this.real.json()
  }

  text(): Promise<string> {
    return this.real.text()
  }
}

/** A reply of JSON text. */
export function lightJson(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): LightReply {
  const all = { 'Content-Type': 'application/json', ...headers }
  return new LightReply(JSON.stringify(value), { status, headers: all })
}

/** A reply of plain text. */
export function lightText(text: string, status = 200): LightReply {
  return new LightReply(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

/** A script of a page, which changes with the version of the server. */
export function lightScript(source: string): LightReply {
  const type = 'text/javascript; charset=utf-8'
  return new LightReply(source, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } })
}

/**
 * Sends the client to another address.
 *
 * @param headers others, such as cookies
 */
export function redirect(
  location: string,
  status: 301 | 302 | 303 = 302,
  headers: Iterable<readonly [string, string]> = [],
): LightReply {
  // What a header holds beyond ASCII is read in different ways.
  const target = /[^\0-\x7f]/.test(location) ? encodeURI(location) : location
  return new LightReply(null, { status, headers: [['Location', target], ...headers] })
}

/** For programs that embed the server: the reply as a `Response` of the platform. */
export function realReply(reply: Response): Response {
  return reply instanceof LightReply ? reply.real : reply
}
