import assert from 'node:assert/strict'
import { createDecipheriv, randomBytes } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { redirectUri } from '#features/foundation/identity-providers/json.ts'
import {
  deleteIdentitiesOf,
  deleteProvider,
  saveProvider,
} from '#features/foundation/identity-providers/queries.ts'
import { listKeptMails } from '#features/foundation/mail/kept.queries.ts'
import { findUserByAddress } from '#features/foundation/users/queries.ts'
import type { IdentityProvider } from '#platform/config.ts'
import { identities, loginAttempts } from '#platform/store/schema.ts'
import { type FormBrowser, openBrowser, sealOf } from '#test/support/browser.ts'
import {
  type Claims,
  follow,
  type Lies,
  startLyingProvider,
  startProvider,
} from '#test/support/identity-provider.ts'
import { failure, success } from '#test/support/replies.ts'
import { type CallParams, startServer } from '#test/support/server.ts'

const provider = await startProvider()
const liar = await startLyingProvider()
const server = await startServer({
  config: {
    allowedNetworks: ['127.0.0.1'],
    keepMail: true,
  },
})
after(async () => {
  await server.close()
  await provider.close()
  await liar.close()
})
const { store } = server.server.context
provider.register(redirectUri(server.server.context, 'ours'))

const configure = (settings: Partial<IdentityProvider> = {}) =>
  store.write((tx) => saveProvider(tx, { ...provider.settings, ...settings }))
const setRealm = async (params: CallParams) =>
  assert.deepEqual(await server.as('owner').patch('/realm', params), success)

beforeEach(async () => {
  await configure()
  await setRealm({ invite_required: true })
})

const logInPath = '/accounts/login/social/oidc/ours'
const signUpPath = '/accounts/register/social/oidc/ours'

let count = 0
/** Someone whom the provider knows. Nobody else has their address unless it is given. */
function person(claims: Partial<Claims> = {}): Claims {
  count += 1
  return {
    sub: `subject-${count}`,
    email: `person${count}@example.com`,
    email_verified: true,
    name: `Person ${count}`,
    ...claims,
  }
}

/** Goes through the log-in as someone, in a browser of their own unless one is given. */
async function logIn(claims: Claims, path = logInPath, browser = openBrowser(server.url)) {
  provider.person = claims
  const page = await follow(browser, new URL(path, server.url).href)
  return { ...page, browser }
}

/** The ID of the account with which a browser is logged in. */
async function accountOf(browser: { cookies: Map<string, string> }): Promise<number | undefined> {
  const response = await fetch(`${server.url}/json/users/me`, {
    headers: { cookie: `sessionid=${browser.cookies.get('sessionid')}` },
  })
  return ((await response.json()) as { user_id?: number }).user_id
}

async function enters(claims: Claims, path?: string): Promise<number> {
  const { browser, text } = await logIn(claims, path)
  const id = await accountOf(browser)
  assert.ok(id !== undefined, text)
  return id
}

async function isRefused(claims: Claims, reason: RegExp, path?: string): Promise<void> {
  const { browser, text, status } = await logIn(claims, path)
  assert.equal(status, 403, text)
  assert.match(text, reason)
  assert.equal(browser.cookies.has('sessionid'), false)
}

const subjectsOf = (address: string) => {
  const id = findUserByAddress(store, address)?.id
  return store.db
    .select()
    .from(identities)
    .all()
    .filter(({ userId }) => userId === id)
    .map(({ subject }) => subject)
}

describe('what clients learn', () => {
  test('the ways to log in, and a button for each', async () => {
    const reply = await server.anonymous.get('/server_settings')
    assert.deepEqual(reply.external_authentication_methods, [
      {
        name: 'oidc:ours',
        display_name: 'Our Accounts',
        display_icon: null,
        login_url: logInPath,
        signup_url: signUpPath,
      },
    ])
    const { text } = await openBrowser(server.url).go('/login/')
    assert.match(text, new RegExp(`href="${logInPath}"[^>]*>Continue with Our Accounts<`))
  })

  test('nothing of a provider that does not exist', async () => {
    const { status } = await openBrowser(server.url).go('/accounts/login/social/oidc/others')
    assert.equal(status, 404)
  })
})

