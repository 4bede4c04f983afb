import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { createServer, type Server } from '#program/server.ts'
import { openMailSender, plainMail } from '#test/support/mail-sender.ts'
import { commandOf, startProgram } from '#test/support/programs.ts'
import { parley } from '#test/support/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-'))
after(() => rmSync(folder, { recursive: true }))

const data = ['--data', folder]
const ann = ['--email', 'ann@example.com', '--full-name', 'Ann Example']
const bob = ['--email', 'bob@example.com', '--full-name', 'Bob']

describe('wrong use says what to do instead and ends with 2', () => {
  // biome-ignore format: a table reads best in columns
  const rows: [string, string[], string, RegExp][] = [
    ['an unknown command',     ['srve'],                                   '', /Did you mean serve\?/],
    ['an unknown option',      ['user', 'list', '--all'],                  '', /unknown option '--all'/],
    ['a missing option',       ['init', '--org', 'Ours', ...data],         '', /'--email <address>' not specified/],
    ['no password',            ['user', 'add', ...ann, ...data],           '', /printf %s 'the password' \| parley user add/],
    ['a short password',       ['user', 'add', ...ann, ...data],      'short', /at least 8 characters/],
    ['a port that is none',    ['serve', '--port', '99999'],               '', /from 0 to 65535/],
    ['a role that is none',    ['user', 'add', ...ann, '--role', 'boss'],  '', /Allowed choices are owner/],
    ['a time that is none',    ['dev', '--time', 'soon'],                  '', /2026-01-01T00:00:00Z/],
    ['development for everybody', ['dev', '--host', '0.0.0.0'],            '', /use both options: --host 0\.0\.0\.0 --expose/],
  ]
  for (const [name, args, password, message] of rows) {
    test(name, async () => {
      const { code, out, err } = await parley(args, password)
      assert.match(err, message)
      assert.deepEqual([code, out], [2, ''])
    })
  }
  test('a bad variable, and some of the four that belong together', async () => {
    const port = await parley(data, '', { PARLEY_PORT: 'x' })
    assert.match(port.err, /PARLEY_PORT must be a number/)
    assert.equal(port.code, 2)
    for (const name of ['PARLEY_MAX_UPLOAD_MIB', 'PARLEY_UPLOAD_QUOTA_MIB']) {
      const size = await parley(['serve', ...data, '--port', '0'], '', { [name]: '-1' })
      assert.match(size.err, new RegExp(`${name} must be a number of MiB above 0, not '-1'`))
      assert.notEqual(size.code, 0)
    }
    const some = await parley(['serve', ...data, '--port', '0'], '', { PARLEY_ORG: 'Ours' })
    assert.match(some.err, /set all of PARLEY_ORG, PARLEY_OWNER_EMAIL, PARLEY_OWNER_NAME/)
    assert.equal(some.code, 2)
  })
})

test('an organization is set up, and people are added, without a browser', async () => {
  const early = await parley(['user', 'list', ...data])
  assert.deepEqual(early, {
    code: 1,
    out: '',
    err: 'There is no organization yet: "parley init" creates one.\n',
  })
  const init = await parley(['init', '--org', 'Ours', ...ann, ...data], 'correct horse\n')
  assert.deepEqual(init, {
    code: 0,
    out: 'Ours is set up. Its owner is Ann Example <ann@example.com>.\n',
    err: '',
  })
  const again = await parley(['init', '--org', 'Theirs', ...bob, ...data], 'correct horse\n')
  assert.deepEqual(again, {
    code: 1,
    out: '',
    err: 'This server already has an organization.\n',
  })
  const added = await parley(['user', 'add', ...bob, '--role', 'guest', ...data], 'battery staple')
  assert.deepEqual(added, { code: 0, out: 'Bob <bob@example.com> is user 7.\n', err: '' })
})

