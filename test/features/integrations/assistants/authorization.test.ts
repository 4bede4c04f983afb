import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  claimAccount,
  replaceApiKey,
  replacePassword,
} from '#features/access/accounts/credentials.actions.ts'
import { listKeptMails } from '#features/foundation/mail/kept.queries.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { setRealmGroupSetting } from '#features/foundation/realm/settings.queries.ts'
import {
  countConnections,
  insertClient,
} from '#features/integrations/assistants/authorization/queries.ts'
import { assistantOfToken } from '#features/integrations/assistants/authorization/rules.ts'
import { assistantClients, assistantConnections } from '#platform/store/schema.ts'
import {
  browserOf,
  type Program,
  registerProgram,
  sendOAuth,
  type Tokens,
} from '#test/support/assistants.ts'
import { openBrowser, sealOf } from '#test/support/browser.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, administrators, type Client, startServer } from '#test/support/server.ts'

const server = await startServer({ socket: true })
after(server.close)
const { store } = server.server.context
const resource = `${server.url}/mcp`

const get = async (path: string) => await (await server.fetch(path)).json()
const isValid = ({ access_token }: Pick<Tokens, 'access_token'>, at = resource) =>
  assistantOfToken(store, access_token, at) !== undefined
const seconds = (count: number) => server.clock.advance(count * 1000)

describe('what a program finds', () => {
  test('is the same resource at both of its addresses', async () => {
    const expected = {
      resource,
      authorization_servers: [server.url],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Zulip Dev',
    }
    assert.deepEqual(await get('/.well-known/oauth-protected-resource'), expected)
    assert.deepEqual(await get('/.well-known/oauth-protected-resource/mcp'), expected)
  })

  test('is an authorization server without secrets of clients and with PKCE', async () => {
    const found = await get('/.well-known/oauth-authorization-server')
    assert.equal(found.issuer, server.url)
    assert.deepEqual(found.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(found.token_endpoint_auth_methods_supported, ['none'])
    for (const path of ['authorize', 'token', 'register', 'revoke']) {
      assert.ok(JSON.stringify(found).includes(`${server.url}/oauth/${path}`), path)
    }
  })

  test('is open to web pages, as tokens are', async () => {
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/oauth/token']) {
      const asked = await fetch(server.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:6274',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'mcp-protocol-version',
        },
      })
      assert.ok(asked.headers.get('access-control-allow-origin'), path)
      assert.match(asked.headers.get('access-control-allow-headers') ?? '', /MCP-Protocol-Version/)
    }
  })
})

describe('a program that a person allows', () => {
  test('gets tokens for them, with what they have chosen', async () => {
    const program = await registerProgram(server)
    const browser = await browserOf(server, 'member')
    const answer = await program.allow(browser, { access: 'read' })
    assert.deepEqual([answer.get('state'), answer.get('iss')], ['a state', server.url])
    const tokens = (await program.exchange(answer.get('code') ?? '')) as Tokens
    const { access_token, refresh_token, ...rest } = tokens
    assert.deepEqual(rest, { status: 200, token_type: 'Bearer', expires_in: 3600, scope: 'read' })
    const found = assistantOfToken(store, access_token, resource)
    assert.deepEqual(found?.assistant, {
      userId: server.ids.member,
      name: 'Claude',
      mayWrite: false,
      connectionId: found?.connection.id,
    })
    const stored = JSON.stringify(store.db.select().from(assistantConnections).all())
    for (const secret of [access_token, ...refresh_token.split('.')]) {
      assert.equal(stored.includes(secret), false)
    }
  })

  test('may write only if it has asked to', async () => {
    const program = await registerProgram(server)
    const browser = await browserOf(server, 'member')
    const answer = await program.allow(browser, { access: 'write' }, { scope: 'read' })
    assert.equal((await program.exchange(answer.get('code') ?? '')).scope, 'read')
  })

  test('gets other tokens for the last ones, and the old access token ends', async () => {
    const program = await registerProgram(server)
    const first = await program.connect('member')
    assert.equal(first.scope, 'read write')
    const second = (await program.refresh(first.refresh_token)) as Tokens
    assert.equal(second.status, 200)
    assert.deepEqual([isValid(first), isValid(second)], [false, true])
    seconds(3601)
    assert.equal(isValid(second), false)
    assert.equal((await program.refresh(second.refresh_token)).status, 200)
  })

  test('can end the connection, with either token', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const program = await registerProgram(server)
      const tokens = await program.connect('member')
      const ended = { token: tokens[which], client_id: program.id }
      assert.deepEqual(await sendOAuth(server, '/oauth/revoke', ended), { status: 200 })
      assert.equal(isValid(tokens), false)
      assert.equal((await program.refresh(tokens.refresh_token)).error, 'invalid_grant')
      assert.deepEqual(await sendOAuth(server, '/oauth/revoke', ended), { status: 200 })
    }
  })

  test('has one connection with a person: the last', async () => {
    const program = await registerProgram(server)
    const first = await program.connect('member')
    const { connections } = countConnections(store)
    const second = await program.connect('member')
    assert.equal(countConnections(store).connections, connections)
    assert.deepEqual([isValid(first), isValid(second)], [false, true])
  })

  test('may get its answer at any port of this computer, and at exactly its address elsewhere', async () => {
    const local = await registerProgram(server, 'Editor', 'http://127.0.0.1/callback')
    const at = { redirect_uri: 'http://127.0.0.1:50123/callback' }
    const answer = await local.allow(await browserOf(server, 'member'), {}, at)
    assert.equal((await local.exchange(answer.get('code') ?? '', at)).status, 200)
    const app = await registerProgram(server, 'Editor', 'cursor://anysphere.mcp/oauth')
    const { headers } = await (await browserOf(server, 'member')).go(app.address())
    assert.match(headers.get('content-security-policy') ?? '', /form-action cursor: 'self'/)
  })
})

