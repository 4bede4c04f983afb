import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pngPicture } from '#test/support/pictures.ts'

/** A server that answers as Slack's. */
export interface SlackServer {
  readonly origin: string
  /** Paths that were asked for, with the credential that came along. */
  readonly asked: string[]
  close(): Promise<void>
}

/** @param token the only one whose requests to the API succeed */
export async function startSlack(token: string): Promise<SlackServer> {
  const asked: string[] = []
  let isBusy = true
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x')
    const { authorization = '' } = request.headers
    asked.push(`${pathname} ${authorization}`.trim())
    const send = (status: number, type: string, body: string | Uint8Array, more = {}) => {
      response.writeHead(status, { 'Content-Type': type, ...more }).end(body)
    }
    const json = (value: object) => send(200, 'application/json', JSON.stringify(value))
    const isAllowed = authorization === `Bearer ${token}`
    if (pathname.startsWith('/api/') && !isAllowed)
      return json({ ok: false, error: 'invalid_auth' })
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      switch (pathname) {
        case '/api/users.list':
          return body.includes('cursor=next')
            ? json({ ok: true, members: [{ id: 'U3', profile: { email: 'gast@example.com' } }] })
            : json({ ok: true, members: [{ bad: 1 }], response_metadata: { next_cursor: 'next' } })
        case '/api/emoji.list':
          return json({
            ok: true,
            emoji: {
              party: 'alias:wavy',
              wavy: `${origin}/wavy.png`,
              parrot: `${origin}/gone.png`,
              okay: 'alias:white_check_mark',
              round: 'alias:round',
            },
          })
        case '/api/team.info':
          return json({
            ok: true,
            team: { name: 'The Team', icon: { image_230: `${origin}/icon` } },
          })
        case '/icon':
        case '/wavy.png':
          return send(200, 'image/png', pngPicture())
        case '/good':
          if (!isBusy) return send(200, 'text/plain', 'plan')
          isBusy = false
          return send(429, 'text/plain', 'busy', { 'Retry-After': '0' })
        case '/login':
          return send(200, 'text/html; charset=utf-8', '<html>Sign in')
        case '/cut':
          response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': '10' })
          return response.write('12345', () => response.destroy())
        case '/moved':
          return send(302, 'text/html', '', { Location: `${origin}/login` })
        default:
          return send(404, 'text/plain', 'no')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
