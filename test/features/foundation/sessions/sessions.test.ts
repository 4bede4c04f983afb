import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

/** Logs a browser in as the fixture allows it, and returns its cookies. */
async function logIn(): Promise<{ cookie: string; csrf: string }> {
  const response = await fetch(`${server.url}/api/v1/dev_fetch_api_key?username=hamlet@zulip.com`, {
    method: 'POST',
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const csrf = cookies.find((pair) => pair.startsWith('csrftoken='))?.slice('csrftoken='.length)
  assert.ok(csrf)
  return { cookie: cookies.join('; '), csrf }
}

async function call(path: string, headers: Record<string, string>, body?: URLSearchParams) {
  const method = body ? 'POST' : 'GET'
  const response = await fetch(server.url + path, { method, headers, ...(body && { body }) })
  return { status: response.status, body: await response.json() }
}

const day = 24 * 3600 * 1000
const content = () => new URLSearchParams({ content: '*hi*' })
const notLoggedIn = failure(
  'Not logged in: API authentication or user session required',
  'UNAUTHORIZED',
)
const forged = failure('CSRF error: the X-CSRFToken header is missing or wrong.', 'CSRF_FAILED')

describe('a browser session', () => {
  test('reads below /json, and writes with its token', async () => {
    const { cookie, csrf } = await logIn()
    const me = await call('/json/users/me', { cookie })
    assert.equal(me.body.user_id, server.ids.member)
    const written = await call('/json/messages/render', { cookie, 'x-csrftoken': csrf }, content())
    assert.deepEqual(written.body, { ...success, rendered: '<p><em>hi</em></p>' })
  })

  test('writes nothing without its token, or with the one of another session', async () => {
    const [own, other] = await Promise.all([logIn(), logIn()])
    const tokens: Record<string, string>[] = [
      {},
      { 'x-csrftoken': '' },
      { 'x-csrftoken': other.csrf },
    ]
    for (const token of tokens) {
      const reply = await call('/json/messages/render', { cookie: own.cookie, ...token }, content())
      assert.deepEqual(reply, { status: 403, body: forged })
    }
  })

  test('is no way into /api/v1, and an API key is none into /json', async () => {
    const { cookie, csrf } = await logIn()
    const api = await call('/api/v1/users/me', { cookie, 'x-csrftoken': csrf })
    assert.deepEqual(api, { status: 401, body: notLoggedIn })
    const { email, apiKey } = server.as('member')
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
    const json = await call('/json/users/me', { authorization })
    assert.deepEqual(json, { status: 401, body: notLoggedIn })
  })

  test('that is missing makes no browser ask for a password by itself', async () => {
    const schemeOf = async (path: string) =>
      (await fetch(server.url + path)).headers.get('www-authenticate')?.split(' ')[0]
    assert.equal(await schemeOf('/json/users/me'), 'Session')
    assert.equal(await schemeOf('/api/v1/users/me'), 'Basic')
  })

  test('ends when it is not used for two weeks', async () => {
    const { cookie } = await logIn()
    server.clock.advance(14 * day)
    assert.deepEqual(await call('/json/users/me', { cookie }), { status: 401, body: notLoggedIn })
  })

  test('goes on while it is used: a use extends it, and its cookies, at most once a day', async () => {
    const { cookie, csrf } = await logIn()
    const used = async (path: string) =>
      (await fetch(server.url + path, { headers: { cookie } })).headers
        .getSetCookie()
        .map((line) => line.replace(/sessionid=\w{64}/, 'sessionid=...'))
    assert.deepEqual(await used('/json/users/me'), [], 'it is new')
    const renewed = [
      'sessionid=...; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax',
      `csrftoken=${csrf}; Max-Age=1209600; Path=/; SameSite=Lax`,
    ]
    server.clock.advance(day)
    assert.deepEqual(await used('/json/users/me'), renewed)
    assert.deepEqual(await used('/json/users/me'), [], 'it was extended just now')
    for (const path of ['/', '/json/users/me']) {
      server.clock.advance(13 * day)
      assert.deepEqual(await used(path), renewed, path)
    }
  })

  test('that has ended is not extended by its last use', async () => {
    const { cookie, csrf } = await logIn()
    server.clock.advance(2 * day)
    const changed = await fetch(`${server.url}/json/settings`, {
      method: 'PATCH',
      headers: { cookie, 'x-csrftoken': csrf },
      body: new URLSearchParams({
        old_password: 'hamlet-password',
        new_password: 'another password',
      }),
    })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.headers.getSetCookie(), [])
    assert.deepEqual(await call('/json/users/me', { cookie }), { status: 401, body: notLoggedIn })
  })

  test('ends by its CSRF token as well, as the web client logs out', async () => {
    const { cookie, csrf } = await logIn()
    const logOut = async (token: string) =>
      (
        await fetch(`${server.url}/logout/`, {
          method: 'POST',
          headers: { cookie, 'x-csrftoken': token },
          redirect: 'manual',
        })
      ).headers.get('location')
    assert.equal(await logOut('0'.repeat(64)), '/login/')
    assert.equal((await call('/json/users/me', { cookie })).status, 200)
    assert.equal(await logOut(csrf), '/login/')
    assert.equal((await call('/json/users/me', { cookie })).status, 401)
  })

  test('made up by someone is none', async () => {
    const cookie = `sessionid=${'0'.repeat(64)}; csrftoken=${'0'.repeat(64)}`
    assert.deepEqual(await call('/json/users/me', { cookie }), { status: 401, body: notLoggedIn })
  })
})