describe('a registration', () => {
  // biome-ignore format: a table reads best in columns
  const wrong: [string, object, string][] = [
    ['without an address',     { client_name: 'x' },                                   'invalid_client_metadata'],
    ['with no address',        { redirect_uris: [] },                                  'invalid_redirect_uri'],
    ['with http elsewhere',    { redirect_uris: ['http://evil.example/cb'] },          'invalid_redirect_uri'],
    ['with a script',          { redirect_uris: ['javascript:alert(1)'] },             'invalid_redirect_uri'],
    ['with data',              { redirect_uris: ['data:text/html,x'] },                'invalid_redirect_uri'],
    ['with our apps',          { redirect_uris: ['zulip://login'] },                   'invalid_redirect_uri'],
    ['with a fragment',        { redirect_uris: ['https://a.example/#x'] },            'invalid_redirect_uri'],
    ['with a name in it',      { redirect_uris: ['https://a@b.example/'] },            'invalid_redirect_uri'],
    ['with a policy in it',    { redirect_uris: ["https://a;script-src'x'.example/"] }, 'invalid_redirect_uri'],
    ['with a line end',        { redirect_uris: ['https://a.example/\r\nx: y'] },      'invalid_redirect_uri'],
    ['with a long address',    { redirect_uris: [`https://a.example/${'x'.repeat(500)}`] }, 'invalid_redirect_uri'],
    ['with many addresses',    { redirect_uris: Array(11).fill('https://a.example/') }, 'invalid_redirect_uri'],
    ['with a number as name',  { client_name: 5, redirect_uris: ['https://a.example/'] }, 'invalid_client_metadata'],
    ['that is a list',         [],                                                      'invalid_client_metadata'],
  ]
  for (const [what, body, error] of wrong) {
    test(`${what} is refused`, async () => {
      const refused = await sendOAuth(server, '/oauth/register', body, true)
      assert.deepEqual([refused.status, refused.error], [400, error])
    })
  }

  test('that is not JSON is refused', async () => {
    const refused = await sendOAuth(server, '/oauth/register', { redirect_uris: 'x' })
    assert.deepEqual([refused.status, refused.error], [400, 'invalid_client_metadata'])
  })

  test('gets no secret, whatever it asks for', async () => {
    const asked = {
      redirect_uris: ['https://a.example/'],
      token_endpoint_auth_method: 'client_secret_basic',
    }
    const made = await sendOAuth(server, '/oauth/register', asked, true)
    assert.equal(made.token_endpoint_auth_method, 'none')
    assert.equal('client_secret' in made, false)
  })

  test('expires after a day if nobody uses it, and later if someone has', async () => {
    const [unused, used] = [await registerProgram(server), await registerProgram(server)]
    await used.connect('member')
    seconds(25 * 3600)
    const browser = await browserOf(server, 'member')
    assert.equal((await browser.go(unused.address())).status, 400)
    assert.equal((await browser.go(used.address())).status, 200)
  })
})