describe('whose account it is', () => {
  test('a verified address links an account once, and its owner gets a mail', async () => {
    const claims = person({ email: 'Cordelia@zulip.com' })
    assert.equal(await enters(claims), server.ids.cordelia)
    await server.settled()
    const told = () =>
      listKeptMails(store).filter(({ subject }) => subject.includes('with Our Accounts'))
    assert.deepEqual(
      told().map(({ to }) => to),
      ['cordelia@zulip.com'],
    )
    assert.equal(await enters(claims), server.ids.cordelia)
    await server.settled()
    assert.equal(told().length, 1)
  })

  test('an address that changes at the provider moves no account', async () => {
    const claims = person({ email: 'othello@zulip.com' })
    assert.equal(await enters(claims), server.ids.othello)
    const moved = { ...claims, email: 'hamlet@zulip.com' }
    assert.equal(await enters(moved), server.ids.othello)
    assert.deepEqual(subjectsOf('hamlet@zulip.com'), [])
  })

  test('someone else with the address of a linked account does not get it', async () => {
    await enters(person({ email: 'prospero@zulip.com' }))
    await isRefused(person({ email: 'prospero@zulip.com' }), /belongs to someone else/)
    assert.equal(subjectsOf('prospero@zulip.com').length, 1)
  })

  for (const verified of [undefined, false, 'true', 1]) {
    test(`email_verified ${JSON.stringify(verified)} is no verified address`, async () => {
      await isRefused(person({ email: 'zoe@zulip.com', email_verified: verified }), /not verified/)
      assert.deepEqual(subjectsOf('zoe@zulip.com'), [])
    })
  }

  test('unless the operator trusts the provider', async () => {
    await configure({ trustEmail: true })
    const claims = person({ email: 'zoe@zulip.com', email_verified: undefined })
    assert.equal(await enters(claims), server.ids.zoe)
  })

  test('bots have no identities', async () => {
    const { email } = server.as('bot')
    await isRefused(person({ email }), /cannot be logged in to/)
  })

  test('a deactivated account is told so', async () => {
    const claims = person()
    await configure({ createAccounts: true })
    await setRealm({ invite_required: false })
    const id = await enters(claims)
    await server.as('owner').del(`/users/${id}`)
    await isRefused(claims, /deactivated/)
    await isRefused(person({ email: claims.email ?? '' }), /belongs to someone else/)
  })
})

describe('accounts that can manage the organization', () => {
  const iago = { email: 'iago@zulip.com' }

  test('are linked once their password is entered as well', async () => {
    const { browser, text } = await logIn(person({ ...iago, sub: 'iago' }))
    assert.match(text, /Is this your account/)
    assert.equal(browser.cookies.has('sessionid'), false)
    const attempt = /name="attempt" value="(\w+)"/.exec(text)?.[1] ?? ''
    const form = { form: sealOf(text), attempt }
    const confirm = (password: string) => browser.go('/accounts/login/link/', { ...form, password })
    assert.equal((await confirm('wrong')).status, 400)
    assert.deepEqual(subjectsOf(iago.email), [])
    const elsewhere = openBrowser(server.url)
    const stolen = { ...form, form: sealOf((await elsewhere.go('/login/')).text) }
    const theirs = await elsewhere.go('/accounts/login/link/', {
      ...stolen,
      password: 'iago-password',
    })
    assert.equal(theirs.status, 400)
    assert.deepEqual(subjectsOf(iago.email), [])
    assert.equal((await confirm('iago-password')).status, 303)
    assert.equal(await accountOf(browser), server.ids.admin)
    assert.deepEqual(subjectsOf(iago.email), ['iago'])
    assert.equal((await confirm('iago-password')).status, 400)
  })

  test('are linked from a browser in which they are logged in', async () => {
    const browser = openBrowser(server.url)
    const typed = { email: 'desdemona@zulip.com', password: 'desdemona-password' }
    await browser.fill('/login/', typed)
    await logIn(person({ email: typed.email, sub: 'desdemona' }), logInPath, browser)
    assert.deepEqual(subjectsOf(typed.email), ['desdemona'])
  })
})

