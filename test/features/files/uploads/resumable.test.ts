import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { listNamed } from '#platform/files/queries.ts'
import { plainFetch } from '#test/support/conformance.ts'
import { basicAuth, fetchFile } from '#test/support/files.ts'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer, type TestServer } from '#test/support/server.ts'

const server = await startServer({ expose: true, config: { maxFileUploadMib: 1 } })
after(server.close)

const tus = '/api/v1/tus'
const version = { 'tus-resumable': '1.0.0' }
const partType = 'application/offset+octet-stream'

type Headers = Readonly<Record<string, string>>

async function call(
  method: string,
  path: string,
  headers: Headers = {},
  body?: string,
  actor: Actor = 'member',
  to: TestServer = server,
): Promise<Response> {
  const all = { ...basicAuth(to, actor), ...version, ...headers }
  return await plainFetch(to.url + path, { method, headers: all, ...(body && { body }) })
}

const named = (name: string) => `filename ${Buffer.from(name).toString('base64')},filetype dGV4dA==`

/** Begins an upload and returns its path. */
async function begin(length: number, name = 'be.txt', to = server): Promise<string> {
  const headers = { 'upload-length': String(length), 'upload-metadata': named(name) }
  const response = await call('POST', tus, headers, undefined, 'member', to)
  assert.equal(response.status, 201, await response.text())
  return response.headers.get('location') ?? ''
}

const append = (path: string, offset: number, part: string, to = server) =>
  call(
    'PATCH',
    path,
    { 'content-type': partType, 'upload-offset': String(offset) },
    part,
    'member',
    to,
  )

const offsetOf = async (path: string, to = server) => {
  const response = await call('HEAD', path, {}, undefined, 'member', to)
  return response.status === 200 ? Number(response.headers.get('upload-offset')) : response.status
}

test('a file comes in parts, and is then one like any other', async () => {
  const queue = await server.as('member').watch('attachment')
  const path = await begin(12, 'größe.txt')
  const first = await append(path, 0, 'To be ')
  assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '6'])
  assert.equal(await offsetOf(path), 6)
  const last = await append(path, 6, 'or not')
  assert.deepEqual([last.status, last.headers.get('tus-resumable')], [200, '1.0.0'])
  const reply = (await last.json()) as { url: string; uri: string; filename: string }
  assert.deepEqual(
    { ...reply, url: '' },
    { result: 'success', msg: '', url: '', uri: reply.url, filename: 'größe.txt' },
  )
  assert.equal(await (await fetchFile(server, 'member', reply.url)).text(), 'To be or not')
  const [event] = await queue.drain()
  assert.equal(event?.op, 'add')
  assert.equal((await fetchFile(server, 'cordelia', reply.url)).status, 404)
})

test('who lost the answer to the last part gets it again, for the same file', async () => {
  const path = await begin(5)
  const first = await (await append(path, 0, 'To be')).json()
  assert.equal(await offsetOf(path), 5)
  assert.deepEqual(await (await append(path, 5, '')).json(), first)
})

test('a small file can come with the first request, and an empty one is refused', async () => {
  const whole = await call(
    'POST',
    tus,
    { 'upload-length': '5', 'upload-metadata': named('a.txt'), 'content-type': partType },
    'To be',
  )
  assert.equal(whole.status, 201)
  const { url } = (await whole.json()) as { url: string }
  assert.equal(await (await fetchFile(server, 'member', url)).text(), 'To be')
  const empty = await call('POST', tus, { 'upload-length': '0' })
  assert.deepEqual([empty.status, await empty.json()], [400, failure('The file is empty.')])
})

