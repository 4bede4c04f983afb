import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type CallParams, startServer, type Watch } from '#test/support/server.ts'

/** A push service: it keeps what it is asked, and answers as it is told. */
async function startPushService() {
  const asked: { path: string; authorization: string; params: Record<string, string> }[] = []
  let answer: { status: number; body: string } = { status: 200, body: '{}' }
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { authorization = '' } = request.headers
      const params = Object.fromEntries(new URLSearchParams(body))
      const path = request.url ?? ''
      // What it learns about the organization and tokens has tests of its own.
      if (path.endsWith('/push/e2ee/register')) asked.push({ path, authorization, params })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(answer.body)
    })
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const { port } = http.address() as { port: number }
  return {
    url: `http://org-id:org%2Fkey@127.0.0.1:${port}`,
    take: () => asked.splice(0),
    answers(body: object | string, status = 200) {
      answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
    },
    close: () =>
      new Promise<void>((done) => {
        http.closeAllConnections()
        http.close(() => done())
      }),
  }
}

const service = await startPushService()
after(service.close)
const server = await startServer({ config: { pushServiceUrl: service.url } })
after(server.close)

const path = '/mobile_push/register'
const accepted = { result: 'success', msg: '', device_id: 77 }
const refused = (code: string) => ({ result: 'error', msg: 'No.', code })
const minute = 60_000

let account = 1000
const phone = (changes: CallParams = {}): CallParams => ({
  token_kind: 'fcm',
  push_account_id: ++account,
  push_public_key: Buffer.alloc(32, 7).toString('base64'),
  bouncer_public_key: 'first key',
  encrypted_push_registration: Buffer.from(`sealed ${account}`).toString('base64'),
  ...changes,
})

async function devices(actor: 'member' | 'zoe' | 'othello') {
  const { state } = await server.as(actor).watch('push_device')
  return state.push_devices as Record<string, object>
}

async function heard(queue: Watch) {
  return (await queue.drain()).map(({ type: _, push_account_id: id, ...rest }) => [id, rest])
}

