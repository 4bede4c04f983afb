import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openBrowser } from '#test/support/browser.ts'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer({ config: { ownersOperate: true } })
after(server.close)

const path = '/export/history'
const password = (actor: Actor) => `${server.as(actor).email.split('@')[0]}-password`

/** Calls a path with the session of a browser. */
async function browserOf(actor: Actor) {
  const browser = openBrowser(server.url)
  await browser.fill('/login/', { email: server.as(actor).email, password: password(actor) })
  const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  const headers = { cookie, 'x-csrftoken': browser.cookies.get('csrftoken') ?? '' }
  return async (at: string, params: Record<string, string>) => {
    const body = new URLSearchParams(params)
    const response = await fetch(`${server.url}/json${at}`, { method: 'POST', headers, body })
    return (await response.json()) as { id?: number; url?: string; msg: string; code?: string }
  }
}

interface Listed {
  exports: { id: number; state: string; notes: string[]; scope: string }[]
  can_export_everything: boolean
}

describe('exports of the history are for owners', () => {
  const notOwner = failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')
  for (const actor of ['admin', 'member', 'guest'] as const) {
    test(`not for a ${actor}`, async () => {
      const client = server.as(actor)
      assert.deepEqual(await client.get(path), notOwner)
      assert.deepEqual(await client.post(path, { format: 'archive' }), notOwner)
      assert.deepEqual(await client.post(`${path}/1/download`), notOwner)
      assert.deepEqual(await client.del(`${path}/1`), notOwner)
    })
  }

  test('who have only an API key get none', async () => {
    const { msg } = await server.as('owner').post<{ msg: string }>(path, { format: 'archive' })
    assert.match(msg, /logged in with a browser/)
  })

  test('an owner with a wrong password gets none', async () => {
    const call = await browserOf('owner')
    const params = { format: 'archive', scope: 'everything' }
    assert.match((await call(path, { ...params, password: 'x' })).msg, /Wrong password/)
    assert.match((await call(path, params)).msg, /Missing 'password'/)
  })
})

test('an owner makes an export of everything, gets its address with the password, and deletes it', async () => {
  const call = await browserOf('owner')
  const own = { password: password('owner') }
  const { id } = await call(path, { format: 'archive', scope: 'everything', ...own })
  await server.settled()
  const listed = await server.as('owner').get<Listed>(path)
  assert.deepEqual(listed.exports, [
    {
      acting_user_id: server.ids.owner,
      format: 'archive',
      id,
      notes: [],
      progress: null,
      requested_at:
        listed.exports[0] && (listed.exports[0] as { requested_at?: number }).requested_at,
      scope: 'everything',
      state: 'ready',
      zulip_release: null,
    },
  ])
  assert.match((await call(`${path}/${id}/download`, {})).msg, /password/)
  const { url } = await call(`${path}/${id}/download`, own)
  const archive = await fetch(server.url + url)
  const bytes = Buffer.from(await archive.arrayBuffer())
  assert.ok(gunzipSync(bytes).includes('index.html'))

  // Administrators see neither it nor its address.
  const others = await server.as('admin').get<{ exports: unknown[] }>('/export/realm')
  assert.deepEqual(others.exports, [])
  assert.match(
    (await server.as('admin').del<{ msg: string }>(`/export/realm/${id}`)).msg,
    /Invalid data export ID/,
  )

  await server.as('owner').del(`${path}/${id}`)
  assert.equal((await fetch(server.url + url)).status, 404)
  assert.match((await call(`${path}/${id}/download`, own)).msg, /cannot be downloaded/)
})

test('an export for Zulip says what it cannot keep', async () => {
  const { result } = await server.as('member').post<{ result: string }>('/drafts', {
    drafts: [{ type: '', to: [], topic: '', content: 'not yet' }],
  })
  assert.equal(result, 'success')
  const call = await browserOf('owner')
  await call(path, {
    format: 'zulip',
    scope: 'full_with_consent',
    zulip_release: '12',
    password: password('owner'),
  })
  await server.settled()
  const [made] = (await server.as('owner').get<Listed>(path)).exports
  assert.equal(made?.state, 'ready')
  assert.match(String(made?.notes), /1 are drafts/)
})

test('where the operator does not allow it, owners export what people allow, and not everything', async () => {
  const closed = await startServer()
  after(closed.close)
  const listed = await closed.as('owner').get<Listed>(path)
  assert.equal(listed.can_export_everything, false)
  assert.deepEqual(
    await closed.as('owner').post(path, { format: 'zulip', scope: 'everything' }),
    failure('The operator of this server does not let owners export everything.'),
  )
})