describe('new accounts', () => {
  const open = () => setRealm({ invite_required: false })

  test('are not made unless the provider is set to', async () => {
    await open()
    const claims = person()
    await isRefused(claims, /No account here/)
    assert.equal(findUserByAddress(store, claims.email ?? ''), undefined)
  })

  test('are made for people who ask for one, where anyone may join', async () => {
    await open()
    const claims = person()
    const id = await enters(claims, signUpPath)
    const user = findUserByAddress(store, claims.email ?? '')
    assert.deepEqual([user?.id, user?.fullName, user?.passwordHash], [id, claims.name, null])
  })

  test('are made as people log in, if the provider is set to', async () => {
    await open()
    await configure({ createAccounts: true })
    const claims = person({ name: 'Ann "the *best*" Example' })
    await enters(claims)
    assert.equal(findUserByAddress(store, claims.email ?? '')?.fullName, 'Ann the best Example')
  })

  test('need an invitation where joining does', async () => {
    await configure({ createAccounts: true })
    await isRefused(person(), /invite/)
  })

  test('are made by the link of an invitation, with its role', async () => {
    const made = await server
      .as('owner')
      .post<{ invite_link: string }>('/invites/multiuse', { invite_as: 600 })
    const { pathname } = new URL(made.invite_link)
    const { text } = await openBrowser(server.url).go(pathname)
    const link = /href="([^"]+)"[^>]*>Continue with/.exec(text)?.[1] ?? ''
    const claims = person()
    await enters(claims, link)
    assert.equal(findUserByAddress(store, claims.email ?? '')?.role, 600)
  })

  test('are made by an invitation that was sent to their address, and by no other', async () => {
    const claims = person()
    const sent = await server
      .as('owner')
      .post('/invites', { invitee_emails: claims.email, stream_ids: [], invite_as: 300 })
    assert.equal(sent.result, 'success', sent.msg)
    await isRefused(person(), /No account here/, signUpPath)
    await enters(claims, signUpPath)
    assert.equal(findUserByAddress(store, claims.email ?? '')?.role, 300)
  })

  test('obey the rules about addresses', async () => {
    await open()
    await setRealm({ emails_restricted_to_domains: true })
    await server
      .as('owner')
      .post('/realm/domains', { domain: 'allowed.example', allow_subdomains: false })
    await isRefused(person(), /not allowed in this organization/, signUpPath)
    await enters(person({ email: 'somebody@allowed.example' }), signUpPath)
    await setRealm({ emails_restricted_to_domains: false })
  })

  test('need a verified address', async () => {
    await open()
    await isRefused(person({ email_verified: false }), /not verified/, signUpPath)
  })
})

describe('groups and roles', () => {
  async function makeGroup(name: string): Promise<number> {
    const made = await server
      .as('owner')
      .post<{ group_id: number }>('/user_groups/create', { name, description: '', members: [] })
    assert.equal(made.result, 'success', made.msg)
    return made.group_id
  }
  const isIn = async (group: number, user: number) => {
    const path = `/user_groups/${group}/members/${user}` as const
    return (await server.as('owner').get(path)).is_user_group_member
  }

  test('listed groups follow the provider at each log-in, and others stay', async () => {
    const [listed, other] = [await makeGroup('developers'), await makeGroup('choir')]
    await configure({
      groups: { 'there/dev': 'developers', 'there/ops': 'developers', x: 'missing' },
    })
    const claims = person({ email: 'hamlet@zulip.com' })
    const id = await enters({ ...claims, groups: ['there/ops', 'x', 'choir'] })
    await server.as('owner').post(`/user_groups/${other}/members`, { add: [id] })
    assert.deepEqual([await isIn(listed, id), await isIn(other, id)], [true, true])
    await enters({ ...claims, groups: [] })
    assert.deepEqual([await isIn(listed, id), await isIn(other, id)], [false, true])
    const { user_groups } = await server
      .as('owner')
      .get<{ user_groups: { name: string }[] }>('/user_groups')
    assert.equal(
      user_groups.some(({ name }) => name === 'missing'),
      false,
    )
  })

  test('the highest role counts, and nobody becomes owner or stops to be one', async () => {
    await configure({ roles: { mods: 'moderator', admins: 'admin' } })
    const claims = person({
      email: 'hamlet@zulip.com',
      sub: subjectsOf('hamlet@zulip.com')[0] ?? '',
    })
    const roleAfter = async (groups: string[]) => {
      await enters({ ...claims, groups })
      return findUserByAddress(store, 'hamlet@zulip.com')?.role
    }
    assert.equal(await roleAfter(['mods', 'admins']), 200)
    assert.equal(await roleAfter(['mods']), 300)
    assert.equal(await roleAfter(['role:owners', 'owner']), 400)
    await enters(person({ email: 'desdemona@zulip.com', sub: 'desdemona', groups: ['mods'] }))
    assert.equal(findUserByAddress(store, 'desdemona@zulip.com')?.role, 100)
  })

  test('only the allowed groups get in', async () => {
    await configure({ allowedGroups: ['staff'] })
    const claims = person({ email: 'shiva@zulip.com' })
    await isRefused({ ...claims, groups: ['visitors'] }, /none of the groups/)
    await isRefused(claims, /none of the groups/)
    assert.equal(await enters({ ...claims, groups: ['staff'] }), server.ids.moderator)
  })
})

