import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { insertMailLink } from '#features/foundation/mail/links.queries.ts'
import { findUser, updateUser } from '#features/foundation/users/queries.ts'
import { recoveryCodes } from '#platform/store/schema.ts'
import { type FormBrowser, openBrowser, sealOf } from '#test/support/browser.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, administrators, startServer } from '#test/support/server.ts'
import { logInBrowser } from '#test/support/session-client.ts'

const server = await startServer({ config: { rateLimits: true } })
after(server.close)
const { clock } = server
const { store } = server.server.context

const path = '/users/me/two_factor'
const addressOf = (actor: Actor) => server.as(actor).email
const passwordOf = (actor: Actor) => `${addressOf(actor).split('@')[0]}-password`

/** The code that an app shows now. */
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
/** Moves on until the app shows another code. */
const later = () => clock.advance(31_000)

async function enroll(actor: Actor) {
  later()
  const begun = await server
    .as(actor)
    .post<{ secret: string }>(path, { password: passwordOf(actor) })
  assert.equal(begun.result, 'success', begun.msg)
  const confirmed = await server
    .as(actor)
    .post<{ recovery_codes: string[] }>(`${path}/confirm`, { code: codeOf(begun.secret) })
  assert.equal(confirmed.result, 'success', confirmed.msg)
  return { secret: begun.secret, recoveryCodes: confirmed.recovery_codes }
}

/** Calls with the session of someone's browser. */
const bySession = async (actor: Actor, method: string, at: string, params: { password: string }) =>
  await (await logInBrowser(server, addressOf(actor)))<{ recovery_codes?: string[] }>(
    method,
    `/json${at}`,
    params,
  )
const switchOff = async (actor: Actor) =>
  assert.deepEqual(await bySession(actor, 'DELETE', path, { password: passwordOf(actor) }), success)

const openAt = async (browser: FormBrowser, actor: Actor, at = '/login/') =>
  await browser.fill(at, { email: addressOf(actor), password: passwordOf(actor) })
/** The hidden fields of a page of the second step. */
const hidden = (text: string) => ({
  form: sealOf(text),
  attempt: /name="attempt" value="(\w+)"/.exec(text)?.[1] ?? '',
})
const isInside = ({ cookies }: FormBrowser) => cookies.has('sessionid')

async function submitCode(browser: FormBrowser, text: string, code: string) {
  return await browser.go('/accounts/login/code/', { ...hidden(text), code })
}

describe('setting it up', () => {
  test('takes the password and a code, and shows recovery codes once', async () => {
    const cordelia = server.as('cordelia')
    const confirmation = 'password'
    const state = { enabled: false, required: false, recovery_codes_left: 0, confirmation }
    assert.deepEqual(await cordelia.get(path), { ...success, ...state })
    assert.deepEqual(await cordelia.post(path, { password: 'wrong' }), failure('Wrong password!'))
    const { secret } = await cordelia.post<{ secret: string }>(path, {
      password: passwordOf('cordelia'),
    })
    const wrong = failure('This code is not right.')
    assert.deepEqual(await cordelia.post(`${path}/confirm`, { code: '000000' }), wrong)
    assert.equal((await cordelia.get(path)).enabled, false)
    const { recovery_codes } = await cordelia.post<{ recovery_codes: string[] }>(
      `${path}/confirm`,
      { code: codeOf(secret) },
    )
    assert.equal(recovery_codes.length, 10)
    const stored = JSON.stringify(store.db.select().from(recoveryCodes).all())
    for (const code of recovery_codes) assert.equal(stored.includes(code), false)
    const on = { enabled: true, required: false, recovery_codes_left: 10, confirmation }
    assert.deepEqual(await cordelia.get(path), { ...success, ...on })
    assert.deepEqual(
      await cordelia.post(path, { password: passwordOf('cordelia') }),
      failure('Two-factor authentication is already on.'),
    )
    await switchOff('cordelia')
    assert.equal((await cordelia.get(path)).enabled, false)
  })

  test('is finished only with what began it', async () => {
    const session = await logInBrowser(server, addressOf('cordelia'))
    const password = passwordOf('cordelia')
    const { secret } = await session<{ secret: string }>('POST', `/json${path}`, { password })
    later()
    const code = codeOf(secret)
    assert.deepEqual(
      await server.as('cordelia').post(`${path}/confirm`, { code }),
      failure('Start setting up two-factor authentication first.'),
    )
    assert.equal((await session('POST', `/json${path}/confirm`, { code })).result, 'success')
    await switchOff('cordelia')
  })

  test('ends the log-ins that wait for it', async () => {
    const require = (two_factor_required: boolean) =>
      server.as('owner').patch('/realm', { two_factor_required })
    await require(true)
    const browser = openBrowser(server.url)
    const { text } = await openAt(browser, 'zoe')
    await enroll('zoe')
    const secret = /id="secret">([A-Z2-7]+)</.exec(text)?.[1] ?? ''
    const typed = { ...hidden(text), code: codeOf(secret) }
    const late = await browser.go('/accounts/login/enrolment/', typed)
    assert.match(late.text, /This login has expired/)
    await require(false)
    await switchOff('zoe')
  })

  test('bots have none', async () => {
    assert.equal((await server.as('bot').post(path, { password: 'x' })).result, 'error')
  })

  test('nothing works without it', async () => {
    const password = passwordOf('zoe')
    assert.equal(
      (await bySession('zoe', 'POST', `${path}/recovery_codes`, { password })).msg,
      'Two-factor authentication is not on.',
    )
    assert.equal(
      (await bySession('zoe', 'DELETE', path, { password })).msg,
      'Two-factor authentication is not on.',
    )
    assert.deepEqual(
      await server.as('zoe').post(`${path}/confirm`, { code: '123456' }),
      failure('Start setting up two-factor authentication first.'),
    )
  })
})

