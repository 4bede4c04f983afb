import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, beforeEach, describe, test } from 'node:test'
import { readConfig } from '#program/config.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Client, startServer } from '#test/support/server.ts'
import { logInBrowser } from '#test/support/session-client.ts'
import { startWebPushService } from '#test/support/web-push-service.ts'

let serverKey = ''
const service = await startWebPushService(() => serverKey)
after(service.close)
const server = await startServer({
  config: {
    webPushServices: [service.origin, 'http://rebinding.test'],
    allowedNetworks: ['127.0.0.1'],
    quotas: { web_push_tests_per_hour: 40 },
  },
})
after(server.close)
serverKey = (await server.as('member').get<{ public_key: string }>('/web_push/key')).public_key

const path = '/web_push/subscriptions'
const [member, zoe] = [server.as('member'), server.as('zoe')]

interface Listed {
  readonly id: number
  readonly device: string
  readonly service: string
  readonly urgency: string
  readonly created: number
  readonly last_success: number | null
  readonly is_current: boolean
}

const devices = async (client: Client = member) =>
  (await client.get<{ subscriptions: Listed[] }>(path)).subscriptions

async function subscribe(client: Client, name?: string): Promise<{ id: number; name: string }> {
  const device = service.device(name)
  const reply = await client.post<{ id: number }>(path, { ...device })
  assert.equal(reply.result, 'success', reply.msg)
  return { id: reply.id, name: device.endpoint.split('/').at(-1) ?? '' }
}

const sendTest = (client: Client, id: number) => client.post(`${path}/${id}/test`)

beforeEach(async () => {
  for (const client of [member, zoe]) {
    for (const { id } of await devices(client)) await client.del(`${path}/${id}`)
  }
  service.take()
})

describe('the key of the server', () => {
  test('is a point that stays the same, and its private part is nowhere to be read', async () => {
    assert.match(serverKey, /^B[\w-]{86}$/)
    const again = await zoe.get<{ public_key: string }>('/web_push/key')
    assert.equal(again.public_key, serverKey)
    const { db } = server.server.context.store
    const secret = db.$client.prepare('SELECT private_key FROM web_push_key').pluck().get()
    assert.match(String(secret), /^[\w-]{43}$/)
    const { state } = await member.watch()
    assert.ok(!JSON.stringify([state, again]).includes(String(secret)))
  })
})