test('what came before the connection was lost is kept', async () => {
  const path = await begin(1000)
  const lost = request(server.url + path, {
    method: 'PATCH',
    headers: {
      ...basicAuth(server, 'member'),
      ...version,
      'content-type': partType,
      'upload-offset': '0',
      'content-length': '1000',
    },
  })
  lost.on('error', () => {})
  await new Promise((done) => lost.write('x'.repeat(400), done))
  // Until it has arrived there is nothing to lose; the server then sees the end.
  lost.destroy()
  let offset = 0
  for (let tries = 0; offset === 0 && tries < 1000; tries++) offset = await offsetOf(path)
  assert.equal(offset, 400)
  assert.equal((await append(path, 400, 'y'.repeat(600))).status, 200)
})

test('an upload goes on after a restart of the server', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const before = await startServer({ data })
  const path = await begin(12, 'be.txt', before)
  await append(path, 0, 'To be ', before)
  await before.close()
  const again = await startServer({ data })
  try {
    assert.equal(await offsetOf(path, again), 6)
    const { url } = (await (await append(path, 6, 'or not', again)).json()) as { url: string }
    assert.equal(await (await fetchFile(again, 'member', url)).text(), 'To be or not')
  } finally {
    await again.close()
  }
})

test('an upload that nothing is added to for a day is given up, with what has come', async () => {
  const path = await begin(12)
  const named = listNamed(server.server.context.store).length
  await append(path, 0, 'To be?')
  server.clock.advance(23 * 3600 * 1000)
  await append(path, 6, '?')
  server.clock.advance(23 * 3600 * 1000)
  assert.equal(await offsetOf(path), 7)
  server.clock.advance(2 * 3600 * 1000)
  await server.settled()
  assert.equal(await offsetOf(path), 404)
  assert.equal(listNamed(server.server.context.store).length, named)
})

test('an upload can be given up, and its parts are nobody’s then', async () => {
  const path = await begin(12)
  const named = listNamed(server.server.context.store).length
  await append(path, 0, 'Not to')
  assert.equal((await call('DELETE', path)).status, 204)
  assert.deepEqual([await offsetOf(path), (await append(path, 6, ' be')).status], [404, 404])
  assert.equal(listNamed(server.server.context.store).length, named)
})

test('OPTIONS tells what the server can do, without an account', async () => {
  const response = await plainFetch(server.url + tus, { method: 'OPTIONS' })
  assert.equal(response.status, 204)
  assert.equal(response.headers.get('tus-max-size'), String(1024 * 1024))
  assert.match(response.headers.get('tus-extension') ?? '', /^creation,/)
})

test('a web app of another origin may send parts, and read how far they came', async () => {
  const path = await begin(5)
  const preflight = await plainFetch(server.url + path, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'tus-resumable,upload-offset',
    },
  })
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Upload-Offset/)
  const head = await call('HEAD', path)
  assert.match(head.headers.get('access-control-expose-headers') ?? '', /Upload-Offset/)
})

test('a client that can only post says which method it means', async () => {
  const path = await begin(5)
  const headers = {
    'x-http-method-override': 'PATCH',
    'content-type': partType,
    'upload-offset': '0',
  }
  assert.equal((await call('POST', path, headers, 'To be')).status, 200)
})