test('a command on a folder without data creates nothing there', async () => {
  const wrong = join(folder, 'wrong')
  for (const command of [['user', 'list'], ['reactivate'], ['backup', join(folder, 'copy')]]) {
    assert.deepEqual(await parley([...command, '--data', wrong]), {
      code: 1,
      out: '',
      err: `There is no organization in ${wrong}: "parley init" creates one.\n`,
    })
  }
  assert.equal(existsSync(wrong), false)
})

test('a zuliprc names the domain, or says that the address of a stopped server is a guess', async () => {
  const args = ['user', 'api-key', 'ann@example.com', '--zuliprc', ...data]
  const named = await parley(args, '', { PARLEY_DOMAIN: 'chat.example.com' })
  assert.match(named.out, /site=https:\/\/chat\.example\.com\n$/)
  assert.equal(named.err, '')
  const guessed = await parley(args, '', { PARLEY_PORT: '8080' })
  assert.match(guessed.out, /site=http:\/\/127\.0\.0\.1:8080\n$/)
  assert.match(guessed.err, /its address http:\/\/127\.0\.0\.1:8080 is a guess/)
})

test('a folder without an organization is not registered for pushes', async () => {
  const args = [
    'push',
    'register',
    '--contact',
    'ann@example.com',
    '--hostname',
    'chat.example.com',
  ]
  const wrong = await parley([...args, '--data', join(folder, 'none')])
  assert.deepEqual([wrong.code, wrong.out], [1, ''])
  assert.match(wrong.err, /There is no organization in .*none/)
  assert.match((await parley([...args, ...data])).out, /Nothing has been sent yet/)
})

describe('while a server runs on the folder', () => {
  let server: Server
  before(async () => {
    server = await createServer({ data: folder, port: 0, config: { logLevel: 'silent' } })
  })
  after(() => server.close())

  test('its clients hear of what the shell does', async () => {
    const { out } = await parley(['user', 'api-key', 'ann@example.com', '--zuliprc', ...data])
    const [, key] = /^\[api\]\nemail=ann@example\.com\nkey=(\w{32})\nsite=http/.exec(out) ?? []
    assert.ok(out.endsWith(`site=${server.url}\n`))
    const authorization = `Basic ${Buffer.from(`ann@example.com:${key}`).toString('base64')}`
    const call = async (method: string, path: string) =>
      (await (
        await fetch(`${server.url}/api/v1/${path}`, { method, headers: { authorization } })
      ).json()) as Record<string, unknown>
    const { queue_id } = await call('POST', 'register?event_types=["realm_user"]')
    await parley(
      ['user', 'add', '--email', 'eve@example.com', '--full-name', 'Eve', ...data],
      'correct horse',
    )
    await parley(['user', 'deactivate', 'EVE@example.com', ...data])
    const query = `queue_id=${encodeURIComponent(String(queue_id))}&last_event_id=-1`
    const { events } = await call('GET', `events?${query}&dont_block=true`)
    const seen = (events as { op: string; person: Record<string, unknown> }[]).map(
      ({ op, person }) => [op, person.user_id, person.full_name, person.is_active],
    )
    assert.deepEqual(seen, [
      ['add', 8, 'Eve', true],
      ['update', 8, undefined, false],
    ])
  })

  test('commands reach it though its lock file was deleted', async () => {
    rmSync(join(folder, 'lock'))
    for (const args of [['check'], ['user', 'list']]) {
      const { code, out, err } = await parley([...args, ...data])
      assert.equal(code, 0, out + err)
    }
  })

  test('everyone is listed', async () => {
    const { code, out } = await parley(['user', 'list', ...data])
    assert.equal(code, 0)
    assert.equal(
      out,
      [
        'id  role    state        email            name',
        '6   owner   active       ann@example.com  Ann Example',
        '7   guest   active       bob@example.com  Bob',
        '8   member  deactivated  eve@example.com  Eve',
        '',
      ].join('\n'),
    )
  })

  test('what fails says why and ends with 1', async () => {
    // biome-ignore format: a table reads best in columns
    const rows: [string[], string][] = [
      [['user', 'deactivate', 'ann@example.com'], 'Cannot deactivate the only organization owner\n'],
      [['user', 'deactivate', 'no@example.com'],  'No account has the address no@example.com.\n'],
      [['serve', '--port', '0'], `The data folder ${folder} is in use by a running Parley (process ${process.pid}, since TIME UTC).\nFor help, run: parley help data-folder-in-use\n`],
    ]
    for (const [args, message] of rows) {
      const { err, ...run } = await parley([...args, ...data])
      assert.deepEqual(run, { code: 1, out: '' })
      assert.equal(err.replace(/since [-\d]+ [:\d]+ UTC/, 'since TIME UTC'), message)
    }
  })

  test('nobody gives it commands without its secret', async () => {
    const command = (headers: Record<string, string>) =>
      fetch(`${server.url}/control`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ command: 'user list', args: {} }),
      })
    const expected = await fetch(`${server.url}/nothing-here`, { method: 'POST' })
    for (const headers of [{}, { authorization: `Bearer ${'0'.repeat(64)}` }]) {
      const reply = await command(headers as Record<string, string>)
      assert.equal(reply.status, 404)
      assert.equal(await reply.text(), await expected.clone().text())
    }
  })
})