describe('apps', () => {
  const claims = person({ email: 'aaron@zulip.com' })
  const otp = randomBytes(32).toString('hex')

  test('a phone gets the key, which only it can read, and the browser gets nothing', async () => {
    const { headers, browser, status } = await logIn(claims, `${logInPath}?mobile_flow_otp=${otp}`)
    assert.equal(status, 302)
    const location = new URL(headers.get('location') ?? '')
    assert.deepEqual([location.protocol, location.host], ['zulip:', 'login'])
    const { otp_encrypted_api_key: masked = '', ...rest } = Object.fromEntries(
      location.searchParams,
    )
    const { email, id, apiKey } = server.as('outsider')
    assert.deepEqual(rest, { email, user_id: String(id), realm: server.url })
    const pad = Buffer.from(otp, 'hex')
    const key = Buffer.from(Buffer.from(masked, 'hex').map((byte, i) => byte ^ (pad[i] ?? 0)))
    assert.equal(key.toString('ascii'), apiKey)
    const basic = Buffer.from(`${email}:${key.toString('ascii')}`).toString('base64')
    const own = await fetch(`${server.url}/api/v1/users/me`, {
      headers: { authorization: `Basic ${basic}` },
    })
    assert.equal(own.status, 200)
    assert.equal(browser.cookies.has('sessionid'), false)
    await server.settled()
    const mails = listKeptMails(store).filter(({ subject }) => subject.startsWith('New login'))
    assert.match(mails.at(-1)?.text ?? '', /with your account at Our Accounts/)
  })

  async function desktopToken(): Promise<string> {
    const { text } = await logIn(claims, `${logInPath}?desktop_flow_otp=${otp}`)
    const bytes = Buffer.from(/id="code">([0-9a-f]+)</.exec(text)?.[1] ?? '', 'hex')
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(otp, 'hex'), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-16))
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
  }
  const takeOver = async (token: string) => {
    const app = openBrowser(server.url, { 'sec-fetch-site': 'none' })
    const { status } = await app.go(`/accounts/login/subdomain/${token}`)
    return [status, await accountOf(app)]
  }

  describe('a link to take a log-in over', () => {
    const continueIn = async (browser: FormBrowser, text: string) => {
      const attempt = /name="attempt" value="(\w+)"/.exec(text)?.[1] ?? ''
      return await browser.go('/accounts/login/subdomain/', { form: sealOf(text), attempt })
    }
    const hamlet = { email: 'hamlet@zulip.com', password: 'hamlet-password' }

    test('does not replace a session unless someone wants that', async () => {
      const browser = openBrowser(server.url, { 'sec-fetch-site': 'none' })
      await browser.fill('/login/', hamlet)
      const page = await browser.go(`/accounts/login/subdomain/${await desktopToken()}`)
      assert.equal(page.status, 200)
      assert.match(page.text, /Continue as/)
      assert.equal(await accountOf(browser), server.ids.member)
      assert.equal((await continueIn(browser, page.text)).status, 303)
      assert.equal(await accountOf(browser), server.ids.outsider)
      assert.equal((await continueIn(browser, page.text)).status, 400)
    })

    for (const site of ['cross-site', 'same-site', undefined]) {
      test(`asks where another site may have sent the browser: ${site}`, async () => {
        const browser = openBrowser(
          server.url,
          site === undefined ? {} : { 'sec-fetch-site': site },
        )
        const page = await browser.go(`/accounts/login/subdomain/${await desktopToken()}`)
        assert.match(page.text, /Continue as/)
        assert.equal(await accountOf(browser), undefined)
        const stranger = openBrowser(server.url)
        await stranger.go('/login/')
        assert.equal((await continueIn(stranger, page.text)).status, 400)
        assert.equal(await accountOf(stranger), undefined)
      })
    }
  })

  test('a desktop app takes the log-in over with the code, once', async () => {
    const token = await desktopToken()
    assert.deepEqual(await takeOver(token), [303, server.ids.outsider])
    assert.deepEqual(await takeOver(token), [404, undefined])
  })

  for (const [seconds, status] of [
    [14, 303],
    [16, 404],
  ] as const) {
    test(`a code of ${seconds} seconds ago: ${status}`, async () => {
      const token = await desktopToken()
      server.clock.advance(seconds * 1000)
      assert.equal((await takeOver(token))[0], status)
    })
  }

  const bad = [
    `mobile_flow_otp=${otp.slice(1)}`,
    `mobile_flow_otp=${otp}0`,
    `desktop_flow_otp=${otp.slice(1)}g`,
    'mobile_flow_otp=',
    `mobile_flow_otp=${otp}&desktop_flow_otp=${otp}`,
  ]
  for (const query of bad) {
    test(`a malformed pad: ${query.replaceAll(otp, 'PAD')}`, async () => {
      assert.equal((await openBrowser(server.url).go(`${logInPath}?${query}`)).status, 400)
    })
  }
})