describe('what is refused', () => {
  const patch = { 'content-type': partType, 'upload-offset': '0' }
  // biome-ignore format: a table reads best in columns
  const rows: [string, string, 'new' | 'upload', Headers, string | undefined, Actor, number][] = [
    ['another version of the protocol', 'POST',   'new',    { 'tus-resumable': '0.2.2', 'upload-length': '5' }, undefined, 'member', 412],
    ['a length that is none',           'POST',   'new',    { 'upload-length': 'x' },                           undefined, 'member', 400],
    ['a length that comes later',       'POST',   'new',    { 'upload-defer-length': '1' },                     undefined, 'member', 400],
    ['a file that is too large',        'POST',   'new',    { 'upload-length': '1048577' },                     undefined, 'member', 413],
    ['metadata that is none',           'POST',   'new',    { 'upload-length': '5', 'upload-metadata': 'filename ä' }, undefined, 'member', 400],
    ['metadata that says things twice', 'POST',   'new',    { 'upload-length': '5', 'upload-metadata': 'a YQ==,a YQ==' }, undefined, 'member', 400],
    ['a method that it does not have', 'GET',   'new',    {},                                               undefined, 'member', 405],
    ["somebody else's upload",          'HEAD',   'upload', {},                                               undefined, 'owner',  404],
    ["a part of somebody else's",       'PATCH',  'upload', patch,                                            'To be',   'owner',  404],
    ["the end of somebody else's",      'DELETE', 'upload', {},                                               undefined, 'owner',  404],
    ['a part of another type',          'PATCH',  'upload', { ...patch, 'content-type': 'text/plain' },       'To be',   'member', 415],
    ['a part without its place',        'PATCH',  'upload', { 'content-type': partType },                     'To be',   'member', 400],
    ['a part of another place',         'PATCH',  'upload', { ...patch, 'upload-offset': '3' },               'be',      'member', 409],
    ['a part beyond the end',           'PATCH',  'upload', patch,                                            'To be!',  'member', 413],
  ]
  for (const [what, method, where, headers, body, actor, status] of rows) {
    test(`${what}: ${status}`, async () => {
      const path = where === 'new' ? tus : await begin(5)
      const response = await call(method, path, headers, body, actor)
      assert.equal(response.status, status)
      assert.equal(response.headers.get('tus-resumable'), '1.0.0')
    })
  }

  test('who has no account: 401', async () => {
    const response = await plainFetch(server.url + tus, {
      method: 'POST',
      headers: { ...version, 'upload-length': '5' },
    })
    assert.equal(response.status, 401)
  })

  test('the same part twice at once: one of them, with 409', async () => {
    const path = await begin(10)
    const both = await Promise.all([append(path, 0, 'To be'), append(path, 0, 'To be')])
    assert.deepEqual(both.map(({ status }) => status).sort(), [204, 409])
    assert.equal(await offsetOf(path), 5)
  })

  test('more than the organization has room for, promised room included', async () => {
    const small = await startServer({ config: { uploadQuotaMib: 1 } })
    try {
      await begin(600_000, 'a', small)
      const more = { 'upload-length': '600000' }
      const refused = await call('POST', tus, more, undefined, 'owner', small)
      assert.deepEqual(
        await refused.json(),
        failure("The upload would exceed your organization's quota for uploaded files."),
      )
    } finally {
      await small.close()
    }
  })

  test('very many small parts', async () => {
    const path = await begin(1000)
    for (let offset = 0; offset < 101; offset++) {
      assert.equal((await append(path, offset, 'x')).status, 204)
    }
    const response = await append(path, 101, 'x')
    assert.deepEqual(
      [response.status, await response.json()],
      [400, failure('The upload has too many small parts.')],
    )
    assert.equal((await append(path, 101, 'x'.repeat(899))).status, 400)
    assert.equal((await call('DELETE', path)).status, 204)
  })

  test('more requests than one person has a minute', async () => {
    const limited = await startServer({ config: { rateLimits: true } })
    try {
      const headers = { ...basicAuth(limited, 'member'), ...version }
      const ask = async () => {
        const request = new Request(`${limited.url}${tus}/ab`, { method: 'HEAD', headers })
        return (await limited.server.fetch(request)).status
      }
      const statuses = await Promise.all(Array.from({ length: 2001 }, ask))
      assert.deepEqual([...new Set(statuses)], [404, 429])
      assert.equal(statuses.indexOf(429), 2000)
    } finally {
      await limited.close()
    }
  })

  test('very many unfinished uploads of one person', async () => {
    const headers = { 'upload-length': '5' }
    const statuses = new Set<number>()
    for (let i = 0; i < 101; i++) {
      statuses.add((await call('POST', tus, headers, undefined, 'zoe')).status)
    }
    assert.deepEqual([...statuses], [201, 400])
  })
})