/** The attacks: each has to leave the tokens of a connection alone, or to end it. */
describe('an attack', () => {
  const codeFor = async (program: Program) =>
    (await program.allow(await browserOf(server, 'member'))).get('code') ?? ''

  // biome-ignore format: a table reads best in columns
  const exchanges: [string, Record<string, string>, string][] = [
    ['another verifier',        { code_verifier: 'x'.repeat(43) },            'invalid_grant'],
    ['a short verifier',        { code_verifier: 'x' },                       'invalid_grant'],
    ['no verifier',             { code_verifier: '' },                        'invalid_request'],
    ['another redirect_uri',    { redirect_uri: 'https://evil.example/' },    'invalid_grant'],
    ['another client',          { client_id: 'f'.repeat(32) },                'invalid_grant'],
    ['no client',               { client_id: '' },                            'invalid_request'],
    ['another resource',        { resource: 'https://other.example/mcp' },    'invalid_target'],
    ['another grant type',      { grant_type: 'password' },                   'unsupported_grant_type'],
    ['no grant type',           { grant_type: '' },                           'unsupported_grant_type'],
    ['another code',            { code: 'x'.repeat(43) },                     'invalid_grant'],
  ]
  for (const [what, changed, error] of exchanges) {
    test(`with ${what} gets no tokens, and spoils the code for nobody`, async () => {
      const program = await registerProgram(server)
      const code = await codeFor(program)
      const refused = await program.exchange(code, changed)
      assert.deepEqual([refused.status, refused.error], [400, error])
      assert.equal((await program.exchange(code)).status, 200)
    })
  }

  test('with a code that was used gets nothing, and ends what the code gave', async () => {
    const program = await registerProgram(server)
    const code = await codeFor(program)
    const tokens = (await program.exchange(code)) as Tokens
    assert.equal((await program.exchange(code)).error, 'invalid_grant')
    assert.equal(isValid(tokens), false)
    assert.equal((await program.refresh(tokens.refresh_token)).error, 'invalid_grant')
  })

  test('with a code of a minute ago gets nothing', async () => {
    const program = await registerProgram(server)
    const code = await codeFor(program)
    seconds(60)
    assert.equal((await program.exchange(code)).error, 'invalid_grant')
  })

  test('with a stolen refresh token ends the connection, once both have used it', async () => {
    const program = await registerProgram(server)
    const first = await program.connect('member')
    const second = (await program.refresh(first.refresh_token)) as Tokens
    const again = await program.refresh(first.refresh_token)
    assert.deepEqual([again.status, again.error], [400, 'invalid_grant'])
    assert.equal(isValid(second), false)
    assert.equal((await program.refresh(second.refresh_token)).error, 'invalid_grant')
  })

  test('with the refresh token of another client gets nothing, and ends nothing', async () => {
    const [program, other] = [await registerProgram(server), await registerProgram(server)]
    const tokens = await program.connect('member')
    assert.equal((await other.refresh(tokens.refresh_token)).error, 'invalid_grant')
    const ended = { token: tokens.refresh_token, client_id: other.id }
    assert.equal((await sendOAuth(server, '/oauth/revoke', ended)).status, 200)
    assert.equal(isValid(tokens), true)
    const elsewhere = { resource: 'https://other.example/mcp' }
    assert.equal((await program.refresh(tokens.refresh_token, elsewhere)).error, 'invalid_target')
  })

  test('with a refresh token of a month ago gets nothing', async () => {
    const program = await registerProgram(server)
    const tokens = await program.connect('member')
    seconds(30 * 24 * 3600)
    assert.equal((await program.refresh(tokens.refresh_token)).error, 'invalid_grant')
  })

  test('with a token for another resource, or one that is none, is nobody', async () => {
    const tokens = await (await registerProgram(server)).connect('member')
    assert.equal(isValid(tokens, 'https://other.example/mcp'), false)
    assert.equal(isValid({ access_token: tokens.refresh_token }), false)
    assert.equal(isValid({ access_token: '' }), false)
  })

  test('with secrets in the address is refused', async () => {
    const refused = await sendOAuth(server, '/oauth/token?grant_type=refresh_token', {})
    assert.deepEqual([refused.status, refused.error], [400, 'invalid_request'])
  })

  // biome-ignore format: a table reads best in columns
  const requests: [string, Record<string, string>, string][] = [
    ['no PKCE',               { code_challenge: '' },                       'invalid_request'],
    ['plain PKCE',            { code_challenge_method: 'plain' },           'invalid_request'],
    ['PKCE without method',   { code_challenge_method: '' },                'invalid_request'],
    ['a short challenge',     { code_challenge: 'x' },                      'invalid_request'],
    ['another response type', { response_type: 'token' },                   'unsupported_response_type'],
    ['another resource',      { resource: 'https://other.example/mcp' },    'invalid_target'],
    ['unknown scopes',        { scope: 'admin' },                           'invalid_scope'],
    ['a long state',          { state: 'x'.repeat(1001) },                  'invalid_request'],
  ]
  for (const [what, changed, error] of requests) {
    test(`of a program that asks with ${what} is an error that it hears of`, async () => {
      const program = await registerProgram(server)
      const { status, headers } = await openBrowser(server.url).go(program.address(changed))
      const answer = new URL(headers.get('location') ?? '')
      assert.deepEqual([status, answer.origin], [303, 'https://claude.example'])
      assert.deepEqual(
        [answer.searchParams.get('error'), answer.searchParams.get('iss')],
        [error, server.url],
      )
    })
  }

  const foreign: Record<string, string>[] = [
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: 'https://claude.example/callback/' },
    { redirect_uri: 'https://claude.example/callback?x=1' },
    { redirect_uri: 'http://claude.example/callback' },
    { redirect_uri: 'https://claude.example:444/callback' },
    { redirect_uri: 'javascript:alert(1)' },
    { client_id: 'unknown' },
  ]
  for (const changed of foreign) {
    test(`with ${Object.values(changed)} leads nowhere`, async () => {
      const program = await registerProgram(server)
      const { status, headers } = await openBrowser(server.url).go(program.address(changed))
      assert.deepEqual([status, headers.get('location')], [400, null])
    })
  }

  test('by a page that sends the form of the consent page gets nothing', async () => {
    const program = await registerProgram(server)
    const browser = await browserOf(server, 'member')
    const foreign = await browserOf(server, 'outsider')
    const seal = sealOf((await foreign.go(program.address())).text)
    for (const form of ['', 'x', seal]) {
      const page = await browser.go(program.address(), { form, decision: 'allow', access: 'write' })
      assert.deepEqual([page.status, page.headers.get('location')], [400, null])
      assert.match(page.text, /submit the form again/)
    }
  })

  test('by a frame around the consent page is not drawn', async () => {
    const program = await registerProgram(server)
    const { headers } = await (await browserOf(server, 'member')).go(program.address())
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action https:\/\/claude\.example 'self'/)
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  // biome-ignore format: a table reads best in columns
  const names: [string, string][] = [
    ['<script>alert(1)</script>',     '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['"><img src=x>',                 '&quot;&gt;&lt;img src=x&gt;'],
    ['\u202eedualC\u202c',            'edualC'],
    ['Cl\u200bau\u2066de\n\n\u0000x', 'Cl au de x'],
    ['e\u0301\u0301\u0301\u0301\u0301', 'e\u0301\u0301'],
    ['x'.repeat(400),                 'x'.repeat(60)],
    ['\u200f \u3164',                 'Assistant'],
    ['',                              'Assistant'],
    ['{organization}',                '{organization}'],
  ]
  for (const [name, shown] of names) {
    test(`by the name ${JSON.stringify(name).slice(0, 40)} shows ${shown.slice(0, 30)}`, async () => {
      const program = await registerProgram(server, name)
      const { text } = await (await browserOf(server, 'member')).go(program.address())
      assert.ok(text.includes(`<bdi>${shown}</bdi>`), text)
      assert.ok(text.includes('<bdi>claude.example</bdi>'))
    })
  }
})

describe('who may not', () => {
  const allow = (name: 'role:nobody' | 'role:members' | 'role:everyone') =>
    store.write((tx) =>
      setRealmGroupSetting(tx, 'can_connect_assistants_group', systemGroupId(tx, name)),
    )

  test('is told so, and the program hears of it', async () => {
    const program = await registerProgram(server)
    const page = await (await browserOf(server, 'guest')).go(program.address())
    assert.equal(page.status, 403)
    assert.match(page.text, /href="https:\/\/claude\.example\/callback\?error=access_denied&amp;/)
    await allow('role:everyone')
    assert.equal((await (await browserOf(server, 'guest')).go(program.address())).status, 200)
    await allow('role:members')
  })

  test('can no longer use a token, and gets none', async () => {
    const program = await registerProgram(server)
    const tokens = await program.connect('member')
    const code = (await program.allow(await browserOf(server, 'member'))).get('code') ?? ''
    await allow('role:nobody')
    assert.equal(isValid(tokens), false)
    assert.equal((await program.refresh(tokens.refresh_token)).error, 'invalid_grant')
    assert.equal((await program.exchange(code)).error, 'invalid_grant')
    await allow('role:members')
    assert.equal(isValid(tokens), true)
  })

  test('can refuse', async () => {
    const program = await registerProgram(server)
    const browser = await browserOf(server, 'member')
    const answer = await program.allow(browser, { decision: 'refuse' })
    assert.deepEqual([answer.get('error'), answer.get('code')], ['access_denied', null])
  })
})

describe('someone without a session', () => {
  test('logs in with the password, and is asked then', async () => {
    const program = await registerProgram(server)
    const browser = openBrowser(server.url)
    const { headers } = await browser.go(program.address())
    const login = headers.get('location') ?? ''
    assert.match(login, /^\/login\/\?next=/)
    const person: Actor = 'cordelia'
    const typed = { email: `${person}@zulip.com`, password: `${person}-password` }
    const back = (await browser.fill(login, typed)).headers.get('location')
    assert.equal(back, program.address())
    assert.match((await browser.go(back ?? '')).text, /Connect <bdi>Claude<\/bdi>\?/)
  })

  test('is led to no other site by a log-in', async () => {
    const browser = openBrowser(server.url)
    const typed = { email: 'cordelia@zulip.com', password: 'cordelia-password' }
    const back = await browser.fill('/login/?next=https://evil.example/', typed)
    assert.equal(back.headers.get('location'), '/')
  })
})

describe('a connection ends', () => {
  let enders = 0
  /** Each is an act on the account of someone new. */
  const acts: Record<string, (person: Client) => Promise<unknown>> = {
    'with a log-out everywhere': (person) => person.del('/users/me/sessions'),
    'with a new password': async ({ id }) => {
      const hash = 'a hash'
      await store.write((tx) => replacePassword(tx, server.server.context.queues, id, hash))
    },
    'with the claim of the address': ({ id }) =>
      store.write((tx) => claimAccount(tx, server.server.context.queues, id)),
    'with the account': ({ id }) => server.as('owner').del(`/users/${id}`),
  }
  for (const [when, act] of Object.entries(acts)) {
    test(`${when}, and what was allowed is no longer made`, async () => {
      const person = await server.enroll(`Ender ${++enders}`)
      const [program, other] = [await registerProgram(server), await registerProgram(server)]
      const tokens = await program.connect(person)
      const code = (await other.allow(await browserOf(server, person))).get('code') ?? ''
      const foreign = await other.connect('member')
      await act(person)
      assert.deepEqual([isValid(tokens), isValid(foreign)], [false, true])
      assert.equal((await program.refresh(tokens.refresh_token)).error, 'invalid_grant')
      assert.equal((await other.exchange(code)).error, 'invalid_grant')
    })
  }

  test('for someone who was deactivated and came back', async () => {
    const person = await server.enroll('Back Again')
    const tokens = await (await registerProgram(server)).connect(person)
    await server.as('owner').del(`/users/${person.id}`)
    await server.as('owner').post(`/users/${person.id}/reactivate`)
    assert.equal(isValid(tokens), false)
  })

  test('not with another API key, which it does not need', async () => {
    const person = await server.enroll('Key Changer')
    const tokens = await (await registerProgram(server)).connect(person)
    const { queues } = server.server.context
    await store.write((tx) => replaceApiKey(tx, queues, person.id))
    assert.equal(isValid(tokens), true)
  })
})

describe('the list of connections', () => {
  const list = async (person: Client) =>
    await person.get<{ assistants: { id: number; created: number }[] }>('/users/me/assistants')

  test('has what each is called and may do, and ends one', async () => {
    const person = await server.enroll('List Maker')
    const programs = [await registerProgram(server, 'Reader'), await registerProgram(server)]
    await programs[0]?.connect(person, { access: 'read' })
    const tokens = await programs[1]?.connect(person)
    const { assistants, ...rest } = await list(person)
    const [newest, oldest] = assistants
    const created = Math.floor(server.clock.now() / 1000)
    assert.deepEqual(rest, { ...success, url: resource, may_connect: true })
    assert.deepEqual(assistants, [
      { id: newest?.id, name: 'Claude', may_write: true, created, last_used: null },
      { id: oldest?.id, name: 'Reader', may_write: false, created, last_used: null },
    ])
    const missing = failure('No such assistant.', 'NOT_FOUND')
    const path = `/users/me/assistants/${newest?.id}`
    assert.deepEqual(await server.as('admin').del(path), missing)
    assert.equal(tokens && isValid(tokens), true)
    assert.deepEqual(await person.del(path), success)
    assert.equal(tokens && isValid(tokens), false)
    assert.deepEqual(await person.del(path), missing)
    assert.equal((await list(person)).assistants.length, 1)
  })

  test('says that guests cannot connect any', async () => {
    assert.partialDeepStrictEqual(await list(server.as('guest')), {
      assistants: [],
      may_connect: false,
    })
  })

  for (const [actor, may] of administrators) {
    test(`${actor} ${may ? 'sees' : 'does not see'} how many there are`, async () => {
      const reply = await server.as(actor).get('/realm/assistants')
      if (may) assert.deepEqual(reply, { ...success, ...countConnections(store) })
      else assert.equal(reply.code, 'UNAUTHORIZED_PRINCIPAL')
    })
  }

  test('has no more than an account may have, and says so on the consent page', async () => {
    const limited = await startServer({ socket: true, config: { quotas: { assistants: 1 } } })
    try {
      const program = await registerProgram(limited)
      await program.connect('member')
      await program.connect('member')
      const other = await registerProgram(limited)
      const browser = await browserOf(limited, 'member')
      const form = sealOf((await browser.go(other.address())).text)
      const page = await browser.go(other.address(), { form, decision: 'allow' })
      assert.equal(page.status, 400)
      assert.match(page.text, /too many assistants \(limit: 1\)/)
    } finally {
      await limited.close()
    }
  })
})

describe('at the endpoint', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  }
  const call = (token: string) =>
    fetch(resource, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(initialize),
    })

  test('a token opens it until the connection ends, and its use is noted', async () => {
    const program = await registerProgram(server)
    const tokens = await program.connect('member')
    assert.equal((await call(tokens.access_token)).status, 200)
    await server.settled()
    const now = Math.floor(server.clock.now() / 1000)
    const used = () => assistantOfToken(store, tokens.access_token, resource)?.connection.lastUsedAt
    assert.equal(used(), now)
    seconds(200)
    await call(tokens.access_token)
    await server.settled()
    assert.equal(used(), now)
    seconds(200)
    await call(tokens.access_token)
    await server.settled()
    assert.equal(used(), now + 400)
    await sendOAuth(server, '/oauth/revoke', { token: tokens.access_token })
    const refused = await call(tokens.access_token)
    assert.equal(refused.status, 401)
    assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  })

  test('two hundred wrong tokens lock out nobody', async () => {
    const tokens = await (await registerProgram(server)).connect('member')
    for (let i = 0; i < 200; i++) assert.equal((await call(`pa_${i}`)).status, 401)
    assert.equal((await call(tokens.access_token)).status, 200)
  })
})