describe('where a log-in leads', () => {
  const claims = person({ email: 'aaron@zulip.com' })
  const table: [next: string, location: string][] = [
    ['/#narrow/is/starred', '/#narrow/is/starred'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/.//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    [`/${'x'.repeat(5000)}`, '/'],
  ]
  for (const [next, location] of table) {
    test(`next=${next.slice(0, 30)}`, async () => {
      provider.person = { ...claims, sub: subjectsOf('aaron@zulip.com')[0] ?? 'aaron' }
      const browser = openBrowser(server.url)
      let at = `${server.url}${logInPath}?next=${encodeURIComponent(next)}`
      for (let i = 0; i < 8 && !browser.cookies.has('sessionid'); i++) {
        at = new URL((await browser.go(at)).headers.get('location') ?? '', at).href
      }
      assert.equal(at, server.url + location)
    })
  }

  test('logging out leads on to the provider', async () => {
    const subject = subjectsOf('aaron@zulip.com')[0] ?? 'aaron'
    const { browser } = await logIn({ ...claims, sub: subject })
    const { text } = await browser.go('/login/')
    await browser.go('/logout/', { form: sealOf(text) })
    assert.equal(await accountOf(browser), undefined)
    const page = await browser.go('/login/')
    const form = /action="([^"]+)">\s*[^>]*>\s*<button class="text">Log out of Our Accounts/.exec(
      page.text,
    )
    const path = form?.[1] ?? ''
    // Another site can neither send the form nor open its address.
    for (const other of [await browser.go(path), await browser.go(path, { form: 'guessed' })]) {
      assert.equal(other.headers.get('location'), '/login/')
    }
    const { headers } = await browser.go(path, { form: sealOf(page.text) })
    const location = new URL(headers.get('location') ?? '')
    assert.equal(location.origin, provider.issuer)
    assert.equal(location.searchParams.get('post_logout_redirect_uri'), `${server.url}/login/`)
  })
})