describe('switching it off, and new recovery codes', () => {
  const calls = [
    ['DELETE', path],
    ['POST', `${path}/recovery_codes`],
  ] as const
  const browserNeeded = failure(
    'Only a person who is logged in with a browser can do this; an API key is not enough.',
  )

  test('take a session, whatever the key and the password', async () => {
    await enroll('prospero')
    const password = passwordOf('prospero')
    assert.deepEqual(await server.as('prospero').del(path, { password }), browserNeeded)
    const renewing = await server.as('prospero').post(`${path}/recovery_codes`, { password })
    assert.deepEqual(renewing, browserNeeded)
    assert.equal((await server.as('prospero').get(path)).recovery_codes_left, 10)
  })

  for (const [method, at] of calls) {
    test(`${method} ${at} takes the password as well`, async () => {
      const session = await logInBrowser(server, addressOf('prospero'))
      assert.equal((await session(method, `/json${at}`)).code, 'REQUEST_VARIABLE_MISSING')
      assert.equal((await session(method, `/json${at}`, { password: 'x' })).msg, 'Wrong password!')
    })
  }

  test('of an account without a password take a log-in a moment ago', async () => {
    const { id } = server.as('prospero')
    const hash = findUser(store, id)?.passwordHash ?? null
    await store.write((tx) => updateUser(tx, id, { passwordHash: null }))
    assert.equal((await server.as('prospero').get(path)).confirmation, 'login')
    const session = await logInBrowser(server, addressOf('prospero'))
    clock.advance(601_000)
    const late = await session('DELETE', `/json${path}`)
    assert.equal(late.msg, 'Log in again, then repeat this within 10 minutes.')
    const fresh = await logInBrowser(server, addressOf('prospero'))
    clock.advance(599_000)
    assert.equal((await fresh('DELETE', `/json${path}`)).result, 'success')
    await store.write((tx) => updateUser(tx, id, { passwordHash: hash }))
  })
})

