import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { listDomains } from '#features/foundation/domains/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer({ config: { emailChangers: ['desdemona@zulip.com'] } })
after(server.close)

const { store } = server.server.context
const type = 'realm_domains'
const path = '/realm/domains'

const add = (actor: Actor, domain: unknown, allow_subdomains: unknown = false) =>
  server.as(actor).post(path, { domain, allow_subdomains })
const edit = (actor: Actor, domain: string, allow_subdomains: unknown) =>
  server.as(actor).patch(`${path}/${encodeURIComponent(domain)}`, { allow_subdomains })
const remove = (actor: Actor, domain: string) =>
  server.as(actor).del(`${path}/${encodeURIComponent(domain)}`)
const list = async () => (await server.as('guest').get<{ domains: object[] }>(path)).domains
const change = async (params: CallParams) =>
  assert.deepEqual(await server.as('owner').patch('/realm', params), success)

const only = { domain: 'zulip.com', allow_subdomains: false }
const ownersOnly = failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')

beforeEach(async () => {
  for (const { domain } of listDomains(store)) {
    if (domain !== 'zulip.com') await remove('owner', domain)
  }
})

describe('who may', () => {
  const matrix: [Actor, boolean][] = [
    ['owner', true],
    ['admin', false],
    ['moderator', false],
    ['member', false],
    ['guest', false],
    ['bot', false],
  ]
  for (const [actor, may] of matrix) {
    test(`${actor} ${may ? 'can' : 'cannot'} change which domains may join, but lists them`, async () => {
      const expected = may ? success : ownersOnly
      assert.deepEqual(await add(actor, 'example.com'), expected)
      assert.deepEqual(await edit(actor, 'zulip.com', true), expected)
      assert.deepEqual(await edit(actor, 'zulip.com', false), expected)
      if (!may) assert.deepEqual(await remove(actor, 'zulip.com'), ownersOnly)
      const added = { domain: 'example.com', allow_subdomains: false }
      assert.deepEqual(await server.as(actor).get(path), {
        ...success,
        domains: may ? [added, only] : [only],
      })
      if (may) assert.deepEqual(await remove(actor, 'example.com'), success)
    })
  }

  test('nobody without credentials', async () => {
    assert.equal((await server.anonymous.get(path)).status, 401)
    assert.equal((await server.anonymous.post(path)).status, 401)
  })
})

test('everyone hears of each change of a domain, and of none when nothing changed', async () => {
  const queue = await server.as('guest').watch(type)
  assert.deepEqual(await add('owner', '  Example.COM ', true), success)
  const example = { domain: 'example.com', allow_subdomains: true }
  assert.deepEqual(await list(), [example, only])
  assert.deepEqual((await server.as('member').watch(type)).state.realm_domains, [example, only])
  assert.deepEqual(await edit('owner', 'EXAMPLE.com', true), success)
  assert.deepEqual(await edit('owner', 'example.com', false), success)
  assert.deepEqual(await remove('owner', 'Example.com'), success)
  assert.deepEqual(await queue.drain(), [
    { type, op: 'add', realm_domain: example },
    { type, op: 'change', realm_domain: { ...example, allow_subdomains: false } },
    { type, op: 'remove', domain: 'example.com' },
  ])
})