describe('a device', () => {
  test('is listed without what sends to it, and ended by its owner alone', async () => {
    const { id } = await subscribe(member)
    const expected = {
      id,
      device: 'node',
      device_name: 'node',
      service: new URL(service.origin).host,
      urgency: 'normal',
      created: Math.floor(server.clock.now() / 1000),
      last_success: null,
      is_current: false,
    }
    assert.deepEqual(await devices(), [expected])
    assert.deepEqual(await devices(zoe), [])
    const none = failure('No such device.', 'NOT_FOUND')
    assert.deepEqual(await zoe.del(`${path}/${id}`), none)
    assert.deepEqual(await sendTest(zoe, id), none)
    assert.deepEqual(await member.del(`${path}/${id}`), success)
    assert.deepEqual(await member.del(`${path}/${id}`), none)
  })

  test('that subscribes again gets new keys', async () => {
    const first = await subscribe(member, 'shared')
    const second = await subscribe(member, 'shared')
    assert.equal(second.id, first.id)
    assert.deepEqual(await sendTest(member, first.id), success)
    assert.equal(service.take().length, 1, 'decrypted with the new keys')
  })

  test('moves to another account that shows the same keys, as the same browser does', async () => {
    const device = service.device('several-people')
    const first = await member.post<{ id: number }>(path, { ...device })
    const moved = await zoe.post<{ id: number }>(path, { ...device })
    assert.notEqual(moved.id, first.id)
    assert.deepEqual(await devices(), [])
    assert.equal((await devices(zoe)).length, 1)
  })

  test('stays with its account if another one knows the endpoint only', async () => {
    const device = service.device('known-endpoint')
    const { id } = await member.post<{ id: number }>(path, { ...device })
    const refused = failure('This endpoint belongs to another account.')
    assert.deepEqual(await zoe.post(path, { ...service.device('known-endpoint') }), refused)
    const { auth } = service.device('other')
    assert.deepEqual(await zoe.post(path, { ...device, auth }), refused)
    assert.deepEqual(
      (await devices()).map((one) => one.id),
      [id],
    )
  })

  const good = service.device('good')
  const notThere = 'The endpoint is not the URL of a push service.'
  const wrong = (name: string) => `The key ${name} is not valid.`
  const offCurve = Buffer.from(good.p256dh, 'base64url')
  offCurve[64] = (offCurve[64] ?? 0) ^ 1
  // biome-ignore format: a table reads best in columns
  const table: [string, Record<string, string>, string][] = [
    ['no address',                   { endpoint: 'push' },                                   notThere],
    ['another scheme',               { endpoint: 'ftp://push.example.com/a' },               notThere],
    ['http',                         { endpoint: 'http://push.example.com/a' },              notThere],
    ['another port',                 { endpoint: 'https://push.example.com:8443/a' },        notThere],
    ['a name and password',          { endpoint: 'https://a:b@push.example.com/a' },         notThere],
    ['a name at a listed service',   { endpoint: good.endpoint.replace('//', '//a@') },      notThere],
    ['a listed host, other port',    { endpoint: 'http://127.0.0.1:1/a' },                   notThere],
    ['white space',                  { endpoint: ' https://push.example.com/a' },            notThere],
    ['a line break',                 { endpoint: 'https://push.example.com/\na' },           notThere],
    ['a point off the curve',        { p256dh: offCurve.toString('base64url') },             wrong('p256dh')],
    ['a compressed point',           { p256dh: Buffer.alloc(33, 2).toString('base64url') },  wrong('p256dh')],
    ['no base64',                    { p256dh: '!'.repeat(87) },                             wrong('p256dh')],
    ['a short secret',               { auth: Buffer.alloc(15).toString('base64url') },       wrong('auth')],
    ['an empty secret',              { auth: '' },                                           wrong('auth')],
  ]
  for (const [what, change, msg] of table) {
    test(`is refused with ${what}`, async () => {
      assert.deepEqual(await member.post(path, { ...good, ...change }), failure(msg))
      assert.deepEqual(await devices(), [])
    })
  }

  test('is refused with an address of more than 2048 characters, or an unknown urgency', async () => {
    const endpoint = `https://push.example.com/${'a'.repeat(2048)}`
    for (const change of [{ endpoint }, { urgency: 'low' }]) {
      const reply = await member.post(path, { ...good, ...change })
      assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
    }
  })

  test('is nothing for bots, and everyone has twenty at most', async () => {
    const bot = await server.as('bot').post(path, { ...good })
    assert.deepEqual(bot, failure('This endpoint does not accept bot requests.'))
    for (let i = 0; i < 20; i++) await subscribe(member)
    const more = await member.post(path, { ...service.device() })
    assert.match(more.msg, /too many devices.*\(limit: 20\)/)
    assert.deepEqual((await devices()).length, 20)
  })
})

describe('a device ends with the session that made it', () => {
  const subscribed = async () => {
    const call = await logInBrowser(server, member.email)
    const reply = await call<{ id: number }>('POST', `/json${path}`, { ...service.device() })
    assert.equal(reply.result, 'success', reply.msg)
    return call
  }

  test('whose browser it names', async () => {
    const call = await subscribed()
    await subscribe(member)
    const own = await call<{ subscriptions: Listed[] }>('GET', `/json${path}`)
    assert.deepEqual(
      own.subscriptions.map(({ device, is_current }) => [device, is_current]),
      [
        ['Mozilla/5.0 Firefox/150.0', true],
        ['node', false],
      ],
    )
  })

  const ends: [string, (call: Awaited<ReturnType<typeof logInBrowser>>) => Promise<unknown>][] = [
    ['the end of the session', () => member.del('/users/me/sessions')],
    ['its expiry', async () => server.clock.advance(15 * 24 * 3600 * 1000)],
    [
      'deactivation',
      async () => {
        await server.as('owner').del(`/users/${member.id}`)
        await server.as('owner').post(`/users/${member.id}/reactivate`)
      },
    ],
  ]
  for (const [what, end] of ends) {
    test(`by ${what}, and not before`, async () => {
      const call = await subscribed()
      const [device] = await devices()
      assert.deepEqual(await sendTest(member, device?.id ?? 0), success)
      await end(call)
      const [left] = await devices()
      if (left) assert.equal((await sendTest(member, left.id)).result, 'error')
      assert.deepEqual(await devices(), [])
      assert.equal(service.take().length, 1)
    })
  }

  test('a device that an API key made ends with the key', async () => {
    const prospero = server.as('prospero')
    await subscribe(prospero)
    const { db } = server.server.context.store
    const count = () =>
      db.$client
        .prepare('SELECT count(*) FROM web_push_subscriptions WHERE user_id = ?')
        .pluck()
        .get(prospero.id)
    assert.equal(count(), 1)
    await prospero.post('/users/me/api_key/regenerate')
    assert.equal(count(), 0)
  })
})