describe('logging in', () => {
  test('takes the code after the password, and each code once', async () => {
    const { secret } = await enroll('othello')
    const browser = openBrowser(server.url)
    const { text, status } = await openAt(browser, 'othello')
    assert.equal(status, 200)
    assert.match(text, /Two-factor authentication/)
    assert.equal(isInside(browser), false)
    // The code that switched it on counts no more.
    assert.equal((await submitCode(browser, text, codeOf(secret))).status, 400)
    assert.equal((await submitCode(browser, text, '000000')).status, 400)
    assert.equal(isInside(browser), false)
    later()
    const code = codeOf(secret)
    const stranger = openBrowser(server.url)
    const theirs = { ...hidden(text), form: sealOf((await stranger.go('/login/')).text) }
    assert.equal((await stranger.go('/accounts/login/code/', { ...theirs, code })).status, 400)
    assert.equal((await submitCode(browser, text, code)).status, 303)
    assert.equal(isInside(browser), true)
    const again = openBrowser(server.url)
    const next = await openAt(again, 'othello')
    assert.equal((await submitCode(again, next.text, code)).status, 400)
    assert.equal((await submitCode(browser, text, code)).status, 400)
    await switchOff('othello')
  })

  test('takes recovery codes, each once, until there are new ones', async () => {
    const { recoveryCodes: codes } = await enroll('othello')
    const [first = '', second = ''] = codes
    const enter = async (code: string) => {
      const browser = openBrowser(server.url)
      const { text } = await openAt(browser, 'othello')
      return (await submitCode(browser, text, code)).status
    }
    assert.equal(await enter(first.toUpperCase()), 303)
    assert.equal(await enter(first), 400)
    const password = passwordOf('othello')
    const renewed = await bySession('othello', 'POST', `${path}/recovery_codes`, { password })
    assert.equal(await enter(second), 400)
    assert.equal(await enter(renewed.recovery_codes?.[0] ?? ''), 303)
    assert.equal((await server.as('othello').get(path)).recovery_codes_left, 9)
    await switchOff('othello')
  })

  test('ends with a new password', async () => {
    const { secret } = await enroll('zoe')
    const browser = openBrowser(server.url)
    const { text } = await openAt(browser, 'zoe')
    const password = passwordOf('zoe')
    await server.as('zoe').patch('/settings', { old_password: password, new_password: 'other' })
    later()
    assert.equal((await submitCode(browser, text, codeOf(secret))).status, 400)
    assert.equal(isInside(browser), false)
    await server.as('zoe').patch('/settings', { old_password: 'other', new_password: password })
    await switchOff('zoe')
  })

  test('by a link to a new password takes the code as well', async () => {
    const { secret } = await enroll('prospero')
    const key = await store.write((tx) => {
      const { id } = server.as('prospero')
      const about = { userId: id, email: addressOf('prospero') }
      return insertMailLink(tx, { purpose: 'password_reset', ...about })
    })
    const browser = openBrowser(server.url)
    const at = `/accounts/password/reset/${key}/`
    const { text } = await browser.fill(at, { password: passwordOf('prospero') })
    assert.match(text, /Two-factor authentication/)
    assert.equal(isInside(browser), false)
    later()
    assert.equal((await submitCode(browser, text, codeOf(secret))).status, 303)
    await switchOff('prospero')
  })
})

