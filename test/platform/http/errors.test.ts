import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { type Logger, pino } from 'pino'
import { errorStatus } from '#platform/errors.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts'
import { createHttpApp } from '#platform/http/mount.ts'
import { text } from '#platform/http/params.ts'
import { failure } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const appOf = (endpoints: readonly Endpoint[], log: Logger) =>
  createHttpApp(() => ({ ...server.server.context, log }), {
    endpoints,
    openPages() {},
    pages() {},
  })

test('every code of the list is provoked by some test', () => {
  const folder = new URL('../../', import.meta.url)
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const unknown = Object.keys(errorStatus).filter(
    (code) => !sources.some((source) => source.includes(`'${code}'`)),
  )
  assert.deepEqual(unknown, [])
})

test('a bug of ours is logged with its request, and answered without detail', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const broken = endpoint({
    method: 'post',
    path: '/broken',
    summary: 'Fail.',
    params: { secret: text(1000) },
    reply: {},
    run() {
      throw new Error('The inside of the server')
    },
  })
  const app = appOf([broken], log)
  const { email, apiKey } = server.as('member')
  const response = await app.request('/api/v1/broken', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
    body: new URLSearchParams({ secret: 'hunter2' }),
  })
  assert.equal(response.status, 500)
  assert.deepEqual(await response.json(), failure('Internal server error', 'INTERNAL_SERVER_ERROR'))
  const [line = '', ...more] = lines
  assert.deepEqual(more, [])
  assert.match(line, /The inside of the server/)
  assert.match(line, new RegExp(response.headers.get('x-request-id') ?? 'none'))
  assert.doesNotMatch(line, /hunter2|zulip\.com|[0-9a-f]{32}"/)
})

test('a bug of ours is logged as an error even if the client has gone meanwhile', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const gone = new AbortController()
  const broken = endpoint({
    method: 'post',
    path: '/broken',
    summary: 'Fail.',
    params: {},
    reply: {},
    run() {
      gone.abort()
      throw new Error('The inside of the server')
    },
  })
  const { email, apiKey } = server.as('member')
  await appOf([broken], log).request('/api/v1/broken', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
    signal: gone.signal,
  })
  assert.match(lines.join(), /The inside of the server/)
})

test('the log names the paths of requests without the secrets in them', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const app = appOf([], log)
  const secret = 'ab12'.repeat(10)
  const paths = [`/join/${secret}/`, `/exports/${secret}/x`, `/a/7.99.${secret}/b`, '/user/7/a-b']
  for (const path of paths) await app.request(`${path}?api_key=${secret}`)
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { path: string }).path),
    ['/join/***/', '/exports/***/x', '/a/7.99.***/b', '/user/7/a-b'],
  )
})

test('a browser that goes where nothing is gets a page with the way back, a call the envelope', async () => {
  const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
  // biome-ignore format: a table reads best in columns
  const table: [method: string, path: string, accept: string, isPage: boolean][] = [
    ['GET',  '/nothing',                accept,             true],
    ['GET',  '/user_uploads/1/no/such', accept,             true],
    ['GET',  '/nothing',                '*/*',              false],
    ['GET',  '/nothing',                'application/json', false],
    ['POST', '/nothing',                accept,             false],
    ['GET',  '/api/v1/nothing',         accept,             false],
    ['GET',  '/json/nothing',           accept,             false],
  ]
  for (const [method, path, wanted, isPage] of table) {
    const response = await fetch(server.url + path, { method, headers: { accept: wanted } })
    const body = await response.text()
    const what = `${method} ${path} as ${wanted}`
    assert.ok(response.status >= 400, what)
    assert.equal(response.headers.get('content-type')?.startsWith('text/html'), isPage, what)
    if (!isPage) continue
    assert.match(body, /<a class="button" href="\/(login\/)?">/, what)
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }
})