describe('Register an end-to-end-encrypted push device', () => {
  test('the push service is asked, and its yes makes the registration active', async () => {
    service.answers(accepted)
    const queue = await server.as('member').watch('push_device')
    const foreign = await server.as('zoe').watch('push_device')
    const wanted = phone()
    assert.deepEqual(await server.as('member').post(path, wanted), success)
    await server.settled()
    const [ask, ...more] = service.take()
    assert.deepEqual(more, [])
    const realm = server.server.context.store.db.$client.prepare('SELECT uuid FROM realm')
    assert.deepEqual(ask, {
      path: '/api/v1/remotes/push/e2ee/register',
      authorization: `Basic ${Buffer.from('org-id:org/key').toString('base64')}`,
      params: {
        realm_uuid: realm.pluck().get(),
        push_account_id: String(account),
        encrypted_push_registration: wanted.encrypted_push_registration,
        bouncer_public_key: 'first key',
      },
    })
    const id = String(account)
    assert.deepEqual(await queue.drain(), [
      { type: 'push_device', push_account_id: id, status: 'pending' },
      { type: 'push_device', push_account_id: id, status: 'active' },
    ])
    assert.deepEqual(await foreign.drain(), [])
    assert.deepEqual(await devices('member'), { [id]: { status: 'active' } })
    assert.deepEqual(await devices('zoe'), {})
  })

  for (const code of ['INVALID_BOUNCER_PUBLIC_KEY', 'REQUEST_EXPIRED', 'BAD_REQUEST']) {
    test(`${code} of the push service is final`, async () => {
      service.answers(refused(code), 400)
      const queue = await server.as('zoe').watch('push_device')
      await server.as('zoe').post(path, phone())
      await server.settled()
      assert.equal(service.take().length, 1)
      const failed = { status: 'failed', error_code: code }
      assert.deepEqual(await heard(queue), [
        [String(account), { status: 'pending' }],
        [String(account), failed],
      ])
      assert.deepEqual((await devices('zoe'))[account], failed)
      server.clock.advance(24 * 60 * minute)
      await server.settled()
      assert.deepEqual(service.take(), [])
    })
  }

  // biome-ignore format: a table reads best in columns
  const troubles: [string, object | string, number][] = [
    ['an answer that is no JSON',    'Bad gateway',                    502],
    ['an error it does not explain', refused('INTERNAL_SERVER_ERROR'), 500],
    ['wrong credentials',            refused('UNAUTHORIZED'),          401],
    ['an answer without the id',     { result: 'success', msg: '' },   200],
    ['an answer of another form',    [],                               200],
  ]
  for (const [what, body, status] of troubles) {
    test(`after ${what} it is asked again later`, async () => {
      service.answers(body, status)
      const queue = await server.as('othello').watch('push_device')
      await server.as('othello').post(path, phone())
      await server.settled()
      assert.equal(service.take().length, 1)
      server.clock.advance(minute)
      await server.settled()
      assert.equal(service.take().length, 1)
      server.clock.advance(2 * minute - 1)
      await server.settled()
      assert.equal(service.take().length, 0)
      service.answers(accepted)
      server.clock.advance(1)
      await server.settled()
      assert.equal(service.take().length, 1)
      const id = String(account)
      assert.deepEqual(await heard(queue), [
        [id, { status: 'pending' }],
        [id, { status: 'active' }],
      ])
    })
  }

  test('after ten tries the registration is too old', async () => {
    service.answers('', 503)
    await server.as('zoe').post(path, phone())
    for (let i = 0; i < 10; i++) {
      await server.settled()
      server.clock.advance(600 * minute)
    }
    await server.settled()
    assert.equal(service.take().length, 10)
    const failed = { status: 'failed', error_code: 'REQUEST_EXPIRED' }
    assert.deepEqual((await devices('zoe'))[account], failed)
  })

  test('the same again changes nothing; another one of the account replaces it', async () => {
    service.answers(accepted)
    const first = phone()
    await server.as('member').post(path, first)
    await server.settled()
    const queue = await server.as('member').watch('push_device')
    assert.deepEqual(await server.as('member').post(path, first), success)
    await server.settled()
    assert.equal(service.take().length, 1)
    assert.deepEqual(await queue.drain(), [])
    const again = { ...first, bouncer_public_key: 'second key' }
    await server.as('member').post(path, again)
    await server.settled()
    assert.deepEqual(
      service.take().map(({ params }) => params.bouncer_public_key),
      ['second key'],
    )
    assert.equal((await queue.drain()).length, 2)
  })

  test('one that failed can be tried again as it was', async () => {
    service.answers(refused('REQUEST_EXPIRED'), 400)
    const wanted = phone()
    await server.as('zoe').post(path, wanted)
    await server.settled()
    service.answers(accepted)
    await server.as('zoe').post(path, wanted)
    await server.settled()
    assert.deepEqual((await devices('zoe'))[account], { status: 'active' })
    service.take()
  })

  describe('refuses, and stores nothing', () => {
    // biome-ignore format: a table reads best in columns
    const table: [string, CallParams][] = [
      ['an unknown kind of token',  { token_kind: 'wns' }],
      ['an id that is no integer',  { push_account_id: 'x' }],
      ['an id past all integers',   { push_account_id: 2 ** 60 }],
      ['a key that is no Base64',   { push_public_key: 'push-public-key' }],
      ['an empty key',              { push_public_key: '' }],
      ['a key that is too short',   { push_public_key: Buffer.alloc(31, 7).toString('base64') }],
      ['a sealed text in no Base64', { encrypted_push_registration: '%%%%' }],
      ['padding in the middle',     { encrypted_push_registration: 'ab=cdefg' }],
      ['a sealed text of 64 KiB',   { encrypted_push_registration: 'A'.repeat(2 ** 16) }],
      ['a NUL',                     { bouncer_public_key: '\u0000' }],
    ]
    for (const [what, params] of table) {
      test(what, async () => {
        const before = await devices('member')
        const reply = await server.as('member').post(path, phone(params))
        assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
        assert.deepEqual(await devices('member'), before)
      })
    }

    for (const name of Object.keys(phone())) {
      test(`no ${name}`, async () => {
        const reply = await server.as('member').post(path, phone({ [name]: undefined }))
        assert.deepEqual([reply.code, reply.var_name], ['REQUEST_VARIABLE_MISSING', name])
      })
    }

    test('bots', async () => {
      const reply = await server.as('bot').post(path, phone())
      assert.deepEqual(reply, failure('This endpoint does not accept bot requests.'))
    })
  })

  test('PUSH_SERVICE_NOT_CONFIGURED when the server does not use a push service', async () => {
    const bare = await startServer()
    try {
      const reply = await bare.as('member').post(path, phone({ push_public_key: 'any' }))
      const msg = 'Server is not configured to use push notification service.'
      assert.deepEqual(reply, failure(msg, 'PUSH_SERVICE_NOT_CONFIGURED'))
      assert.equal(reply.status, 400)
    } finally {
      await bare.close()
    }
  })
})

