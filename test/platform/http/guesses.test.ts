import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { exportFileName, exportFolder } from '#features/organization/exports/json.ts'
import { guessBudgets } from '#platform/http/guesses.ts'
import { createServer } from '#program/server.ts'
import { sealOf } from '#test/support/browser.ts'
import { plainFetch } from '#test/support/conformance.ts'
import { startServer } from '#test/support/server.ts'

// In a folder, so that it takes commands of the shell.
const data = mkdtempSync(join(tmpdir(), 'parley-'))
after(() => rmSync(data, { recursive: true }))
const config = {
  rateLimits: true,
  trustedProxies: ['127.0.0.0/8'],
  logLevel: 'silent',
  zoomUrl: 'http://app:secret@127.0.0.1',
  zoomSecret: 'token of the app',
}
const server = await startServer({ data, config })
after(server.close)
const { rateLimits } = server.server.context

const ann = server.as('member')
const rightPassword = 'hamlet-password'
const basic = (key: string, email = ann.email) => ({
  authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
})

let networks = 0
/** A network that nobody has come from. */
const newNetwork = () => `10.0.${networks >> 8}.${networks++ & 255}`

let keys = 0
/** A key of 32 hexadecimal digits that nobody has, another each time. */
const wrongKey = () => (++keys).toString(16).padStart(32, '0')

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

