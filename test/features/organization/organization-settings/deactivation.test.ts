import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { setUpOrganization } from '#features/access/setup/actions.ts'
import { runCli } from '#program/cli/program.ts'
import { createServer } from '#program/server.ts'
import { basicAuth, fetchFile, upload } from '#test/support/files.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer({ config: { webPublicChannels: true } })
after(server.close)
const closed = failure('This organization is deactivated', 'REALM_DEACTIVATED')
const day = 24 * 3600 * 1000

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(path, { recursive: true }))
  return path
}

async function parley(...args: string[]): Promise<{ code: number; said: string }> {
  let said = ''
  const hear = (text: string) => {
    said += text
  }
  const env = { PARLEY_LOG_LEVEL: 'silent' }
  const code = await runCli(args, { stdin: Readable.from([]), out: hear, err: hear, env })
  return { code, said }
}

describe('who may deactivate the organization', () => {
  for (const actor of ['admin', 'moderator', 'member', 'guest', 'bot'] satisfies Actor[]) {
    test(`not the ${actor}`, async () => {
      const reply = await server.as(actor).post('/realm/deactivate')
      assert.deepEqual(reply, failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL'))
      assert.equal((await server.as(actor).get('/users/me')).result, 'success')
    })
  }
  for (const delay of [-1, 40_000, 1.5, 'soon']) {
    test(`nobody with a delay of ${delay}`, async () => {
      const params = { deletion_delay_days: delay }
      const reply = await server.as('owner').post('/realm/deactivate', params)
      assert.deepEqual(reply, failure(reply.msg))
      assert.equal((await server.as('owner').get('/users/me')).result, 'success')
    })
  }
})

test('nobody can use a deactivated organization until the operator opens it again', async () => {
  const data = folder()
  const here = await startServer({ data })
  try {
    const url = await upload(here, 'member')
    const queue = await here.as('member').watch('realm')
    const parked = queue.next()
    assert.deepEqual(await here.as('owner').post('/realm/deactivate'), success)
    assert.deepEqual(await parked, [{ type: 'realm', op: 'deactivated', realm_id: 1 }])

    for (const actor of ['owner', 'member', 'bot'] as const) {
      assert.deepEqual(await here.as(actor).get('/users/me'), closed)
      assert.equal((await here.as(actor).get('/users/me')).status, 401)
    }
    const login = { username: 'hamlet@zulip.com', password: 'hamlet-password' }
    assert.deepEqual(await here.anonymous.post('/fetch_api_key', login), closed)
    assert.deepEqual(await here.anonymous.get('/messages', { num_before: 1 }), closed)
    const hook = `${here.url}/api/v1/external/json?api_key=${here.as('bot').apiKey}`
    assert.equal((await fetch(hook, { method: 'POST', body: '{}' })).status, 401)
    for (const path of [url, '/login', '/avatar/10', '/join/x']) {
      assert.equal((await fetchFile(here, 'member', path)).status, 403)
    }
    const tus = { method: 'POST', headers: { ...basicAuth(here, 'member') } }
    assert.equal((await fetch(`${here.url}/api/v1/tus`, tus)).status, 401)
    assert.equal((await here.anonymous.get('/server_settings')).result, 'success')
    assert.equal((await fetch(`${here.url}/health`)).status, 200)

    here.clock.advance(10 * day)
    await here.settled()
    assert.deepEqual(await parley('reactivate', '--data', data), {
      code: 0,
      said: 'People can use Zulip Dev again.\n',
    })
    assert.equal((await here.as('member').get('/users/me')).result, 'success')
    assert.equal((await fetchFile(here, 'member', url)).status, 200)
    const twice = await parley('reactivate', '--data', data)
    assert.deepEqual(twice, { code: 1, said: 'The organization is not deactivated.\n' })
  } finally {
    await here.close()
  }
})

test('sessions end with it', async () => {
  const here = await startServer()
  try {
    await here.anonymous.post('/dev_fetch_api_key', { username: 'hamlet@zulip.com' })
    const count = () =>
      here.server.context.store.db.$client.prepare('SELECT count(*) FROM sessions').pluck().get()
    assert.equal(count(), 1)
    await here.as('owner').post('/realm/deactivate')
    assert.equal(count(), 0)
  } finally {
    await here.close()
  }
})

test('it is deleted, with its files, after the time that its owner chose', async () => {
  const data = folder()
  const own = await createServer({ data, port: 0, config: { logLevel: 'silent' } })
  try {
    const owner = await setUpOrganization(own.context, {
      organization: 'Ours',
      email: 'ann@example.com',
      fullName: 'Ann',
      password: 'the password of Ann',
    })
    const call = async (method: string, path: string, body?: BodyInit) => {
      const key = Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')
      const headers = { authorization: `Basic ${key}` }
      return await fetch(`${own.url}/api/v1${path}`, { method, headers, ...(body && { body }) })
    }
    const file = new FormData()
    file.append('file', new File(['To be'], 'be.txt'))
    await call('POST', '/user_uploads', file)
    const now = new URLSearchParams({ deletion_delay_days: '0' })
    assert.equal((await call('POST', '/realm/deactivate', now)).status, 200)
    await own.settled()
    const gone = (await (await call('GET', '/users/me')).json()) as { code: string }
    assert.equal(gone.code, 'NOT_SET_UP')
    assert.match(own.setupUrl ?? '', /token=/)
    const { store, files } = own.context
    assert.equal(store.db.$client.prepare('SELECT count(*) FROM users').pluck().get(), 0)
    assert.equal(store.db.$client.prepare('SELECT count(*) FROM attachments').pluck().get(), 0)
    const hash = createHash('sha256').update('To be').digest('hex')
    assert.equal(await files.size(hash), undefined)
  } finally {
    await own.close()
  }
})

test('it is kept until the day comes, and for good once it is open again', async () => {
  const data = folder()
  const here = await startServer({ data })
  try {
    await here.as('owner').post('/realm/deactivate', { deletion_delay_days: 14 })
    here.clock.advance(13 * day)
    await here.settled()
    await parley('reactivate', '--data', data)
    here.clock.advance(30 * day)
    await here.settled()
    assert.equal((await here.as('member').get('/users/me')).result, 'success')
  } finally {
    await here.close()
  }
})