describe('identity providers', () => {
  const secret = 'a client secret'
  const issuer = ['--issuer', 'https://id.example/realms/one']
  const add = ['sso', 'add', 'keycloak', '--name', 'Keycloak', ...issuer, '--client-id', 'parley']
  const url = { PARLEY_URL: 'https://chat.example' }
  const redirect = 'https://chat.example/complete/oidc/keycloak/'

  test('are added, listed without their secrets, and removed', async () => {
    const groups = [
      '--group',
      'a=b=c',
      '--role',
      'ops=admin',
      '--allow-group',
      'x',
      '--allow-group',
      'y',
    ]
    const added = await parley([...add, ...groups, ...data], secret, url)
    assert.deepEqual(
      [added.code, added.out],
      [0, `People can log in with Keycloak. Its redirect URI: ${redirect}\n`],
      added.err,
    )
    const { out } = await parley(['sso', 'list', ...data], '', url)
    assert.ok(out.includes(redirect))
    assert.ok(
      out.includes('"allowedGroups":["x","y"],"groups":{"a=b":"c"},"roles":{"ops":"admin"}'),
    )
    assert.equal(out.includes(secret), false)
    assert.equal((await parley(['sso', 'remove', 'keycloak', ...data])).code, 0)
    const again = await parley(['sso', 'remove', 'keycloak', ...data])
    assert.deepEqual([again.code, again.err], [1, 'There is no identity provider keycloak.\n'])
  })

  // biome-ignore format: a table reads best in columns
  const wrong: [string, string[], RegExp][] = [
    ['plain HTTP',     ['--issuer', 'http://id.example'], /issuer must be an https URL/],
    ['a role of power', ['--role', 'ops=owner'],          /roles.ops must be admin, moderator/],
    ['a scope without openid', ['--scope', 'email'],      /scope must contain openid/],
  ]
  for (const [what, args, message] of wrong) {
    test(`${what} is refused`, async () => {
      const { code, err } = await parley([...add, ...args, ...data], secret)
      assert.equal(code, 1)
      assert.match(err, message)
    })
  }

  test('a variable that is wrong is refused, without its value', async () => {
    for (const value of ['[{"id":"x","client_secret":"hush"}]', '[hush', '/missing/hush.json']) {
      const { code, err } = await parley(['user', 'list', ...data], '', {
        PARLEY_OIDC_PROVIDERS: value,
      })
      assert.equal(code, 2)
      assert.match(err, /^PARLEY_OIDC_PROVIDERS must be JSON/)
      assert.equal(err.includes('hush'), false, err)
    }
  })

  test('a variable that holds them wins over what is stored', async () => {
    const one = { id: 'keycloak', name: 'Ours', issuer: 'https://id.example', client_id: 'parley' }
    const env = { ...url, PARLEY_OIDC_PROVIDERS: JSON.stringify([one]) }
    assert.match((await parley(['sso', 'list', ...data], '', env)).out, /^keycloak: Ours\n/)
    assert.match((await parley([...add, ...data], secret, env)).err, /configured by/)
    assert.match((await parley(['config'], '', env)).out, /PARLEY_OIDC_PROVIDERS = hidden/)
  })
})

