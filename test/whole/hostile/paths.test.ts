import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { createApp } from '#program/app.ts'
import { draw } from '#test/support/drawing.ts'
import { startServer } from '#test/support/server.ts'

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
const server = await startServer({ log })
after(server.close)

const owner = server.as('owner')
const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}`

/** What can end in a header, a redirect, a cookie or the log. The first is decoded twice or never. */
const values = [
  'a%250d%250aInjected:%20yes',
  'a%0d%0aInjected:%20yes',
  '%0d%0a',
  '%0a',
  '%00',
  '%ff%fe',
  '%ed%a0%80',
  'a%22;%20Injected=%22',
  '%E2%80%A8%F0%9F%92%A9',
  '%2f%2fevil.example%2f',
  '%5c%5cevil.example',
  '__proto__',
  `${'9'.repeat(400)}`,
  'x'.repeat(3000),
]

/** A path with the value for each of its parameters, as far as their patterns take it. */
function filled(path: string, value: string): string {
  return path.replace(
    /:(\w+)(?:\{((?:[^{}]|\{[^}]*\})*)\})?/g,
    (_whole, _name, pattern?: string) => {
      if (pattern === undefined || new RegExp(`^(?:${pattern})$`, 's').test(decoded(value))) {
        return value
      }
      return pattern.includes('{64}')
        ? 'a'.repeat(64)
        : pattern.includes('{32}')
          ? 'a'.repeat(32)
          : '1'
    },
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const callers: Record<string, string>[] = [{}, { authorization }]

/** All that is served, with the methods in upper case. */
const routes = createApp(() => server.server.context).routes.filter(
  ({ path, method }) => path.includes(':') && method !== 'ALL',
)

async function ask(method: string, path: string, headers: Record<string, string>) {
  const init = { method, headers, redirect: 'manual' } as const
  return await server.server.fetch(new Request(server.url + path, init))
}

describe('whatever stands in a path', () => {
  before(() => {
    assert.ok(routes.length > 100, `${routes.length} routes with parameters`)
  })

  for (const value of draw(values, 1 / 6)) {
    test(`${value.slice(0, 40)} breaks no page and no endpoint, and gets into no header`, async () => {
      lines.length = 0
      const paths = new Set(routes.map(({ method, path }) => `${method} ${filled(path, value)}`))
      for (const each of paths) {
        const [method = '', path = ''] = each.split(' ')
        for (const headers of callers) {
          const reply = await ask(method, path, headers)
          assert.ok(reply.status < 500, `${each}: ${reply.status}`)
          for (const [name, given] of reply.headers) {
            assert.ok(
              !/injected/i.test(name) && !/[\r\n]/.test(given),
              `${each}: ${name}: ${given}`,
            )
          }
          const location = reply.headers.get('location')
          if (location === null) continue
          assert.equal(new URL(location, server.url).origin, server.url, `${each}: ${location}`)
        }
      }
      for (const line of lines) {
        assert.equal(line.indexOf('\n'), line.length - 1)
        assert.equal(JSON.parse(line).msg, undefined, line)
      }
    })
  }
})

test('the name of an uploaded file gets into no header but its own', async () => {
  const names = [
    'a\r\nInjected: yes.txt',
    'a"; Injected="yes.txt',
    'ä\u2028😀.txt',
    '\u0000.txt',
    '..',
  ]
  for (const name of names) {
    const body = new FormData()
    body.set('file', new File(['x'], name, { type: 'text/plain\r\nInjected: yes' }))
    const sent = await server.server.fetch(
      new Request(`${server.url}/api/v1/user_uploads`, {
        method: 'POST',
        headers: { authorization },
        body,
      }),
    )
    const { url } = (await sent.json()) as { url?: string }
    assert.ok(sent.status < 500)
    if (url === undefined) continue
    for (const path of [url, url.replace('/user_uploads/', '/user_uploads/download/')]) {
      const reply = await ask('GET', path, { authorization })
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('injected'), null)
      assert.doesNotMatch(reply.headers.get('content-disposition') ?? '', /; Injected="yes/)
    }
  }
})