test('ten thousand registrations keep the newest thousand, and what people use', async () => {
  const program = await registerProgram(server)
  await program.connect('member')
  await store.write((tx) => {
    for (let i = 0; i < 10_000; i++) {
      insertClient(tx, { id: `flood-${i}`, name: 'x', redirectUris: ['https://a.example/'] })
    }
  })
  const kept = store.db.select().from(assistantClients).all()
  assert.equal(kept.filter(({ isUsed }) => !isUsed).length, 1000)
  assert.ok(kept.some(({ id }) => id === program.id))
  assert.ok(kept.some(({ id }) => id === 'flood-9999'))
})

test('a mail tells of a new connection, and of no refresh', async () => {
  const mailing = await startServer({ socket: true, config: { keepMail: true } })
  try {
    const program = await registerProgram(mailing)
    const tokens = await program.connect('member')
    await program.refresh(tokens.refresh_token)
    await mailing.settled()
    const mails = listKeptMails(mailing.server.context.store)
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [['hamlet@zulip.com', 'An assistant was connected at Zulip Dev']],
    )
  } finally {
    await mailing.close()
  }
})

test('one network registers only so many programs an hour', async () => {
  const limited = await startServer({
    config: { quotas: { assistant_registrations_per_hour: 3 } },
  })
  try {
    for (let i = 0; i < 3; i++) await registerProgram(limited)
    const body = { redirect_uris: ['https://a.example/'] }
    const refused = await sendOAuth(limited, '/oauth/register', body, true)
    assert.deepEqual([refused.status, refused.error], [429, 'slow_down'])
    limited.clock.advance(3600 * 1000)
    await registerProgram(limited)
  } finally {
    await limited.close()
  }
})
