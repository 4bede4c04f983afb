import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { redirectUri } from '#features/foundation/identity-providers/json.ts'
import { findUserIdOf, saveProvider } from '#features/foundation/identity-providers/queries.ts'
import { insertMailLink } from '#features/foundation/mail/links.queries.ts'
import { findUserByAddress, updateUser } from '#features/foundation/users/queries.ts'
import { type FormBrowser, openBrowser, sealOf } from '#test/support/browser.ts'
import { type Claims, follow, startProvider } from '#test/support/identity-provider.ts'
import { success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

// Without mail: nobody confirms an address here.
const provider = await startProvider()
const server = await startServer({ config: { allowedNetworks: ['127.0.0.1'] } })
after(async () => {
  await server.close()
  await provider.close()
})
const { store } = server.server.context
provider.register(redirectUri(server.server.context, 'ours'))
before(() =>
  store.write((tx) => saveProvider(tx, { ...provider.settings, roles: { ops: 'admin' } })),
)

let count = 0
const verified = (email: string, more: Partial<Claims> = {}): Claims => ({
  sub: `subject-${++count}`,
  email,
  email_verified: true,
  name: 'The Real One',
  ...more,
})

/** Logs in at the provider for the first time, in a new browser unless one is given. */
async function arrive(claims: Claims, browser = openBrowser(server.url)) {
  provider.person = claims
  const page = await follow(browser, `${server.url}/accounts/login/social/oidc/ours`)
  return { ...page, browser }
}

const linkedTo = ({ sub }: Claims) => findUserIdOf(store, provider.issuer, sub)
const isInside = ({ cookies }: FormBrowser) => cookies.has('sessionid')

/** Joins by a link that anyone may have, with an address that nobody confirms. */
async function joinAs(email: string, password = 'correct horse') {
  const made = await server.as('owner').post<{ invite_link: string }>('/invites/multiuse')
  const browser = openBrowser(server.url)
  const { pathname } = new URL(made.invite_link)
  const typed = { email, full_name: `Mallory ${++count}`, password }
  assert.equal((await browser.fill(pathname, typed)).status, 303)
  return findUserByAddress(store, email)?.id
}

const enterPassword = async (browser: FormBrowser, text: string, password: string) => {
  const attempt = /name="attempt" value="(\w+)"/.exec(text)?.[1] ?? ''
  return await browser.go('/accounts/login/link/', { form: sealOf(text), attempt, password })
}

describe('an account whose address nobody confirmed', () => {
  test('is not linked to who has the address, without its password', async () => {
    await joinAs('victim@example.com')
    const claims = verified('victim@example.com')
    const { browser, text } = await arrive(claims)
    assert.match(text, /Is this your account/)
    assert.equal(isInside(browser), false)
    assert.equal((await enterPassword(browser, text, 'a guess')).status, 400)
    assert.equal(linkedTo(claims), undefined)
  })

  test('is not linked after a member has taken the address in the settings', async () => {
    const taken = await server.as('cordelia').patch('/settings', { email: 'head@example.com' })
    assert.deepEqual(taken, success)
    const claims = verified('head@example.com', { groups: ['ops'] })
    const { browser, text } = await arrive(claims)
    assert.match(text, /Is this your account/)
    assert.equal(isInside(browser), false)
    assert.equal(findUserByAddress(store, 'head@example.com')?.role, 400)
  })

  test('is linked with its password, and its address counts as confirmed from then on', async () => {
    const id = await joinAs('honest@example.com', 'my own words')
    const { browser, text } = await arrive(verified('honest@example.com'))
    assert.equal((await enterPassword(browser, text, 'my own words')).status, 303)
    assert.equal(isInside(browser), true)
    const user = findUserByAddress(store, 'honest@example.com')
    assert.deepEqual([user?.id, user?.isEmailVerified], [id, true])
  })

  test('is linked without a password that it does not have, and loses what opened it before', async () => {
    const id = (await joinAs('nobody@example.com', 'first words')) ?? 0
    const { apiKey } = findUserByAddress(store, 'nobody@example.com') ?? { apiKey: '' }
    const earlier = openBrowser(server.url)
    const typed = { email: 'nobody@example.com', password: 'first words' }
    await earlier.fill('/login/', typed)
    await store.write((tx) => updateUser(tx, id, { passwordHash: null }))
    const claims = verified('nobody@example.com')
    const { browser } = await arrive(claims)
    assert.equal(isInside(browser), true)
    assert.equal(linkedTo(claims), id)
    const session = earlier.cookies.get('sessionid')
    const reply = await fetch(`${server.url}/json/users/me`, {
      headers: { cookie: `sessionid=${session}` },
    })
    assert.equal(reply.status, 401)
    assert.notEqual(findUserByAddress(store, 'nobody@example.com')?.apiKey, apiKey)
  })
})

describe('someone whom an import brought', () => {
  /** Makes an account what the importer makes: without a password, and awaited. */
  async function awaited(email: string) {
    const id = (await joinAs(email)) ?? 0
    await store.write((tx) =>
      updateUser(tx, id, { passwordHash: null, awaitsFirstLogin: true, isEmailVerified: false }),
    )
    return id
  }
  const isAwaited = (email: string) => findUserByAddress(store, email)?.awaitsFirstLogin

  test('enters at once by an address that the provider has verified, and is awaited no more', async () => {
    const id = await awaited('imported@example.com')
    const claims = verified('imported@example.com')
    const { browser } = await arrive(claims)
    assert.equal(isInside(browser), true)
    assert.equal(linkedTo(claims), id)
    assert.equal(isAwaited('imported@example.com'), false)
  })

  test('does not enter by an address that the provider has not verified', async () => {
    await awaited('unproven@example.com')
    const claims = verified('unproven@example.com', { email_verified: false })
    const { browser } = await arrive(claims)
    assert.equal(isInside(browser), false)
    assert.equal(linkedTo(claims), undefined)
    assert.equal(isAwaited('unproven@example.com'), true)
  })
})

test('an address that was confirmed is so no more once another is taken without mail', async () => {
  assert.equal(findUserByAddress(store, 'othello@zulip.com')?.isEmailVerified, true)
  await server.as('othello').patch('/settings', { email: 'moor@example.com' })
  assert.equal(findUserByAddress(store, 'moor@example.com')?.isEmailVerified, false)
})

test('another spelling of a confirmed address stays confirmed', async () => {
  await server.as('prospero').patch('/settings', { email: 'Prospero@zulip.com' })
  assert.equal(findUserByAddress(store, 'prospero@zulip.com')?.isEmailVerified, true)
})

test('a new password by a mailed link confirms the address, and ends what opened the account before', async () => {
  const id = (await joinAs('reset@example.com')) ?? 0
  const before = findUserByAddress(store, 'reset@example.com')
  const key = await store.write((tx) =>
    insertMailLink(tx, { purpose: 'password_reset', userId: id, email: 'reset@example.com' }),
  )
  const browser = openBrowser(server.url)
  const path = `/accounts/password/reset/${key}/`
  assert.equal((await browser.fill(path, { password: 'other words' })).status, 303)
  const after = findUserByAddress(store, 'reset@example.com')
  assert.equal(after?.isEmailVerified, true)
  assert.notEqual(after?.apiKey, before?.apiKey)
})