describe('device tokens of older apps', () => {
  const hex = 'c0ffee'.repeat(10)
  const apns = '/users/me/apns_device_token'
  const fcm = '/users/me/android_gcm_reg_id'
  const empty = 'Empty or invalid length token'
  // biome-ignore format: a table reads best in columns
  const table: [string, string, CallParams, string][] = [
    ['an empty APNs token',     apns, { token: '', appid: 'org.example.App' },                 empty],
    ['a too long APNs token',   apns, { token: 'ab'.repeat(2049), appid: 'org.example.App' },  empty],
    ['one not in hexadecimal',  apns, { token: 'apns-token', appid: 'org.example.App' },       'Invalid APNS token'],
    ['half a byte',             apns, { token: 'abc', appid: 'org.example.App' },              'Invalid APNS token'],
    ['an empty app id',         apns, { token: hex, appid: '' },                               'Invalid app ID'],
    ['a hostile app id',        apns, { token: hex, appid: "'; DROP TABLE--" },                'Invalid app ID'],
    ['an empty FCM token',      fcm,  { token: '' },                                           empty],
    ['a too long FCM token',    fcm,  { token: 'x'.repeat(4097) },                             empty],
  ]
  for (const [what, url, params, msg] of table) {
    test(`refuses ${what}`, async () => {
      assert.deepEqual(await server.as('member').post(url, params), failure(msg))
    })
  }

  for (const [url, params] of [
    [apns, { token: hex, appid: 'org.example.App' }],
    [fcm, { token: 'fcm:Token_1-x' }],
  ] as const) {
    test(`${url} keeps a token for its user alone, however often it comes`, async () => {
      const { token } = params
      const none = failure('Token does not exist')
      assert.deepEqual(await server.as('member').del(url, { token }), none)
      assert.deepEqual(await server.as('member').post(url, params), success)
      assert.deepEqual(await server.as('member').post(url, params), success)
      assert.deepEqual(await server.as('zoe').del(url, { token }), none)
      assert.deepEqual(await server.as('member').del(url, { token }), success)
      assert.deepEqual(await server.as('member').del(url, { token }), none)
    })
  }
})

describe('an encrypted test notification, which this server does not send, is answered with why not', () => {
  const test1 = '/mobile_push/test_notification'
  const test2 = '/mobile_push/e2ee/test_notification'
  const codeOf = async (url: string, params: CallParams = {}) =>
    (await server.as('cordelia').post(url, params)).code

  test('to phones that take encrypted ones', async () => {
    assert.equal(await codeOf(test2), 'NO_ACTIVE_PUSH_DEVICE')
    service.answers(accepted)
    await server.as('cordelia').post(path, phone())
    await server.settled()
    const push_account_id = account
    for (const params of [{}, { push_account_id }]) {
      assert.equal(await codeOf(test2, params), 'ADMIN_ACTION_REQUIRED')
    }
    const other = { push_account_id: push_account_id + 1 }
    assert.equal(await codeOf(test2, other), 'NO_ACTIVE_PUSH_DEVICE')
  })

  test('without a push service', async () => {
    const none = await startServer()
    try {
      await none.as('member').post('/users/me/android_gcm_reg_id', { token: 'abc' })
      const reply = await none.as('member').post(test1)
      assert.equal(reply.code, 'PUSH_SERVICE_NOT_CONFIGURED')
    } finally {
      await none.close()
    }
  })
})

test('phones are forgotten with the account, and with the API key', async () => {
  service.answers(accepted)
  const { db } = server.server.context.store
  const count = (userId: number) =>
    db.$client
      .prepare(
        `SELECT (SELECT count(*) FROM push_devices WHERE user_id = @userId) +
                (SELECT count(*) FROM push_tokens WHERE user_id = @userId)`,
      )
      .pluck()
      .get({ userId })
  for (const [actor, end] of [
    ['othello', () => server.as('owner').del(`/users/${server.ids.othello}`)],
    ['prospero', () => server.as('prospero').post('/users/me/api_key/regenerate')],
  ] as const) {
    await server.as(actor).post(path, phone())
    await server.as(actor).post('/users/me/android_gcm_reg_id', { token: 'abc' })
    await server.settled()
    assert.ok(Number(count(server.ids[actor])) >= 2)
    assert.equal((await end()).result, 'success')
    await server.settled()
    assert.equal(count(server.ids[actor]), 0)
  }
})

test('one user registers a hundred phones at most', async () => {
  const zoe = server.as('zoe')
  const many = failure(
    'You have registered too many phones. A new API key unregisters all of them (limit: 100)',
  )
  const last = phone()
  for (const [url, next, known] of [
    [path, () => phone(), last],
    ['/users/me/android_gcm_reg_id', () => ({ token: `t${++account}` }), { token: 'known' }],
  ] as const) {
    await zoe.post('/users/me/android_gcm_reg_id', { token: 'known' })
    assert.deepEqual(await zoe.post(url, known), success)
    let taken = 0
    while ((await zoe.post(url, next())).result === 'success') taken++
    assert.ok(taken > 0 && taken < 100)
    assert.deepEqual(await zoe.post(url, next()), many)
    assert.deepEqual(await zoe.post(url, known), success, 'it is registered already')
    assert.deepEqual(await server.as('member').post(url, next()), success)
  }
})