describe('answers that are not of the provider', () => {
  const claims = person({ email: 'aaron@zulip.com' })

  /** Goes through the log-in up to the answer. @returns its address */
  async function answerFor(browser = openBrowser(server.url)) {
    provider.person = { ...claims, sub: subjectsOf('aaron@zulip.com')[0] ?? 'aaron' }
    let at = server.url + logInPath
    while (!at.includes('/complete/')) {
      at = new URL((await browser.go(at)).headers.get('location') ?? '', at).href
    }
    return { browser, answer: at }
  }
  const changed = (answer: string, name: string, value: string) => {
    const url = new URL(answer)
    url.searchParams.set(name, value)
    return url.href
  }

  test('count once', async () => {
    const { browser, answer } = await answerFor()
    assert.equal((await browser.go(answer)).status, 303)
    assert.equal((await browser.go(answer)).status, 502)
  })

  test('however many strangers have begun to log in meanwhile', async () => {
    const { browser, answer } = await answerFor()
    const rows = () => store.db.select().from(loginAttempts).all().length
    const before = rows()
    for (let i = 0; i < 50; i++) await openBrowser(server.url).go(logInPath)
    assert.equal(rows(), before)
    assert.equal((await browser.go(answer)).status, 303)
  })

  test('count only in the browser that asked', async () => {
    const { browser, answer } = await answerFor()
    const other = openBrowser(server.url)
    await other.go(logInPath)
    assert.equal((await other.go(answer)).status, 400)
    assert.equal((await openBrowser(server.url).go(answer)).status, 400)
    assert.equal((await browser.go(answer)).status, 303)
  })

  test('count within an hour', async () => {
    const { browser, answer } = await answerFor()
    server.clock.advance(3601 * 1000)
    assert.equal((await browser.go(answer)).status, 400)
  })

  test('count with the right state, code and issuer only', async () => {
    for (const [name, status] of [
      ['state', 400],
      ['code', 502],
      ['iss', 502],
    ] as const) {
      const { browser, answer } = await answerFor()
      assert.equal((await browser.go(changed(answer, name, 'https://evil.example'))).status, status)
      assert.equal(browser.cookies.has('sessionid'), false, name)
    }
  })

  test('a refusal at the provider is no failure', async () => {
    const { browser, answer } = await answerFor()
    const { state, iss } = Object.fromEntries(new URL(answer).searchParams)
    const refused = new URLSearchParams({
      state: state ?? '',
      iss: iss ?? '',
      error: 'access_denied',
    })
    const { status, text } = await browser.go(`/complete/oidc/ours/?${refused}`)
    assert.equal(status, 403)
    assert.match(text, /was not allowed to log you in/)
  })

  describe('tokens', () => {
    const lies: [what: string, lies: Lies, entersWith: number][] = [
      ['that are right', {}, 303],
      ['with another nonce', { claims: { nonce: 'another' } }, 502],
      ['of another issuer', { claims: { iss: 'https://evil.example' } }, 502],
      ['for another client', { claims: { aud: 'another' } }, 502],
      ['that have expired', { claims: { exp: 1 } }, 502],
      ['without a subject', { claims: { sub: undefined } }, 502],
      ['signed by somebody else', { otherKey: true }, 502],
    ]
    for (const [what, told, status] of lies) {
      test(what, async () => {
        await store.write((tx) => saveProvider(tx, liar.settings))
        const browser = openBrowser(server.url)
        const start = await browser.go('/accounts/login/social/oidc/liar')
        const asked = new URL(start.headers.get('location') ?? '').searchParams
        assert.equal(asked.get('code_challenge_method'), 'S256')
        assert.equal(asked.get('redirect_uri'), `${server.url}/complete/oidc/liar/`)
        const person = { email: 'polonius@zulip.com', email_verified: true, groups: [] }
        liar.answer(asked.get('nonce') ?? '', { ...told, claims: { ...person, ...told.claims } })
        const query = new URLSearchParams({ state: asked.get('state') ?? '', code: 'code' })
        const end = await browser.go(`/complete/oidc/liar/?${query}`)
        assert.equal(end.status, status, end.text)
        await store.write((tx) => deleteProvider(tx, 'liar'))
      })
    }
  })
})

describe('an address in the token, and what UserInfo says', () => {
  const zoe = { email: 'zoe@zulip.com' }
  const yes = { email_verified: true }
  // biome-ignore format: a table reads best in columns
  const table: [what: string, token: Lies['claims'], userInfo: Lies['userInfo'], enters: boolean][] = [
    ['verified in the token',                 { ...zoe, ...yes }, {},                                       true],
    ['unverified, and another one verified',  zoe,                { email: 'attacker@example.com', ...yes }, false],
    ['unverified, and verified there',        zoe,                { ...zoe, ...yes },                       true],
    ['unverified, and nothing there',         zoe,                yes,                                      false],
    ['only there, verified',                  {},                 { ...zoe, ...yes },                       true],
    ['only there, verified in the token',     yes,                zoe,                                      false],
    ['not verified, and verified there',      { ...zoe, email_verified: false }, { ...zoe, ...yes },        false],
  ]
  for (const [what, token, userInfo, enters] of table) {
    test(what, async () => {
      await store.write((tx) => {
        saveProvider(tx, liar.settings)
        deleteIdentitiesOf(tx, server.ids.zoe)
      })
      const browser = openBrowser(server.url)
      const start = await browser.go('/accounts/login/social/oidc/liar')
      const asked = new URL(start.headers.get('location') ?? '').searchParams
      liar.answer(asked.get('nonce') ?? '', {
        claims: { ...token, sub: what },
        userInfo: { ...userInfo },
      })
      const query = new URLSearchParams({ state: asked.get('state') ?? '', code: 'code' })
      const end = await browser.go(`/complete/oidc/liar/?${query}`)
      assert.equal(end.status, enters ? 303 : 403, end.text)
      await store.write((tx) => {
        deleteProvider(tx, 'liar')
        deleteIdentitiesOf(tx, server.ids.zoe)
      })
    })
  }
})

