import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { updateUser } from '#features/foundation/users/queries.ts'
import { parseSetting } from '#platform/config/variable.ts'
import { configVariables } from '#platform/config/variables.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Client, type Reply, startServer, type TestServer } from '#test/support/server.ts'
import { browserCookies, follow, startVendor } from '#test/support/vendor.ts'

const secret = 'bbb-Secret.1'

const vendor = await startVendor()
const { asked, host } = vendor

const opened = (response: ServerResponse) =>
  response.end('<response><returncode>SUCCESS</returncode></response>')
const room = (token: unknown) => (response: ServerResponse) =>
  response.writeHead(201).end(JSON.stringify({ ocs: { meta: {}, data: { token } } }))

const config = {
  allowedNetworks: ['127.0.0.1'],
  bigBlueButtonUrl: `http://:${secret}@${host}/bigbluebutton/`,
  nextcloudUrl: `http://parley:app%3Apass@${host}/cloud/`,
  constructorGroupsUrl: `http://access:${secret}@${host}/api/groups/xapi/`,
  zoomUrl: `http://id:${secret}@${host}`,
}
const provided = { jitsi: 1, zoom: 3, bigBlueButton: 4, zoomByServer: 5, groups: 6, nextcloud: 7 }
const choose = (server: TestServer, id: number) =>
  server.as('owner').patch('/realm', { video_chat_provider: id })

/** Follows a link in the browser of someone. */
const followAs = async (server: TestServer, link: string, email: string) =>
  await follow(server, link, await browserCookies(server, email))

/** Fails unless the last parameter is the checksum that BigBlueButton expects. */
function checked(url: URL): URLSearchParams {
  const call = url.pathname.split('/').at(-1)
  const [query, checksum] = url.search.slice(1).split('&checksum=')
  const expected = createHash('sha256').update(`${call}${query}${secret}`)
  assert.equal(checksum, expected.digest('hex'))
  return url.searchParams
}