async function call(network: string, path: string, { method = 'GET', headers, form }: Call = {}) {
  const response = await plainFetch(server.url + path, {
    method,
    headers: { ...headers, 'x-forwarded-for': network },
    redirect: 'manual',
    ...(form && { body: new URLSearchParams(form) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const exportPath = (token: string) => `${exportFolder}/${token}/${exportFileName}`

/** Fills a form that only its own browser can send. */
async function fill(network: string, path: string, typed: Readonly<Record<string, string>>) {
  const page = await call(network, path)
  const cookie = page.headers.getSetCookie().map((line) => line.split(';')[0])
  return await call(network, path, {
    method: 'POST',
    headers: { cookie: cookie.join('; ') },
    form: { form: sealOf(page.text), ...typed },
  })
}

const fetchKey = (network: string, password: string, username = ann.email) =>
  call(network, '/api/v1/fetch_api_key', { method: 'POST', form: { username, password } })
const logIn = (network: string, password: string) =>
  fill(network, '/login/', { email: ann.email, password })
const withKey = (network: string, key: string) =>
  call(network, '/api/v1/users/me', { headers: basic(key) })

type Door = readonly [what: string, wrong: (network: string) => Promise<{ status: number }>]

/** Everything that takes a secret of an account. */
const doorsOfAccounts: readonly Door[] = [
  ['POST /fetch_api_key', (from) => fetchKey(from, 'wrong')],
  ['the login page', (from) => logIn(from, 'wrong')],
  [
    'the old password in PATCH /settings',
    (from) =>
      call(from, '/api/v1/settings', {
        method: 'PATCH',
        headers: basic(ann.apiKey),
        form: { old_password: 'wrong', new_password: 'correct horse' },
      }),
  ],
  [
    'the password before a second factor is set up',
    (from) =>
      call(from, '/api/v1/users/me/two_factor', {
        method: 'POST',
        headers: basic(ann.apiKey),
        form: { password: 'wrong' },
      }),
  ],
  ['the key of a call', (from) => withKey(from, wrongKey())],
  [
    'the key for a file',
    (from) => call(from, '/user_uploads/2/none', { headers: basic(wrongKey()) }),
  ],
  [
    'the key for an upload in parts',
    (from) =>
      call(from, '/api/v1/tus', { headers: { ...basic(wrongKey()), 'tus-resumable': '1.0.0' } }),
  ],
]

/** Everything that takes a secret which does not say whose it is. */
const doorsOfNobody: readonly Door[] = [
  [
    'the key in the URL of a webhook',
    (from) => call(from, `/api/v1/external/json?api_key=${wrongKey()}`, { method: 'POST' }),
  ],
  ['the key in the URL of a file', (from) => call(from, `/user_uploads/2/x?api_key=${wrongKey()}`)],
  ['an invitation', (from) => call(from, `/join/${wrongKey()}/`)],
  ['the form of an invitation', (from) => call(from, `/join/${wrongKey()}/`, { method: 'POST' })],
  ['a confirmation of who joins', (from) => call(from, `/register/${wrongKey()}/`)],
  ['a new password', (from) => call(from, `/accounts/password/reset/${wrongKey()}/`)],
  [
    'the form of a new password',
    (from) => call(from, `/accounts/password/reset/${wrongKey()}/`, { method: 'POST', form: {} }),
  ],
  ['a new address', (from) => call(from, `/accounts/confirm_new_email/${wrongKey()}/`)],
  ['a log-in of a desktop app', (from) => call(from, `/accounts/login/subdomain/${wrongKey()}`)],
  ...['link', 'code', 'enrolment', 'enrolled'].map(
    (step): Door => [
      `a log-in that waits: ${step}`,
      (from) =>
        call(from, `/accounts/login/${step}/`, {
          method: 'POST',
          form: { attempt: wrongKey(), password: 'wrong', code: '000000' },
        }),
    ],
  ),
  [
    'the token of SCIM',
    (from) => call(from, '/scim/v2/Users', { headers: { authorization: `Bearer ${wrongKey()}` } }),
  ],
  [
    'a notice of Zoom',
    (from) =>
      call(from, '/calls/zoom/deauthorize', {
        method: 'POST',
        headers: { authorization: wrongKey() },
      }),
  ],
  ['an export', (from) => call(from, exportPath(wrongKey()))],
  ['the first run', (from) => call(from, `/setup?token=${wrongKey()}`)],
  [
    'the form of the first run',
    (from) => call(from, '/setup', { method: 'POST', form: { token: wrongKey() } }),
  ],
  [
    'a command of the shell',
    (from) =>
      call(from, '/control', {
        method: 'POST',
        headers: { authorization: `Bearer ${wrongKey()}` },
      }),
  ],
]

beforeEach(() => server.clock.advance(2 * 3600 * 1000))

describe('wrong secrets of an account count together', () => {
  for (const [what, wrong] of doorsOfAccounts) {
    test(what, async () => {
      const network = newNetwork()
      for (let i = 1; i < guessBudgets.pair.tokens; i++) {
        rateLimits.guesses.wrongKey(wrongKey(), network, ann.id)
      }
      assert.notEqual((await wrong(network)).status, 429, 'the last that is allowed')
      assert.equal((await fetchKey(network, rightPassword)).status, 429)
      assert.equal((await wrong(network)).status, 429, 'one too many')
    })
  }

  test('in whatever order they come', async () => {
    const network = newNetwork()
    const statuses: number[] = []
    for (let i = 0; i < guessBudgets.pair.tokens; i++) {
      const [, wrong] = doorsOfAccounts[i % doorsOfAccounts.length] as Door
      statuses.push((await wrong(network)).status)
    }
    assert.equal(statuses.includes(429), false, String(statuses))
    for (const [what, wrong] of doorsOfAccounts) {
      assert.equal((await wrong(network)).status, 429, what)
    }
    const refused = await fetchKey(network, rightPassword)
    const { code, 'retry-after': wait } = JSON.parse(refused.text) as Record<string, unknown>
    assert.deepEqual([code, wait], ['RATE_LIMIT_HIT', 30])
    assert.equal(refused.headers.get('retry-after'), '30')
    assert.equal((await logIn(network, rightPassword)).headers.get('retry-after'), '30')
    server.clock.advance(30_000)
    assert.equal((await logIn(network, rightPassword)).status, 303)
  })
})

describe('wrong secrets of nobody in particular count for their network', () => {
  for (const [what, wrong] of doorsOfNobody) {
    test(what, async () => {
      const network = newNetwork()
      for (let i = 1; i < guessBudgets.network.tokens; i++) {
        rateLimits.guesses.wrongKey(wrongKey(), network)
      }
      assert.notEqual((await wrong(network)).status, 429, 'the last that is allowed')
      assert.equal((await wrong(network)).status, 429, 'one too many')
      assert.equal((await fetchKey(network, rightPassword)).status, 429)
      assert.equal((await wrong(newNetwork())).status === 429, false, 'another network')
    })
  }

  test('as do passwords for many accounts', async () => {
    const network = newNetwork()
    for (let i = 0; i < guessBudgets.network.tokens; i++) {
      rateLimits.guesses.password(`somebody-${i}@example.com`, network)
    }
    assert.equal((await fetchKey(network, 'wrong', 'another@example.com')).status, 429)
  })
})

describe('a secret that a bot shares with a service', () => {
  const doors: [service: string, header: string][] = [
    ['github', 'x-hub-signature-256'],
    ['gitlab', 'x-gitlab-token'],
  ]
  for (const [service, header] of doors) {
    test(`${service}: wrong ones are limited`, async () => {
      const made = await server.as('admin').post<{ api_key: string; user_id: number }>('/bots', {
        full_name: service,
        short_name: service,
        bot_type: 2,
        service_name: service,
        config_data: { webhook_secret: 'shared' },
      })
      assert.equal(made.result, 'success', made.msg)
      const network = newNetwork()
      const post = (from: string) =>
        call(from, `/api/v1/external/${service}?api_key=${made.api_key}`, {
          method: 'POST',
          headers: { [header]: 'wrong' },
        })
      for (let i = 1; i < guessBudgets.pair.tokens; i++) {
        rateLimits.guesses.wrongKey(wrongKey(), network, made.user_id)
      }
      assert.equal((await post(network)).status, 401)
      assert.equal((await post(network)).status, 429)
      assert.equal((await post(newNetwork())).status, 401)
    })
  }
})

describe('nobody is locked out by a stranger', () => {
  /** Wrong passwords from many networks, until no network that is not known may try anymore. */
  async function flood(): Promise<string> {
    const [last = ''] = Array.from({ length: 20 }, newNetwork)
    for (let i = 0; i < guessBudgets.strangers.tokens; i++) {
      rateLimits.guesses.password(ann.id, i < 10 ? last : newNetwork())
    }
    return last
  }

  test('with a right key, from wherever it comes', async () => {
    const attacker = await flood()
    for (const network of [attacker, newNetwork()]) {
      assert.equal((await withKey(network, wrongKey())).status, 429)
      assert.equal((await withKey(network, ann.apiKey)).status, 200)
    }
  })

  // biome-ignore format: a table reads best in columns
  const ways: [what: string, get: (network: string) => Promise<{ status: number }>, status: number][] = [
    ['a key',                   (network) => withKey(network, ann.apiKey),          200],
    ['a password for a key',    (network) => fetchKey(network, rightPassword),      200],
    ['a password on a page',    (network) => logIn(network, rightPassword),         303],
  ]
  for (const [what, get, status] of ways) {
    test(`with a right password, in a network where they have been by ${what}`, async () => {
      const home = newNetwork()
      assert.equal((await get(home)).status, status)
      const attacker = await flood()
      assert.equal((await fetchKey(attacker, rightPassword)).status, 429)
      assert.equal((await fetchKey(home, 'mistyped')).status, 401)
      assert.equal((await fetchKey(home, rightPassword)).status, 200)
      assert.equal((await logIn(home, rightPassword)).status, 303)
    })
  }

  test('with a right password from elsewhere, for longer than a moment', async () => {
    await flood()
    const elsewhere = newNetwork()
    assert.equal((await fetchKey(elsewhere, rightPassword)).status, 429)
    server.clock.advance(36_000)
    assert.equal((await fetchKey(elsewhere, rightPassword)).status, 200)
    assert.equal((await fetchKey(newNetwork(), rightPassword)).status, 200)
  })

  test('by neighbours who guess for others', async () => {
    const office = newNetwork()
    assert.equal((await withKey(office, ann.apiKey)).status, 200)
    for (let i = 0; i < guessBudgets.network.tokens; i++) {
      rateLimits.guesses.wrongKey(wrongKey(), office)
    }
    const cordelia = server.as('cordelia').email
    assert.equal((await fetchKey(office, 'cordelia-password', cordelia)).status, 429)
    assert.equal((await fetchKey(office, rightPassword)).status, 200)
  })

  test('by a program that goes on with an old key', async () => {
    const home = newNetwork()
    const old = wrongKey()
    for (let i = 0; i < 3 * guessBudgets.pair.tokens; i++) {
      assert.equal((await withKey(home, old)).status, 401)
    }
    assert.equal((await fetchKey(home, rightPassword)).status, 200)
  })

  test('by right passwords, however many', async () => {
    const network = newNetwork()
    for (let i = 0; i < 3 * guessBudgets.pair.tokens; i++) {
      rateLimits.guesses.password(ann.id, network).right()
    }
    assert.equal((await fetchKey(network, 'mistyped')).status, 401)
    assert.equal((await fetchKey(network, rightPassword)).status, 200)
  })
})

test('an old key does not keep anyone from what needs none, but counts', async () => {
  const network = newNetwork()
  const ask = () => call(network, '/api/v1/server_settings', { headers: basic(wrongKey()) })
  for (let i = 0; i <= guessBudgets.pair.tokens; i++) assert.equal((await ask()).status, 200)
  assert.equal((await withKey(network, wrongKey())).status, 429)
})

test('who has stolen a key does not guess the password from network to network', async () => {
  const change = async () =>
    await call(newNetwork(), '/api/v1/settings', {
      method: 'PATCH',
      headers: basic(ann.apiKey),
      form: { old_password: 'wrong', new_password: 'correct horse' },
    })
  const statuses: number[] = []
  for (let i = 0; i <= guessBudgets.familiar.tokens; i++) statuses.push((await change()).status)
  assert.equal(statuses.indexOf(429), guessBudgets.familiar.tokens)
})

test('an address without an account is refused like one with an account', async () => {
  const network = newNetwork()
  for (const [account, name] of [
    ['nobody@example.com', 'Nobody@example.com'],
    [ann.id, ann.email],
  ] as const) {
    for (let i = 1; i < guessBudgets.pair.tokens; i++) rateLimits.guesses.password(account, network)
    assert.equal((await fetchKey(network, 'wrong', name)).status, 401)
    assert.equal((await fetchKey(network, 'wrong', name)).status, 429)
  }
})

test('wrong keys cost their network calls, like calls without one', async () => {
  const network = newNetwork()
  const old = wrongKey()
  const limit = async () => (await withKey(network, old)).headers.get('x-ratelimit-remaining')
  assert.deepEqual([await limit(), await limit()], ['499', '498'])
})

test('without rate limits nothing is counted', async () => {
  const free = await createServer({
    data: ':memory:',
    port: 0,
    fixture: true,
    config: { logLevel: 'silent' },
  })
  after(() => free.close())
  const { guesses } = free.context.rateLimits
  for (let i = 0; i < 200; i++) guesses.password(ann.id, '192.0.2.1')
})
