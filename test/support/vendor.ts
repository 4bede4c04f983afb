import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { TestServer } from './server.ts'

/** A request that reached a vendor. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server that plays someone whom our server asks. */
export interface Vendor {
  /** With the port. */
  readonly host: string
  /** What it was asked. */
  readonly asked: Asked[]
  answer: (response: ServerResponse, request: Asked) => void
}

/** Starts a vendor, until the tests of the file have run: to be called outside of hooks. */
export async function startVendor(): Promise<Vendor> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://vendor')
      const { method = '', headers } = request
      const it = { method, url, headers, body: Buffer.concat(parts).toString() }
      asked.push(it)
      vendor.answer(response, it)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const vendor: Vendor = { host, asked, answer: (response) => response.writeHead(404).end() }
  return vendor
}

/** The cookies of a browser in which someone has logged in, for a header. */
export async function browserCookies(server: TestServer, email: string): Promise<string> {
  const reply = await fetch(`${server.url}/api/v1/dev_fetch_api_key?username=${email}`, {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0 Firefox/150.0' },
  })
  await reply.arrayBuffer()
  return reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Follows a link of the server as a browser in which someone has logged in, or nobody. */
export async function follow(server: TestServer, link: string, cookie = '') {
  const reply = await fetch(new URL(link, server.url), {
    redirect: 'manual',
    headers: { cookie, accept: 'text/html' },
  })
  const { status, headers } = reply
  return { status, headers, text: await reply.text() }
}
