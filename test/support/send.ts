import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Server } from '#program/server.ts'

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

/** As `fetch` says of itself. */
const userAgent = 'node'

/** Sends requests to a server of this process without a socket. */
export function sendWithin(
  server: Pick<Server, 'fetch'>,
): (url: string, options: SendOptions) => Promise<Answer> {
  return (url, { method, headers, body }) =>
    server.fetch(
      new Request(url, {
        method,
        headers: { 'user-agent': userAgent, ...headers },
        ...(body && { body }),
      }),
    )
}

const agent = new Agent({ keepAlive: true })

/**
 * Sends a request by HTTP without TLS, over a connection that stays open. It is for the many calls of
 * tests: `fetch` takes a multiple of the CPU, and has replies compressed.
 */
export function send(url: string, { method, headers, body }: SendOptions): Promise<Answer> {
  const form = body?.toString()
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method,
      headers: {
        'user-agent': userAgent,
        ...headers,
        ...(form !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(form)),
        }),
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      text(response).then(
        (source) =>
          resolve({ status: response.statusCode ?? 0, json: async () => JSON.parse(source) }),
        reject,
      )
    })
    sent.end(form)
  })
}
