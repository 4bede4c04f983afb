import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

interface Listed {
  readonly user_id: number
  readonly full_name: string
  readonly delivery_email: string | null
}

async function listed(viewer: Actor, userId: number): Promise<Listed | undefined> {
  const params = { fetch_event_types: ['realm_user'] }
  const { realm_users } = await server
    .as(viewer)
    .post<{ realm_users: Listed[] }>('/register', params)
  return realm_users.find(({ user_id }) => user_id === userId)
}

test('an address that its owner hides is in the list for them alone, though all others share one', async () => {
  const { member, outsider } = server.ids
  await server.as('member').patch('/settings', { email_address_visibility: 4 })
  const [own, others] = [await listed('member', member), await listed('outsider', member)]
  assert.match(String(own?.delivery_email), /@/)
  assert.equal(others?.delivery_email, null)
  assert.equal((await listed('member', outsider))?.user_id, outsider)
  await server.as('member').patch('/settings', { email_address_visibility: 1 })
  assert.equal((await listed('outsider', member))?.delivery_email, own?.delivery_email)
})

test('the shared list changes with a user', async () => {
  const { member } = server.ids
  await listed('outsider', member)
  await server.as('member').patch('/settings', { full_name: 'Somebody Else' })
  assert.equal((await listed('outsider', member))?.full_name, 'Somebody Else')
})

/** Registers for the users, accepting these encodings. */
function register(encodings: string | undefined): Promise<{ encoding?: string; body: Buffer }> {
  const key = Buffer.from(`iago@zulip.com:${fixtureApiKey('iago@zulip.com')}`).toString('base64')
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Basic ${key}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...(encodings !== undefined && { 'accept-encoding': encodings }),
    }
    const asking = request(
      `${server.url}/api/v1/register`,
      { method: 'POST', headers },
      (reply) => {
        const parts: Buffer[] = []
        reply.on('data', (part) => parts.push(part))
        reply.on('end', () => {
          const body = Buffer.concat(parts)
          assert.equal(Number(reply.headers['content-length']), body.length)
          assert.match(String(reply.headers.vary), /Accept-Encoding/)
          const encoding = reply.headers['content-encoding']
          resolve({ body, ...(encoding !== undefined && { encoding }) })
        })
      },
    )
    asking.on('error', reject)
    asking.end('fetch_event_types=["realm_user"]')
  })
}

test('a reply with the list is compressed for a client that accepts gzip, and for no other', async () => {
  for (const encodings of [undefined, 'identity', 'br', 'gzip;q=0', 'br, gzip; q=0.0']) {
    const { encoding, body } = await register(encodings)
    assert.equal(encoding, undefined, encodings)
    assert.equal(JSON.parse(body.toString()).result, 'success')
  }
  const plain = await register(undefined)
  for (const encodings of ['gzip', 'br;q=1, gzip;q=0.5', 'deflate, GZIP']) {
    const { encoding, body } = await register(encodings)
    assert.equal(encoding, 'gzip', encodings)
    assert.ok(body.length < plain.body.length / 2)
    const [text, other] = [gunzipSync(body), plain.body].map((json) => JSON.parse(json.toString()))
    assert.deepEqual({ ...text, queue_id: '' }, { ...other, queue_id: '' })
  }
})