describe('apps', () => {
  const refused = failure(
    'This account has two-factor authentication. Log in with a browser instead',
    'AUTHENTICATION_FAILED',
  )
  const askKey = () =>
    server.anonymous.post('/fetch_api_key', {
      username: addressOf('outsider'),
      password: passwordOf('outsider'),
    })
  const offered = async () =>
    (await server.anonymous.get<{ external_authentication_methods: object[] }>('/server_settings'))
      .external_authentication_methods

  test('get no key for a password, but by the browser', async () => {
    assert.deepEqual(await offered(), [])
    const { secret } = await enroll('outsider')
    assert.deepEqual(await askKey(), refused)
    assert.deepEqual(await offered(), [
      {
        name: 'browser',
        display_name: 'Log in with browser',
        display_icon: null,
        login_url: '/accounts/login/browser',
        signup_url: '/register/',
      },
    ])
    const otp = randomBytes(32).toString('hex')
    const browser = openBrowser(server.url)
    assert.equal((await browser.go('/accounts/login/browser?mobile_flow_otp=12')).status, 400)
    const start = await browser.go(`/accounts/login/browser?mobile_flow_otp=${otp}`)
    const at = start.headers.get('location') ?? ''
    const { text } = await openAt(browser, 'outsider', at)
    later()
    const { headers, status } = await submitCode(browser, text, codeOf(secret))
    assert.equal(status, 302)
    const location = new URL(headers.get('location') ?? '')
    assert.equal(location.protocol, 'zulip:')
    const masked = Buffer.from(location.searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
    const pad = Buffer.from(otp, 'hex')
    const key = Buffer.from(masked.map((byte, i) => byte ^ (pad[i] ?? 0))).toString()
    assert.equal(key, server.as('outsider').apiKey)
    assert.equal(isInside(browser), false)
    // Another browser cannot go on with it, nor anyone after an hour.
    assert.equal((await openAt(openBrowser(server.url), 'outsider', at)).status, 400)
    clock.advance(3601_000)
    assert.equal((await openAt(browser, 'outsider', at)).status, 400)
  })

  test('a browser that is logged in shows the key for the password', async () => {
    await server.as('owner').del(`/users/${server.ids.outsider}/two_factor`)
    const browser = openBrowser(server.url)
    await openAt(browser, 'outsider')
    await enroll('outsider')
    const response = await fetch(`${server.url}/json/fetch_api_key`, {
      method: 'POST',
      headers: {
        cookie: `sessionid=${browser.cookies.get('sessionid')}`,
        'x-csrftoken': browser.cookies.get('csrftoken') ?? '',
      },
      body: new URLSearchParams({
        username: addressOf('outsider'),
        password: passwordOf('outsider'),
      }),
    })
    assert.equal(
      ((await response.json()) as { api_key: string }).api_key,
      server.as('outsider').apiKey,
    )
    await switchOff('outsider')
    assert.equal((await askKey()).result, 'success')
  })
})

describe('someone who has lost it', () => {
  for (const [actor, may] of administrators) {
    test(`gets it reset by the ${actor}: ${may}`, async () => {
      await enroll('zoe')
      const reply = await server.as(actor).del(`/users/${server.ids.zoe}/two_factor`)
      assert.equal(reply.result, may ? 'success' : 'error')
      assert.equal((await server.as('zoe').get(path)).enabled, !may)
      if (!may) await switchOff('zoe')
    })
  }

  test('owners are helped by owners only', async () => {
    await enroll('owner')
    const at = `/users/${server.ids.owner}/two_factor`
    assert.equal((await server.as('admin').del(at)).code, 'UNAUTHORIZED_PRINCIPAL')
    assert.deepEqual(await server.as('owner').del(at), success)
  })
})

describe('where the organization requires it', () => {
  const require = async (two_factor_required: boolean) =>
    assert.deepEqual(await server.as('owner').patch('/realm', { two_factor_required }), success)

  test('people set it up after their password, and are in once they have', async () => {
    await require(true)
    const key = await server.anonymous.post('/fetch_api_key', {
      username: addressOf('moderator'),
      password: passwordOf('moderator'),
    })
    assert.equal(
      key.msg,
      'This organization requires two-factor authentication. Log in with a browser instead',
    )
    const browser = openBrowser(server.url)
    const { text } = await openAt(browser, 'moderator')
    const secretIn = (page: string) => /id="secret">([A-Z2-7]+)</.exec(page)?.[1] ?? ''
    const secret = secretIn(text)
    assert.match(text, /<svg/)
    const submit = (page: string, code: string) =>
      browser.go('/accounts/login/enrolment/', { ...hidden(page), code })
    const wrong = await submit(text, '000000')
    assert.equal(wrong.status, 400)
    assert.equal(secretIn(wrong.text), secret)
    const done = await submit(wrong.text, codeOf(secret))
    assert.equal(done.status, 200)
    assert.equal(isInside(browser), false)
    const codes = /id="codes">([^<]+)</.exec(done.text)?.[1]?.split('\n') ?? []
    assert.equal(codes.length, 10)
    assert.equal((await submit(wrong.text, codeOf(secret))).status, 400)
    const end = await browser.go('/accounts/login/enrolled/', hidden(done.text))
    assert.equal(end.status, 303)
    assert.equal(isInside(browser), true)
    assert.equal((await browser.go('/accounts/login/enrolled/', hidden(done.text))).status, 400)
    await switchOff('moderator')
  })

  test('a secret that someone else has seen does not count', async () => {
    const first = await openAt(openBrowser(server.url), 'moderator')
    const browser = openBrowser(server.url)
    const second = await openAt(browser, 'moderator')
    const secretIn = (page: string) => /id="secret">([A-Z2-7]+)</.exec(page)?.[1] ?? ''
    assert.notEqual(secretIn(first.text), secretIn(second.text))
    const old = { ...hidden(second.text), code: codeOf(secretIn(first.text)) }
    assert.equal((await browser.go('/accounts/login/enrolment/', old)).status, 400)
  })

  test('a log-in that began it sees its own secret only, and ends once another one has finished it', async () => {
    const attacker = openBrowser(server.url)
    const seen = await openAt(attacker, 'moderator')
    const browser = openBrowser(server.url)
    const page = await openAt(browser, 'moderator')
    const secretIn = (text: string) => /id="secret">([A-Z2-7]+)</.exec(text)?.[1] ?? ''
    const wrong = await attacker.go('/accounts/login/enrolment/', {
      ...hidden(seen.text),
      code: '000000',
    })
    assert.equal(wrong.status, 400)
    assert.equal(secretIn(wrong.text), secretIn(seen.text))
    later()
    const done = await browser.go('/accounts/login/enrolment/', {
      ...hidden(page.text),
      code: codeOf(secretIn(page.text)),
    })
    assert.equal(done.status, 200)
    later()
    const late = await attacker.go('/accounts/login/enrolment/', {
      ...hidden(seen.text),
      code: codeOf(secretIn(seen.text)),
    })
    assert.match(late.text, /This login has expired/)
    await switchOff('moderator')
  })

  test('people who join by a link do so as well', async () => {
    const made = await server.as('owner').post<{ invite_link: string }>('/invites/multiuse')
    const browser = openBrowser(server.url)
    const { pathname } = new URL(made.invite_link)
    const typed = { email: 'new@example.com', full_name: 'New', password: 'correct horse' }
    const sent = await browser.fill(pathname, typed)
    assert.match(sent.text, /Set up two-factor authentication/)
    assert.equal(isInside(browser), false)
    await require(false)
  })
})