describe('calls by way of the server', () => {
  let server: TestServer
  let member: Client
  before(async () => {
    server = await startServer({ config })
    member = server.as('member')
  })
  beforeEach(() => {
    asked.length = 0
    vendor.answer = opened
  })
  after(() => server.close())

  const meeting = async (params: Record<string, unknown> = {}) => {
    const call = { meeting_name: 'Denmark & co', ...params }
    return (await member.get<{ url: string }>('/calls/bigbluebutton/create', call)).url
  }

  describe('in BigBlueButton', () => {
    before(() => choose(server, provided.bigBlueButton))

    test('a link is made without asking anyone, and opens the meeting for those who follow it', async () => {
      const link = await meeting()
      assert.equal(asked.length, 0)
      assert.match(link, /^\/calls\/bigbluebutton\/join\?/)
      assert.equal(link.includes(secret), false)

      const reply = await followAs(server, link, 'othello@zulip.com')
      assert.equal(reply.status, 303)
      assert.equal(reply.headers.get('cache-control'), 'no-store')
      assert.deepEqual(
        asked.map(({ method, url }) => `${method} ${url.pathname}`),
        ['GET /bigbluebutton/api/create'],
      )
      const created = checked(asked[0]?.url as URL)
      assert.equal(created.get('name'), 'Denmark & co')
      assert.equal(created.get('lockSettingsDisableCam'), null)

      const entered = new URL(reply.headers.get('location') ?? '')
      assert.equal(entered.origin + entered.pathname, `http://${host}/bigbluebutton/api/join`)
      const joined = checked(entered)
      assert.equal(joined.get('meetingID'), created.get('meetingID'))
      assert.match(joined.get('fullName') ?? '', /Othello/)
      assert.equal(joined.get('role'), 'VIEWER')
      assert.equal(joined.get('password'), created.get('attendeePW'))
    })

    test('who made the link moderates the meeting', async () => {
      const reply = await followAs(server, await meeting(), 'hamlet@zulip.com')
      const joined = checked(new URL(reply.headers.get('location') ?? ''))
      assert.equal(joined.get('role'), 'MODERATOR')
      const created = checked(asked[0]?.url as URL)
      assert.equal(joined.get('password'), created.get('moderatorPW'))
      assert.notEqual(created.get('attendeePW'), created.get('moderatorPW'))
    })

    test('all who follow a link come into the same meeting, and each link has its own', async () => {
      const [one, other] = [await meeting(), await meeting()]
      for (const [link, email] of [
        [one, 'hamlet@zulip.com'],
        [one, 'othello@zulip.com'],
        [other, 'hamlet@zulip.com'],
      ] as const) {
        await followAs(server, link, email)
      }
      const [first, second, third] = asked.map(({ url }) => checked(url))
      assert.equal(first?.toString(), second?.toString())
      assert.notEqual(first?.get('meetingID'), third?.get('meetingID'))
    })

    test('in a voice call cameras stay off', async () => {
      await followAs(server, await meeting({ voice_only: true }), 'hamlet@zulip.com')
      assert.equal(checked(asked[0]?.url as URL).get('lockSettingsDisableCam'), 'true')
    })

    // biome-ignore format: a table reads best in columns
    const changes: [what: string, change: (query: URLSearchParams) => void][] = [
      ['another name',      (query) => query.set('name', 'Other')],
      ['another meeting',   (query) => query.set('meeting_id', 'parley-0')],
      ['another moderator', (query) => query.set('moderator', '1')],
      ['cameras',           (query) => query.set('voice_only', 'true')],
      ['no checksum',       (query) => query.delete('checksum')],
      ['nothing',           (query) => [...query.keys()].map((name) => query.delete(name))],
    ]
    for (const [what, change] of changes) {
      test(`a link that someone changed to ${what} leads nowhere`, async () => {
        const link = new URL(await meeting(), server.url)
        change(link.searchParams)
        const reply = await followAs(server, link.pathname + link.search, 'hamlet@zulip.com')
        assert.deepEqual([reply.status, asked.length], [400, 0])
      })
    }

    test('people who are not logged in are asked to, and nothing is opened', async () => {
      const reply = await follow(server, await meeting())
      assert.deepEqual([reply.status, asked.length], [401, 0])
    })

    test('a refusal is an error page, and no redirect', async () => {
      vendor.answer = (response) =>
        response.end(
          '<response><returncode>FAILED</returncode><messageKey>x</messageKey></response>',
        )
      const reply = await followAs(server, await meeting(), 'hamlet@zulip.com')
      assert.deepEqual([reply.status, reply.headers.get('location')], [400, null])
    })
  })

  describe('in Nextcloud Talk', () => {
    before(() => choose(server, provided.nextcloud))
    const create = () => member.post('/calls/nextcloud_talk/create', { room_name: 'Denmark' })

    test('a public room is made with the account of the operator', async () => {
      vendor.answer = room('abc2def3')
      const reply = await member.post<{ url: string }>('/calls/nextcloud_talk/create', {
        room_name: 'Denmark "x"',
      })
      assert.equal(reply.url, `http://${host}/cloud/index.php/call/abc2def3`)
      const [request] = asked
      assert.equal(request?.method, 'POST')
      assert.equal(request.url.pathname, '/cloud/ocs/v2.php/apps/spreed/api/v4/room')
      assert.deepEqual(JSON.parse(request.body), { roomType: 3, roomName: 'Denmark "x"' })
      assert.equal(request.headers['ocs-apirequest'], 'true')
      const login = Buffer.from('parley:app:pass').toString('base64')
      assert.equal(request.headers.authorization, `Basic ${login}`)
    })

    // biome-ignore format: a table reads best in columns
    const failures: [what: string, answer: (response: ServerResponse) => void][] = [
      ['a wrong password',     (response) => response.writeHead(401).end('{"ocs":{"data":[]}}')],
      ['no JSON',              (response) => response.end('<html>')],
      ['another form',         (response) => response.end('{"ocs":{"data":{}}}')],
      ['a token with a path',  room('../../evil')],
      ['a token of no text',   room({ a: 1 })],
      ['a broken connection',  (response) => response.destroy()],
      ['an endless answer',    (response) => response.end(Buffer.alloc(100_000, ' '))],
    ]
    for (const [what, reply] of failures) {
      test(`${what} is an error that says nothing of the account`, async () => {
        vendor.answer = reply
        const expected = failure('The call could not be created: Nextcloud Talk failed.')
        assert.deepEqual(await create(), expected)
      })
    }
  })

  describe('in Constructor Groups', () => {
    before(() => choose(server, provided.groups))
    const create = () => member.post('/calls/constructorgroups/create', {})
    const made = (url: unknown) => (response: ServerResponse) =>
      response.writeHead(201).end(JSON.stringify({ room_guid: 'B553', name: 'x', url }))

    test('a room is made with the keys of the operator, and led by the caller', async () => {
      vendor.answer = made('https://my.constructor.app/groups/room/king-hamlet')
      const reply = await create()
      assert.deepEqual(reply, {
        ...success,
        url: 'https://my.constructor.app/groups/room/king-hamlet',
      })
      const [request] = asked
      assert.equal(request?.method, 'POST')
      assert.equal(request.url.pathname, '/api/groups/xapi/room')
      const proof = createHash('sha256').update(`access|${secret}`).digest('hex')
      assert.equal(request.headers.authorization, `Bearer access|${proof}`)
      const { name, ...rest } = JSON.parse(request.body)
      assert.match(name, /^King Hamlet [0-9a-f]{8}$/)
      assert.deepEqual(rest, { creator_email: 'hamlet@zulip.com' })
    })

    test('each room has a name of its own', async () => {
      vendor.answer = made('https://my.constructor.app/groups/room/a')
      await create()
      await create()
      assert.equal(new Set(asked.map(({ body }) => JSON.parse(body).name)).size, 2)
    })

    test('nobody leads a room in the name of an address that they have not confirmed', async () => {
      const { store } = server.server.context
      const confirm = (isEmailVerified: boolean) =>
        store.write((tx) => updateUser(tx, server.ids.member, { isEmailVerified }))
      await confirm(false)
      try {
        vendor.answer = made('https://my.constructor.app/groups/room/a')
        await create()
        assert.deepEqual(Object.keys(JSON.parse(asked[0]?.body ?? '')), ['name'])
      } finally {
        await confirm(true)
      }
    })

    // biome-ignore format: a table reads best in columns
    const failures: [what: string, answer: (response: ServerResponse) => void][] = [
      ['wrong keys',              (response) => response.writeHead(401).end('{}')],
      ['no JSON',                 (response) => response.writeHead(201).end('<html>')],
      ['no link',                 made(undefined)],
      ['a script for a link',     made('javascript:alert(1)')],
      ['a link with a password',  made('https://me:secret@constructor.app/groups/room/a')],
      ['a broken connection',     (response) => response.destroy()],
      ['an endless answer',       (response) => response.writeHead(201).end(Buffer.alloc(100_000, ' '))],
    ]
    for (const [what, reply] of failures) {
      test(`${what} is an error that says nothing of the keys`, async () => {
        vendor.answer = reply
        const expected = failure('The call could not be created: Constructor Groups failed.')
        assert.deepEqual(await create(), expected)
      })
    }
  })

  // biome-ignore format: a table reads best in columns
  const matrix: [what: string, id: number, call: (client: Pick<Client, 'get' | 'post'>, name: string) => Promise<Reply>, isNamed: boolean][] = [
    ['BigBlueButton',      provided.bigBlueButton, (client, meeting_name) => client.get('/calls/bigbluebutton/create', { meeting_name }), true],
    ['Nextcloud Talk',     provided.nextcloud,     (client, room_name) => client.post('/calls/nextcloud_talk/create', { room_name }),     true],
    ['Constructor Groups', provided.groups,        (client) => client.post('/calls/constructorgroups/create', {}),                        false],
  ]
  for (const [what, id, call, isNamed] of matrix) {
    test(`${what}: accounts of every role start calls, and nobody else`, async () => {
      await choose(server, id)
      vendor.answer = (response, request) => {
        if (id === provided.nextcloud) room('abc')(response)
        else response.writeHead(201).end(JSON.stringify({ url: `http://${request.url.host}/r/1` }))
      }
      for (const actor of ['owner', 'member', 'guest', 'bot'] as const) {
        assert.equal((await call(server.as(actor), 'Denmark')).result, 'success', actor)
      }
      asked.length = 0
      assert.equal((await call(server.anonymous, 'Denmark')).code, 'UNAUTHORIZED')
      if (isNamed) {
        for (const name of ['', ' ', '\t']) {
          const blank = await call(server.as('member'), name)
          assert.deepEqual(blank, failure('A call must have a name.'))
        }
      }
      assert.equal(asked.length, 0)
    })
  }

  test('only what the organization chose makes calls', async () => {
    await choose(server, provided.nextcloud)
    const body = await member.get('/calls/bigbluebutton/create', { meeting_name: 'x' })
    assert.equal(body.msg, 'The organization does not use BigBlueButton for calls.')
  })

  test('a link to a meeting ends with the choice', async () => {
    await choose(server, provided.bigBlueButton)
    const link = await meeting()
    await choose(server, 0)
    const reply = await followAs(server, link, 'hamlet@zulip.com')
    assert.deepEqual([reply.status, asked.length], [400, 0])
  })
})