test('a provider that is down leaves passwords alone', async () => {
  await configure({ issuer: 'http://127.0.0.1:9' })
  const { status, text } = await openBrowser(server.url).go(logInPath)
  assert.equal(status, 502)
  assert.match(text, /could not log you in/)
  assert.equal(text.includes('127.0.0.1'), false)
  const typed = { email: 'hamlet@zulip.com', password: 'hamlet-password' }
  assert.equal((await openBrowser(server.url).fill('/login/', typed)).status, 303)
})

describe('without passwords', () => {
  const off = failure(
    'Password authentication is disabled in this organization',
    'PASSWORD_AUTH_DISABLED',
  )
  const keyOf = (name: string, password = `${name}-password`) =>
    server.anonymous.post('/fetch_api_key', { username: `${name}@zulip.com`, password })

  test('owners alone can log in with theirs', async () => {
    await setRealm({ password_auth_enabled: false })
    assert.deepEqual(await keyOf('hamlet'), off)
    assert.equal((await keyOf('hamlet', 'wrong')).code, 'AUTHENTICATION_FAILED')
    assert.equal((await keyOf('desdemona')).result, 'success')
    const { email_auth_enabled } = await server.anonymous.get('/server_settings')
    assert.equal(email_auth_enabled, false)
  })

  test('the log-in page has the form for owners only, and joining none', async () => {
    await setRealm({ invite_required: false })
    const browser = openBrowser(server.url)
    assert.equal((await browser.go('/login/')).text.includes('name="password"'), false)
    const { text } = await browser.go('/login/?owners')
    assert.match(text, /name="password"/)
    const member = { email: 'hamlet@zulip.com', password: 'hamlet-password' }
    assert.equal((await browser.fill('/login/?owners', member)).status, 400)
    const owner = { email: 'desdemona@zulip.com', password: 'desdemona-password' }
    const entered = await browser.fill('/login/?owners', owner)
    assert.equal(entered.status, 303, entered.text)
    const joining = await openBrowser(server.url).go('/register/')
    assert.match(joining.text, /Continue with Our Accounts/)
    assert.equal(joining.text.includes('<input'), false)
    const typed = { email: 'x@example.com', full_name: 'X', password: 'correct horse' }
    await openBrowser(server.url).fill('/register/', typed)
    assert.equal(findUserByAddress(store, typed.email), undefined)
  })

  test('clients learn of it in an event', async () => {
    const queue = await server.as('member').watch('realm')
    await setRealm({ password_auth_enabled: true })
    await setRealm({ password_auth_enabled: false })
    const [, { data } = {}] = (await queue.drain()) as { data?: object }[]
    const on = { enabled: true, available: true }
    assert.deepEqual(data, {
      password_auth_enabled: false,
      authentication_methods: {
        Dev: on,
        Email: { enabled: false, available: true },
        'OpenID Connect': on,
      },
    })
  })

  test('administrators can link their accounts with theirs all the same', async () => {
    await store.write((tx) => deleteIdentitiesOf(tx, server.ids.admin))
    const { browser, text } = await logIn(person({ email: 'iago@zulip.com', sub: 'iago again' }))
    const attempt = /name="attempt" value="(\w+)"/.exec(text)?.[1] ?? ''
    const form = { form: sealOf(text), attempt, password: 'iago-password' }
    assert.equal((await browser.go('/accounts/login/link/', form)).status, 303)
    assert.equal(await accountOf(browser), server.ids.admin)
  })

  test('they come back with the last provider that goes, and cannot be switched off then', async () => {
    await store.write((tx) => deleteProvider(tx, 'ours'))
    assert.equal((await keyOf('hamlet')).result, 'success')
    await setRealm({ password_auth_enabled: true })
    assert.deepEqual(
      await server.as('owner').patch('/realm', { password_auth_enabled: false }),
      failure('At least one authentication method must be enabled.'),
    )
  })
})
