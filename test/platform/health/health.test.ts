import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { makeThumbnails } from '#features/messaging/picture-previews/jobs.ts'
import { jobsCheck } from '#platform/health/checks.ts'
import type { ServerOptions } from '#program/server.ts'
import { upload } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

interface Health {
  readonly status: number
  readonly said: {
    status: string
    msg: string
    checks?: { name: string; ok: boolean; problem?: string }[]
  }
}

async function healthOf(
  { url }: Pick<TestServer, 'url'>,
  headers: Record<string, string> = {},
): Promise<Health> {
  const response = await fetch(`${url}/health`, { headers })
  return { status: response.status, said: (await response.json()) as Health['said'] }
}

const problems = ({ said }: Health) =>
  said.checks?.filter(({ ok }) => !ok).map(({ name, problem }) => `${name}: ${problem}`)

const folder = mkdtempSync(join(tmpdir(), 'parley-health-'))
after(() => rmSync(folder, { recursive: true }))

test('a server is unwell before its disk is full, and says so', async () => {
  const server = await startServer({ data: folder, config: { leastFreeMib: 1_000_000_000 } })
  const health = await healthOf(server)
  await server.close()
  assert.deepEqual([health.status, health.said.status], [503, 'failing'])
  assert.match(
    problems(health)?.join() ?? '',
    /^disk: The disk of the data folder has \d+ MiB left/,
  )
})

test('a server is unwell from a change that could not be stored to the next one that is', async () => {
  const server = await startServer()
  const { store } = server.server.context
  const failing = store.write((tx) =>
    tx.beforeCommit(() => {
      throw new Error('disk I/O error')
    }),
  )
  await assert.rejects(failing)
  assert.deepEqual(problems(await healthOf(server)), [
    'commits: The last change could not be stored: disk I/O error.',
  ])
  await server.say('owner', 'public')
  server.clock.advance(1000)
  assert.equal((await healthOf(server)).status, 200)
  await server.close()
})

test('a job is late after five minutes', async () => {
  const server = await startServer()
  const { context } = server.server
  const due = Math.floor(context.clock.now() / 1000)
  const job = { name: 'mail', dueAt: () => due, run: async () => {} }
  const check = jobsCheck([job, { ...job, name: 'idle', dueAt: () => undefined }])
  server.clock.advance(300_000)
  assert.equal(check.problem(context), undefined)
  server.clock.advance(1000)
  assert.equal(check.problem(context), 'Background jobs are more than 5 minutes late: mail.')
  await server.close()
})

test('a picture that waits for its thumbnails is no reason to be unwell', async () => {
  const server = await startServer()
  await upload(server, 'member', 'a.png', new Uint8Array(pngPicture(2000, 2000)))
  const { context } = server.server
  assert.notEqual(makeThumbnails.dueAt(context.store), undefined)
  assert.equal(problems(await healthOf(server))?.length, 0)
  await server.close()
})

describe('who sees what is wrong', () => {
  const token = 'an inspection token'
  const bearer = { authorization: `Bearer ${token}` }
  // biome-ignore format: a table reads best in columns
  const rows: [who: string, config: ServerOptions['config'], headers: Record<string, string>, sees: boolean][] = [
    ['this machine',                             {}, {}, true],
    ['a client of a proxy that says so',         {}, { 'x-forwarded-for': '127.0.0.1' }, false],
    ['a client of a proxy that says so, newly',  {}, { forwarded: 'for=127.0.0.1' }, false],
    ['a client of a proxy that says its name',   {}, { via: '1.1 proxy' }, false],
    ['a client of a proxy with a site address',  { externalUrl: 'https://chat.example' }, {}, false],
    ['a client of a trusted proxy',              { trustedProxies: ['127.0.0.1'] }, {}, false],
    ['a client with the token',                  { externalUrl: 'https://chat.example', inspectionToken: token }, bearer, true],
    ['a client with another token',              { inspectionToken: token }, { authorization: 'Bearer other' }, false],
    ['a client with a token where there is none', {}, { authorization: 'Bearer null' }, false],
  ]
  for (const [who, config = {}, headers, sees] of rows) {
    test(`${sees ? '' : 'not '}${who}`, async () => {
      const server = await startServer({ config })
      const { said } = await healthOf(server, headers)
      await server.close()
      assert.equal(said.checks !== undefined, sees)
      assert.equal(said.status, 'ok')
    })
  }
})

describe('a server is unwell once', () => {
  test('a page of its database cannot be read', async () => {
    const data = join(folder, 'torn')
    await (await startServer({ data })).close()
    const database = join(data, 'parley.db')
    const db = new Database(database)
    const page = db
      .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'playgrounds'")
      .pluck()
      .get() as number
    db.close()
    const bytes = readFileSync(database)
    bytes.fill(0xff, (page - 1) * 4096, page * 4096)
    writeFileSync(database, bytes)

    const server = await startServer({ data, config: { leastFreeMib: 1 } })
    assert.equal((await healthOf(server)).status, 200)
    const register = { fetch_event_types: ['realm_playgrounds'], event_types: [] }
    const reply = await server.as('member').post('/register', register)
    assert.deepEqual([reply.status, reply.code], [500, 'INTERNAL_SERVER_ERROR'])
    server.clock.advance(1000)
    assert.deepEqual(problems(await healthOf(server)), [
      'database: The database could not be read: database disk image is malformed. ' +
        'Run "parley check" to see what is damaged.',
    ])
    await server.close()
  })

  test('its uploaded files are gone', async () => {
    const data = join(folder, 'emptied')
    const server = await startServer({ data, config: { leastFreeMib: 1 } })
    await upload(server, 'member', 'plans.txt', 'The plans')
    assert.equal((await healthOf(server)).status, 200)
    rmSync(join(data, 'files'), { recursive: true })
    server.clock.advance(1000)
    assert.deepEqual(problems(await healthOf(server)), [
      `files: The folder ${join(data, 'files')} is missing.`,
    ])
    await server.close()
    const later = await startServer({ data, config: { leastFreeMib: 1 } })
    assert.match(problems(await healthOf(later))?.join() ?? '', /^files: The file \S+ is missing/)
    await later.close()
  })
})