describe('a test notification', () => {
  test('is signed, encrypted, and says how urgent it is', async () => {
    const { id, name } = await subscribe(member)
    assert.deepEqual(await sendTest(member, id), success)
    const [push, ...others] = service.take()
    assert.ok(push && others.length === 0)
    const { headers, claims, payload } = push
    assert.equal(push.device, name)
    assert.deepEqual(
      [headers['content-encoding'], headers.ttl, headers.urgency, headers.topic],
      ['aes128gcm', '300', 'high', undefined],
    )
    assert.equal(claims.aud, service.origin)
    const now = Math.floor(server.clock.now() / 1000)
    assert.ok(claims.exp > now && claims.exp <= now + 24 * 3600)
    assert.match(claims.sub, /^(mailto:|https:)/)
    assert.deepEqual([payload.type, payload.title], ['test', 'Zulip Dev'])
    assert.equal((await devices())[0]?.last_success, now)
  })

  const gone = failure(
    'The push service no longer knows this device. Turn notifications on again there.',
  )
  const refused = failure('The push service is not accepting notifications for this device.')
  // biome-ignore format: a table reads best in columns
  const table: [number, object, number][] = [
    [200, success, 1],
    [201, success, 1],
    [400, refused, 1],
    [401, gone,    0],
    [403, gone,    0],
    [404, gone,    0],
    [410, gone,    0],
    [413, refused, 1],
    [429, refused, 1],
    [301, refused, 1],
    [500, refused, 1],
    [503, refused, 1],
  ]
  for (const [status, reply, left] of table) {
    test(`to a service that answers ${status}`, async () => {
      const { id, name } = await subscribe(member)
      service.answers(name, { status, headers: { location: 'http://169.254.169.254/' } })
      assert.deepEqual(await sendTest(member, id), reply)
      assert.equal((await devices()).length, left, 'devices left')
    })
  }

  test('to a service whose answer never ends', async () => {
    const { id, name } = await subscribe(member)
    service.answers(name, { status: 201, endless: true })
    assert.deepEqual(await sendTest(member, id), refused)
  })

  test('is limited', async () => {
    const { id } = await subscribe(member)
    let last = await sendTest(member, id)
    for (let i = 0; i < 40 && last.result === 'success'; i++) last = await sendTest(member, id)
    assert.equal(last.code, 'RATE_LIMIT_HIT')
  })
})

describe('a push goes to no private address', () => {
  for (const host of [
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '10.0.0.1',
    '[::1]',
    'localhost',
  ]) {
    test(`such as https://${host}/`, async () => {
      const { p256dh, auth } = service.device()
      const made = await zoe.post<{ id: number }>(path, {
        endpoint: `https://${host}/a`,
        p256dh,
        auth,
      })
      // Some are written otherwise in a URL; then they are no address of a push service at all.
      if (made.result !== 'success') return
      const reply = await sendTest(zoe, made.id)
      assert.equal(reply.result, 'error')
      assert.doesNotMatch(reply.msg, /private|address|connect/i)
    })
  }

  test('not even to this machine, unless it is allowed', async () => {
    let calls = 0
    const http = createServer((_, response) => {
      calls += 1
      response.writeHead(201).end()
    })
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
    const { port } = http.address() as { port: number }
    const origin = `http://127.0.0.1:${port}`
    const strict = await startServer({ config: { webPushServices: [origin] } })
    try {
      const device = { ...service.device(), endpoint: `${origin}/a` }
      const { id } = await strict.as('member').post<{ id: number }>(path, device)
      assert.equal((await sendTest(strict.as('member'), id)).result, 'error')
      assert.equal(calls, 0)
    } finally {
      await strict.close()
      http.close()
    }
  })
})

describe('PARLEY_WEB_PUSH_SERVICES', () => {
  test('lists origins', () => {
    const read = (text: string) => readConfig({ PARLEY_WEB_PUSH_SERVICES: text }).webPushServices
    assert.deepEqual(read(''), [])
    assert.deepEqual(read('https://ntfy.example.com:8443, http://10.0.0.5:2586/'), [
      'https://ntfy.example.com:8443',
      'http://10.0.0.5:2586',
    ])
    for (const wrong of ['ntfy.example.com', 'https://ntfy.example.com/topic', 'ftp://a']) {
      assert.throws(() => read(wrong), /must be origins/)
    }
  })
})