describe('what can be chosen', () => {
  // biome-ignore format: a table reads best in columns
  const table: [why: string, config: object, keys: string[]][] = [
    ['Jitsi needs nothing',            {},                                              ['disabled', 'jitsi_meet']],
    ['BigBlueButton where configured', { bigBlueButtonUrl: config.bigBlueButtonUrl },   ['disabled', 'jitsi_meet', 'big_blue_button']],
    ['Nextcloud where configured',     { nextcloudUrl: config.nextcloudUrl },           ['disabled', 'jitsi_meet', 'nextcloud_talk']],
    ['Constructor Groups where configured', { constructorGroupsUrl: config.constructorGroupsUrl }, ['disabled', 'jitsi_meet', 'constructor_groups']],
    ['Zoom for each user',             { zoomUrl: config.zoomUrl },                     ['disabled', 'jitsi_meet', 'zoom']],
    ['Zoom for all by one account',    { zoomUrl: config.zoomUrl, zoomAccount: 'a' },   ['disabled', 'jitsi_meet', 'zoom_server_to_server']],
    ['an account alone is nothing',    { zoomAccount: 'a' },                            ['disabled', 'jitsi_meet']],
  ]
  for (const [why, configured, keys] of table) {
    test(why, async () => {
      const server = await startServer({ config: configured })
      try {
        const { state } = await server.as('member').watch('realm')
        const available = state.realm_available_video_chat_providers as object
        assert.deepEqual(Object.keys(available), keys)
        assert.equal(JSON.stringify(state).includes(secret), false)
        const owner = server.as('owner')
        for (const [key, id] of [
          ['big_blue_button', provided.bigBlueButton],
          ['nextcloud_talk', provided.nextcloud],
          ['constructor_groups', provided.groups],
          ['zoom', provided.zoom],
          ['zoom_server_to_server', provided.zoomByServer],
        ] as const) {
          const body = await owner.patch('/realm', { video_chat_provider: id })
          assert.equal(body.result, keys.includes(key) ? 'success' : 'error', key)
        }
      } finally {
        await server.close()
      }
    })
  }

  test('calls of what is not configured are refused', async () => {
    const server = await startServer()
    try {
      const member = server.as('member')
      const meeting = { meeting_name: 'x' }
      assert.deepEqual(
        await member.get('/calls/bigbluebutton/create', meeting),
        failure('BigBlueButton is not configured.'),
      )
      assert.deepEqual(
        await member.post('/calls/nextcloud_talk/create', { room_name: 'x' }),
        failure('Nextcloud Talk is not configured.'),
      )
      assert.deepEqual(
        await member.post('/calls/constructorgroups/create', {}),
        failure('Constructor Groups is not configured.'),
      )
    } finally {
      await server.close()
    }
  })

  test('calls by way of the server are limited for each account', async () => {
    const server = await startServer({ config: { ...config, quotas: { calls_per_hour: 2 } } })
    try {
      await choose(server, provided.nextcloud)
      vendor.answer = room('abc')
      const create = () =>
        server.as('member').post('/calls/nextcloud_talk/create', { room_name: 'x' })
      const codes = [await create(), await create(), await create()].map(({ code }) => code)
      assert.deepEqual(codes, [undefined, undefined, 'RATE_LIMIT_HIT'])
    } finally {
      await server.close()
    }
  })

  test('an address in a private network is not asked unless the operator allows it', async () => {
    const server = await startServer({ config: { ...config, allowedNetworks: [] } })
    try {
      await choose(server, provided.nextcloud)
      asked.length = 0
      const body = await server
        .as('member')
        .post('/calls/nextcloud_talk/create', { room_name: 'x' })
      assert.equal(body.msg, 'The call could not be created: Nextcloud Talk failed.')
      assert.equal(asked.length, 0)
    } finally {
      await server.close()
    }
  })
})

describe('the address of the operator', () => {
  const variable = configVariables.nextcloudUrl
  // biome-ignore format: a table reads best in columns
  const table: [given: string, isTaken: boolean][] = [
    ['https://me:word@cloud.example.com',      true],
    ['https://:word@bbb.example.com/path/',    true],
    ['https://cloud.example.com',              false],
    ['https://me@cloud.example.com',           false],
    ['https://me:%E0@cloud.example.com',       false],
    ['https://me:word@cloud.example.com/?a=b', false],
    ['ftp://me:word@cloud.example.com',        false],
    ['me:word',                                false],
  ]
  for (const [given, isTaken] of table) {
    test(`${given} is ${isTaken ? 'taken' : 'refused, without repeating it'}`, () => {
      if (isTaken) return assert.equal(parseSetting(variable, given), given.replace(/\/$/, ''))
      assert.throws(
        () => parseSetting(variable, given),
        ({ message }: Error) =>
          message.startsWith(`${variable.name} must be`) && !message.includes(given),
      )
    })
  }
})