describe('what is refused changes nothing and tells nobody', () => {
  const bad = failure('Invalid domain')
  const none = failure('No entry found for domain example.org.')
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  const adding =
    (domain: unknown, allow: unknown = false) =>
    () =>
      add('owner', domain, allow)
  // biome-ignore format: a table reads best in columns
  const rows: [string, () => Promise<object>, object | RegExp][] = [
    ['no domain',                adding(undefined),                 missing('domain')],
    ['no word on subdomains',    () => server.as('owner').post(path, { domain: 'a.org' }), missing('allow_subdomains')],
    ['an empty domain',          adding(''),                        bad],
    ['one label',                adding('localhost'),               bad],
    ['a dot in front',           adding('.example.com'),            bad],
    ['a dot behind',             adding('example.com.'),            bad],
    ['two dots',                 adding('example..com'),            bad],
    ['a hyphen in front',        adding('-example.com'),            bad],
    ['an underscore',            adding('ex_ample.com'),            bad],
    ['an address',               adding('a@example.com'),           bad],
    ['a URL',                    adding('https://example.com'),     bad],
    ['letters beyond ASCII',     adding('exämple.com'),             bad],
    ['a long label',             adding(`${'a'.repeat(64)}.com`),   bad],
    ['a long domain',            adding(`${'a.'.repeat(130)}com`),  bad],
    ['a megabyte',               adding('a'.repeat(1_000_000)),     /too (long|large)/],
    ['NUL',                      adding('a\u0000.com'),             /not allowed/],
    ['one that is there',        adding('ZULIP.com'),               failure('The domain zulip.com is already a part of your organization.')],
    ['a word for a boolean',     adding('example.com', 'maybe'),    failure('Argument "allow_subdomains" is not valid JSON.')],
    ['a number for a boolean',   adding('example.com', 1),          failure('allow_subdomains is not a boolean')],
    ['changing none',            () => edit('owner', 'example.org', true), none],
    ['changing to null',         () => edit('owner', 'zulip.com', null), /allow_subdomains/],
    ['removing none',            () => remove('owner', 'example.org'), none],
    ['removing __proto__',       () => remove('owner', '__proto__'), failure('No entry found for domain __proto__.')],
  ]
  for (const [name, call, expected] of rows) {
    test(name, async () => {
      const before = listDomains(store)
      const queue = await server.as('member').watch(type, 'realm')
      const reply = (await call()) as { result: string; msg: string }
      if (expected instanceof RegExp) {
        assert.equal(reply.result, 'error')
        assert.match(reply.msg, expected)
      } else assert.deepEqual(reply, expected)
      assert.deepEqual(listDomains(store), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }
})

describe('whose address may join', () => {
  let made = 0
  const fullName = () => `Newcomer ${++made}`
  before(() => change({ require_unique_names: false }))
  // biome-ignore format: a table reads best in columns
  const rows: [string, CallParams, [domain: string, subdomains: boolean][], email: string, refused: string | null][] = [
    ['everybody without a restriction',    {},                                     [],                      'a1@x.org',                  null],
    ['no throw-away address',              {},                                     [],                      'a@mailinator.com',          'Please use your real email address.'],
    ['no subdomain of such',               {},                                     [],                      'a@eu.Yopmail.com',          'Please use your real email address.'],
    ['one, where they are allowed',        { disallow_disposable_email_addresses: false }, [],              'a2@mailinator.com',         null],
    ['those of a domain',                  { emails_restricted_to_domains: true }, [],                      'a3@Zulip.com',              null],
    ['no others',                          { emails_restricted_to_domains: true }, [],                      'a@x.org',                   "Email 'a@x.org' not allowed in this organization"],
    ['none of a subdomain',                { emails_restricted_to_domains: true }, [['x.org', false]],      'a@eu.x.org',                "Email 'a@eu.x.org' not allowed in this organization"],
    ['some of a subdomain',                { emails_restricted_to_domains: true }, [['x.org', true]],       'a4@eu.x.org',               null],
    ['none that only end alike',           { emails_restricted_to_domains: true }, [['x.org', true]],       'a@evilx.org',               "Email 'a@evilx.org' not allowed in this organization"],
    ['none with a plus',                   { emails_restricted_to_domains: true }, [],                      'a+b@zulip.com',             'Email addresses containing + are not allowed in this organization.'],
    ['a domain that is named counts more', { emails_restricted_to_domains: true }, [['yopmail.com', false]], 'a5@yopmail.com',           null],
  ]
  for (const [name, settings, domains, email, refused] of rows) {
    test(name, async () => {
      await change({
        emails_restricted_to_domains: false,
        disallow_disposable_email_addresses: true,
        ...settings,
      })
      for (const [domain, subdomains] of domains) await add('owner', domain, subdomains)
      const reply = await server
        .as('owner')
        .post('/users', { email, full_name: fullName(), password: 'correct horse battery' })
      if (refused !== null) assert.deepEqual(reply, failure(refused))
      else assert.equal(reply.result, 'success', reply.msg)
    })
  }

  test('an owner cannot give others an address that may not join', async () => {
    await change({ emails_restricted_to_domains: true })
    const give = (new_email: string) => server.as('owner').patch('/users/7', { new_email })
    const refused = failure("Email 'zoe@x.org' not allowed in this organization")
    assert.deepEqual(await give('zoe@x.org'), refused)
    assert.deepEqual(await give('zoe2@zulip.com'), success)
    assert.deepEqual(await give('zoe2@zulip.com'), success, 'the same again')
  })

  test('removing the last domain ends the restriction, and everyone hears of both', async () => {
    await change({ emails_restricted_to_domains: true })
    await add('owner', 'x.org')
    const queue = await server.as('member').watch(type, 'realm')
    assert.deepEqual(await remove('owner', 'x.org'), success)
    assert.deepEqual(await remove('owner', 'zulip.com'), success)
    const data = { emails_restricted_to_domains: false }
    assert.deepEqual(await queue.drain(), [
      { type, op: 'remove', domain: 'x.org' },
      { type: 'realm', op: 'update_dict', property: 'default', data },
      { type, op: 'remove', domain: 'zulip.com' },
    ])
    const { state } = await server.as('member').watch('realm')
    assert.equal(state.realm_emails_restricted_to_domains, false)
    assert.deepEqual(await add('owner', 'zulip.com'), success)
  })
})