test('a token lets a provider manage accounts, until it is taken away', async () => {
  const { code, out } = await parley(['scim', 'token', ...data])
  assert.equal(code, 0)
  assert.match(out, /^[0-9a-f]{64}\n$/)
  assert.notEqual((await parley(['scim', 'token', ...data])).out, out)
  assert.equal((await parley(['scim', 'remove', ...data])).code, 0)
  const again = await parley(['scim', 'remove', ...data])
  assert.deepEqual([again.code, again.err], [1, 'There is no token for SCIM.\n'])
})

test('the server starts from variables, says where it is, and stops when it is told to', async () => {
  const own = mkdtempSync(join(tmpdir(), 'parley-'))
  const { out, stop } = await startProgram(commandOf('src/main.ts', '--data', own, '--port', '0'), {
    env: {
      PARLEY_ORG: 'Ours',
      PARLEY_OWNER_EMAIL: 'ann@example.com',
      PARLEY_OWNER_NAME: 'Ann',
      PARLEY_OWNER_PASSWORD: 'correct horse',
    },
  })
  const [, url] =
    /^Parley is running\.\n {2}Address {2}(http:\S+)\n {2}Data {5}\/\S+\n$/.exec(out) ?? []
  const login = await fetch(`${url}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'ann@example.com', password: 'correct horse' }),
  })
  assert.equal(login.status, 200)
  await stop()
  rmSync(own, { recursive: true })
})

test('the development organization is there at once, and forgets everything', async (t) => {
  const options = '--port 0 --messages 5 --feature-level 300'.split(' ')
  const { child, out, stop } = await startProgram(commandOf('src/main.ts', 'dev', ...options))
  t.after(() => child.kill('SIGKILL'))
  const [, url] = /Address {3}(http:\S+)\n/.exec(out) ?? []
  const settings = await fetch(`${url}/api/v1/server_settings`)
  const { realm_name, zulip_feature_level } = (await settings.json()) as Record<string, unknown>
  assert.deepEqual([realm_name, zulip_feature_level], ['Zulip Dev', 300])
  const owner = `desdemona@zulip.com:${fixtureApiKey('desdemona@zulip.com')}`
  const opened = await fetch(`${url}/api/v1/realm`, {
    method: 'PATCH',
    headers: { authorization: `Basic ${btoa(owner)}` },
    body: new URLSearchParams({ enable_spectator_access: 'true' }),
  })
  const readable = await fetch(`${url}/api/v1/register`, { method: 'POST' })
  assert.deepEqual([opened.status, readable.status], [200, 200])
  const asked = await fetch(`${url}/api/v1/streams/3/email_address`, {
    headers: { authorization: `Basic ${btoa(owner)}` },
  })
  const { email } = (await asked.json()) as { email: string }
  assert.match(email, /^\S+@mail\.localhost$/)
  const kept = await fetch(`${url}/emails/json`)
  const { smtp } = (await kept.json()) as { smtp: { host: string; port: number } }
  assert.ok((await (await fetch(`${url}/emails/`)).text()).includes(`port ${smtp.port}`))
  const sender = openMailSender(smtp.port)
  assert.match(await sender.send(email, plainMail('News', 'It arrived.')), /^250 /)
  sender.close()
  await stop('SIGINT')
})
