import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { setRealmGroupSetting } from '#features/foundation/realm/settings.queries.ts'
import { updateUser } from '#features/foundation/users/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context
const { ids } = server

const insufficient = failure('Insufficient permission')
const noSuchBot = failure('No such bot')
const forPeople = failure('This endpoint does not accept bot requests.')
const webhookBotId = 17
const outgoingBotId = 18

interface Made {
  user_id: number
  api_key: string
}

let made = 0

async function make(actor: Actor, params: CallParams = {}): Promise<Made & { email: string }> {
  made += 1
  const name = { full_name: `Bot ${made}`, short_name: `bot${made}` }
  const reply = await server.as(actor).post<Made>('/bots', { ...name, ...params })
  assert.equal(reply.result, 'success', reply.msg)
  return { ...reply, email: `${params.short_name ?? name.short_name}-bot@zulipdev.com` }
}

/** Calls with the key of a bot that the test made. */
async function call(
  bot: Made & { email: string },
  method: string,
  path: string,
  params: Record<string, string> = {},
) {
  const authorization = `Basic ${Buffer.from(`${bot.email}:${bot.api_key}`).toString('base64')}`
  const isGet = method === 'GET'
  const query = isGet ? `?${new URLSearchParams(params)}` : ''
  const response = await fetch(`${server.url}/api/v1${path}${query}`, {
    method,
    headers: { authorization },
    ...(!isGet && { body: new URLSearchParams(params) }),
  })
  return (await response.json()) as Record<string, unknown>
}

async function botsOf(actor: Actor): Promise<Record<string, unknown>[]> {
  const { state } = await server.as(actor).watch('realm_bot')
  return state.realm_bots as Record<string, unknown>[]
}

const botIn = (event: Event | undefined) => (event?.bot ?? {}) as Record<string, unknown>
const serviceOf = (bot: Record<string, unknown> | undefined) =>
  ((bot?.services ?? []) as Record<string, unknown>[])[0]
const ofBots = (events: readonly Event[]) => events.filter(({ type }) => type === 'realm_bot')

test('a bot is made, and its owner and administrators get it whole, everyone as a user', async () => {
  const [owner, admin, stranger] = await Promise.all([
    server.as('member').watch('realm_bot', 'realm_user'),
    server.as('admin').watch('realm_bot'),
    server.as('cordelia').watch('realm_bot', 'realm_user'),
  ])
  const reply = await server.as('member').post<Made>('/bots', {
    full_name: 'Ghost',
    short_name: 'ghost',
    bot_type: 1,
    default_sending_stream: 'Denmark',
    default_events_register_stream: 'Verona',
    default_all_public_streams: true,
  })
  const defaults = {
    default_sending_stream: 'Denmark',
    default_events_register_stream: 'Verona',
    default_all_public_streams: true,
  }
  const { user_id, api_key } = reply
  assert.match(api_key, /^[\da-f]{32}$/)
  const avatar_url = `/user_avatars/${user_id}.png?version=1`
  assert.deepEqual(reply, { ...success, user_id, api_key, avatar_url, ...defaults })
  const bot = {
    user_id,
    full_name: 'Ghost',
    email: 'ghost-bot@zulipdev.com',
    bot_type: 1,
    is_active: true,
    api_key,
    avatar_url,
    owner_id: ids.member,
    ...defaults,
    services: [],
  }
  const added = { type: 'realm_bot', op: 'add', bot }
  assert.deepEqual(ofBots(await owner.drain()), [added])
  assert.deepEqual(await admin.drain(), [added])
  const [event, ...more] = await stranger.drain()
  assert.deepEqual([event?.type, event?.op, more], ['realm_user', 'add', []])
  const person = event?.person as Record<string, unknown>
  assert.deepEqual(
    [person.is_bot, person.bot_owner_id, person.api_key],
    [true, ids.member, undefined],
  )
  assert.deepEqual((await botsOf('member')).at(-1), bot)
  const own = await server.as('member').get('/bots')
  assert.deepEqual(own, {
    ...success,
    bots: [{ username: bot.email, full_name: 'Ghost', api_key, avatar_url, ...defaults }],
  })
})

describe('who may make which bots', () => {
  const outgoing = { bot_type: 3, payload_url: 'https://bots.example/hook' }
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, string, Actor, object, object, object][] = [
    // all bots,          write-only bots,      who,         generic,      incoming,     outgoing
    ['role:members',    'role:members',    'member',    success,      success,      success],
    ['role:members',    'role:nobody',     'member',    success,      success,      success],
    ['role:moderators', 'role:members',    'member',    insufficient, success,      insufficient],
    ['role:moderators', 'role:moderators', 'member',    insufficient, insufficient, insufficient],
    ['role:moderators', 'role:moderators', 'moderator', success,      success,      success],
    ['role:nobody',     'role:nobody',     'owner',     insufficient, insufficient, insufficient],
    ['role:members',    'role:members',    'guest',     insufficient, insufficient, insufficient],
    ['role:members',    'role:members',    'bot',       forPeople,    forPeople,    forPeople],
  ]
  for (const [all, writing, actor, ...expected] of matrix) {
    test(`${actor}, where ${all} make bots and ${writing} those that write`, async () => {
      await store.write((tx) => {
        setRealmGroupSetting(tx, 'can_create_bots_group', systemGroupId(tx, all as 'role:nobody'))
        setRealmGroupSetting(
          tx,
          'can_create_write_only_bots_group',
          systemGroupId(tx, writing as 'role:nobody'),
        )
      })
      const kinds = [{ bot_type: 1 }, { bot_type: 2 }, outgoing]
      for (const [i, kind] of kinds.entries()) {
        made += 1
        const reply = await server
          .as(actor)
          .post('/bots', { full_name: `M ${made}`, short_name: `m${made}`, ...kind })
        const { result, msg, code } = reply
        assert.deepEqual({ result, msg, ...(result === 'error' && { code }) }, expected[i])
      }
    })
  }
  after(() =>
    store.write((tx) => {
      setRealmGroupSetting(tx, 'can_create_bots_group', systemGroupId(tx, 'role:members'))
      setRealmGroupSetting(
        tx,
        'can_create_write_only_bots_group',
        systemGroupId(tx, 'role:members'),
      )
    }),
  )
})

describe('a bot that cannot be made', () => {
  const name = { full_name: 'Never', short_name: 'never' }
  // biome-ignore format: a table reads best in columns
  const matrix: [string, CallParams, RegExp][] = [
    ['embedded',                  { ...name, bot_type: 4 },                       /Embedded bots are not enabled/],
    ['of no type',                { ...name, bot_type: 5 },                       /Invalid bot_type/],
    ['without a name',            { ...name, full_name: ' ' },                    /full name is missing/],
    ['with a bad name',           { ...name, full_name: 'a*b' },                  /full name may not contain/],
    ['with no address',           { ...name, short_name: '' },                    /Bad name or username/],
    ['with a bad address',        { ...name, short_name: 'a b' },                 /Bad name or username/],
    ['with an @ in its address',  { ...name, short_name: 'a@b.example' },         /Bad name or username/],
    ['with a NUL in its address', { ...name, short_name: 'a\u0000b' },            /not allowed/],
    ['with a long address',       { ...name, short_name: 'x'.repeat(51) },        /Bad name or username/],
    ['with a taken address',      { ...name, short_name: 'taken' },               /already in use/],
    ['writing to no channel',     { ...name, default_sending_stream: 'Nowhere' }, /Invalid channel name 'Nowhere'/],
    ['writing to a hidden one',   { ...name, default_sending_stream: 'core team' }, /Invalid channel name 'core team'/],
    ['listening to a hidden one', { ...name, default_events_register_stream: 'core team' }, /Invalid channel name/],
    ['posting nowhere',           { ...name, bot_type: 3 },                       /payload_url is not a URL/],
    ['posting to a file',         { ...name, bot_type: 3, payload_url: 'file:///etc/passwd' }, /payload_url is not a URL/],
    ['posting to no URL',         { ...name, bot_type: 3, payload_url: 'http://' }, /payload_url is not a URL/],
    ['posting in no format',      { ...name, bot_type: 3, payload_url: 'http://a.example', interface_type: 3 }, /Invalid interface_type/],
    ['generic and posting',       { ...name, payload_url: 'http://a.example' },   /Only outgoing webhook bots have/],
    ['of no integration',         { ...name, bot_type: 2, service_name: 'telex' }, /Invalid integration 'telex'/],
    ['generic, integrated',       { ...name, service_name: 'github' },            /Only incoming webhook bots can have/],
    ['configured without need',   { ...name, config_data: { a: 'b' } },           /no configuration option 'a'/],
    ['with a strange option',     { ...name, bot_type: 2, service_name: 'github', config_data: '{"__proto__": "b"}' }, /no configuration option '__proto__'/],
    ['with options as numbers',   { ...name, bot_type: 2, service_name: 'github', config_data: { webhook_secret: 5 } }, /config_data is not an object whose values are strings/],
  ]
  for (const [what, params, message] of matrix) {
    test(what, async () => {
      if (what === 'with a taken address') await make('othello', { short_name: 'taken' })
      const wanted = what === 'with a taken address' ? { ...params, short_name: 'Taken' } : params
      const before = await botsOf('owner')
      const reply = await server.as('othello').post('/bots', wanted)
      assert.equal(reply.code, 'BAD_REQUEST')
      assert.match(reply.msg, message)
      assert.deepEqual(await botsOf('owner'), before)
    })
  }
})

describe('who may administer a bot of the member', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object, object][] = [
    // a member's bot,          one that owns the organization
    ['owner',     success,      success],
    ['admin',     success,      insufficient],
    ['moderator', insufficient, insufficient],
    ['member',    success,      success],
    ['cordelia',  insufficient, insufficient],
    ['guest',     insufficient, insufficient],
    ['bot',       forPeople,    forPeople],
  ]
  for (const [actor, ordinary, owning] of matrix) {
    test(actor, async () => {
      const mine = await make('member')
      const powerful = await make('member')
      await store.write((tx) => void updateUser(tx, powerful.user_id, { role: 100 }))
      const user = server.as(actor)
      for (const [bot, expected] of [
        [mine, ordinary],
        [powerful, owning],
      ] as const) {
        const path = `/bots/${bot.user_id}`
        const edited = await user.patch(path, { full_name: `Renamed ${bot.user_id}` })
        const outcome = (reply: object) =>
          Object.fromEntries(Object.entries(expected).map(([key]) => [key, reply[key as never]]))
        assert.deepEqual(outcome(edited), expected)
        const { api_key, ...key } = await user.get<{ api_key?: string }>(`${path}/api_key`)
        assert.deepEqual(key, expected)
        assert.equal(api_key, expected === success ? bot.api_key : undefined)
        const fresh = await user.post<{ api_key?: string }>(`${path}/api_key/regenerate`)
        assert.deepEqual(outcome(fresh), expected)
        assert.deepEqual(await user.del(path), expected)
        const sees = (await botsOf(actor)).some(({ user_id }) => user_id === bot.user_id)
        assert.equal(sees, expected === success)
      }
    })
  }

  for (const id of [999, -1, ids.cordelia, 4]) {
    test(`nobody one that is none: ${id}`, async () => {
      const owner = server.as('owner')
      assert.deepEqual(await owner.patch(`/bots/${id}`, { full_name: 'Mine' }), noSuchBot)
      assert.deepEqual(await owner.del(`/bots/${id}`), noSuchBot)
      assert.deepEqual(await owner.get(`/bots/${id}/api_key`), noSuchBot)
      assert.deepEqual(await owner.post(`/bots/${id}/api_key/regenerate`), noSuchBot)
    })
  }
})

describe('a bot that writes to a channel that it cannot find', () => {
  interface Notices {
    messages: { sender_full_name: string; content: string }[]
  }
  const notices = async () => {
    const params = { narrow: [['is', 'dm']], anchor: 'newest', num_before: 50, num_after: 0 }
    const reply = await server.as('othello').get<Notices>('/messages', {
      ...params,
      apply_markdown: false,
    })
    return reply.messages.filter(({ content }) => content.includes('could not send a message'))
  }
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, string | undefined][] = [
    ['a generic one, by name',       { to: 'no such `channel`' },      'no such channel'],
    ['an incoming one, by name',     { to: 'gone', bot_type: 2 },      'gone'],
    ['by ID',                        { to: 4711 },                     '4711'],
    ['one that it may not see',      { to: 'core team' },              'core team'],
    ['not for one that is there',    { to: 'Verona' },                 undefined],
    ['not for a mistake of another kind', { to: 'Verona', content: '' }, undefined],
  ]
  for (const [what, { bot_type, to, content = 'Hi.' }, expected] of table) {
    test(`has its owner told, once an hour: ${what}`, async () => {
      const bot = await make('othello', { bot_type: bot_type ?? 1 })
      const before = (await notices()).length
      const form = { type: 'channel', topic: 'x', content: String(content), to: String(to) }
      const send = () => call(bot, 'POST', '/messages', form)
      const reply = (await send()) as { code?: string }
      assert.equal(reply.code === 'STREAM_DOES_NOT_EXIST', expected !== undefined)
      await send()
      const told = (await notices()).slice(before)
      assert.equal(told.length, expected === undefined ? 0 : 1)
      if (expected === undefined) return
      const [notice] = told
      assert.ok(notice?.content.includes(`|${bot.user_id}**`), notice?.content)
      assert.ok(notice?.content.includes(`\`${expected}\``), notice?.content)
      server.clock.advance(3_600_000)
      await send()
      assert.equal((await notices()).length, before + 2)
    })
  }
})

test('every change of a bot is told to those who administer it', async () => {
  const bot = await make('member', { bot_type: 3, payload_url: 'https://one.example/hook' })
  const queue = await server.as('admin').watch('realm_bot', 'realm_user')
  const stranger = await server.as('cordelia').watch('realm_bot')
  const path = `/bots/${bot.user_id}`
  const edit = (params: CallParams) => server.as('member').patch(path, params)
  const update = (changes: object) => ({
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: bot.user_id, ...changes },
  })
  const service = serviceOf((await botsOf('admin')).at(-1))
  const moved = { base_url: 'https://two.example/', interface: 2, token: service?.token }
  // biome-ignore format: a table reads best in columns
  const steps: [CallParams, object][] = [
    [{ full_name: 'Yorick' },                           { full_name: 'Yorick' }],
    [{ default_sending_stream: 'Denmark' },             { default_sending_stream: 'Denmark' }],
    [{ default_events_register_stream: 'Verona' },      { default_events_register_stream: 'Verona' }],
    [{ default_all_public_streams: true },              { default_all_public_streams: true }],
    [{ payload_url: '"https://two.example"', interface_type: 2 }, { services: [moved] }],
    [{ service_payload_url: '"https://one.example/hook"', service_interface: '1' }, { services: [service] }],
    [{ service_payload_url: 'https://two.example', service_interface: 2 }, { services: [moved] }],
    [{ short_name: 'yorick' },                          { email: 'yorick-bot@zulipdev.com' }],
    [{ default_sending_stream: '' },                    { default_sending_stream: null }],
  ]
  for (const [params, changes] of steps) {
    assert.equal((await edit(params)).result, 'success')
    assert.deepEqual(ofBots(await queue.drain()), [update(changes)])
    assert.equal((await edit(params)).result, 'success')
    assert.deepEqual(await queue.drain(), [], 'nothing new')
  }
  const key = await server.as('member').post<Made>(`${path}/api_key/regenerate`)
  assert.notEqual(key.api_key, bot.api_key)
  assert.deepEqual(await queue.drain(), [update({ api_key: key.api_key })])
  assert.deepEqual(await server.as('member').del(path), success)
  assert.deepEqual(ofBots(await queue.drain()), [update({ is_active: false })])
  assert.deepEqual(await server.as('admin').post(`/users/${bot.user_id}/reactivate`), success)
  assert.deepEqual(ofBots(await queue.drain()), [update({ is_active: true })])
  assert.deepEqual(await stranger.drain(), [])
})

test('who administers a bot hears that its channel has another name', async () => {
  const options = {
    default_sending_stream: 'Rome',
    default_events_register_stream: 'Rome',
  }
  const bot = await make('owner', options)
  const queue = await server.as('admin').watch('realm_bot')
  const rename = (name: string) => server.as('owner').patch('/streams/5', { new_name: name })
  assert.equal((await rename('Roma')).result, 'success')
  const update = (changes: object) => ({
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: bot.user_id, ...changes },
  })
  assert.deepEqual(await queue.drain(), [
    update({ default_sending_stream: 'Roma' }),
    update({ default_events_register_stream: 'Roma' }),
  ])
  await rename('Rome')
})

test('a refused change of several changes nothing', async () => {
  const bot = await make('member')
  const before = await botsOf('member')
  const queue = await server.as('member').watch('realm_bot', 'realm_user')
  const params = { full_name: 'Half', default_sending_stream: 'Denmark', bot_owner_id: 999 }
  assert.deepEqual(
    await server.as('member').patch(`/bots/${bot.user_id}`, params),
    failure('Failed to change owner, no such user'),
  )
  assert.deepEqual([await queue.drain(), await botsOf('member')], [[], before])
})

describe('giving a bot away', () => {
  test('it comes to the new owner and leaves the old one, and keeps its subscriptions', async () => {
    const bot = await make('member')
    await server.as('member').post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Denmark' }],
      principals: [bot.user_id],
    })
    const [before, after, admin, stranger] = await Promise.all([
      server.as('member').watch('realm_bot'),
      server.as('cordelia').watch('realm_bot'),
      server.as('admin').watch('realm_bot'),
      server.as('zoe').watch('realm_bot', 'realm_user'),
    ])
    const params = { bot_owner_id: ids.cordelia }
    const reply = await server.as('member').patch(`/bots/${bot.user_id}`, params)
    assert.equal(reply.result, 'success')
    const update = {
      type: 'realm_bot',
      op: 'update',
      bot: { user_id: bot.user_id, owner_id: ids.cordelia },
    }
    const [added, ...rest] = await after.drain()
    const { api_key } = await server.as('cordelia').get<Made>(`/bots/${bot.user_id}/api_key`)
    assert.notEqual(api_key, bot.api_key)
    const rekeyed = { type: 'realm_bot', op: 'update', bot: { user_id: bot.user_id, api_key } }
    assert.deepEqual([added?.op, rest], ['add', [rekeyed, update]])
    assert.deepEqual(botIn(added).api_key, api_key)
    assert.deepEqual(await before.drain(), [
      { type: 'realm_bot', op: 'delete', bot: { user_id: bot.user_id } },
    ])
    assert.deepEqual(await admin.drain(), [rekeyed, update])
    assert.deepEqual(await stranger.drain(), [
      {
        type: 'realm_user',
        op: 'update',
        person: { user_id: bot.user_id, bot_owner_id: ids.cordelia },
      },
    ])
    const own = await call({ ...bot, api_key }, 'GET', '/users/me/subscriptions')
    assert.deepEqual(
      (own.subscriptions as { name: string }[]).map(({ name }) => name),
      ['Denmark'],
    )
    assert.deepEqual(
      await server.as('member').patch(`/bots/${bot.user_id}`, { full_name: 'Mine' }),
      insufficient,
    )
  })

  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, Actor, boolean][] = [
    ['member', 'cordelia', true],
    ['member', 'guest',    true],
    ['member', 'admin',    false],
    ['member', 'owner',    false],
    ['admin',  'cordelia', true],
    ['admin',  'owner',    false],
    ['owner',  'admin',    true],
  ]
  for (const [actor, to, may] of matrix) {
    test(`${actor} ${may ? 'may' : 'may not'} give one to ${to}, who may do what it may`, async () => {
      const bot = await make('member')
      const path = `/bots/${bot.user_id}`
      const reply = await server.as(actor).patch(path, { bot_owner_id: ids[to] })
      if (may) assert.equal(reply.result, 'success')
      else assert.deepEqual(reply, insufficient)
    })
  }

  test('not to nobody, to a bot, or to someone who is gone', async () => {
    const bot = await make('member')
    const give = (id: number) =>
      server.as('member').patch(`/bots/${bot.user_id}`, { bot_owner_id: id })
    const refused = (why: string) => failure(`Failed to change owner, ${why}`)
    await server.as('owner').del(`/users/${ids.prospero}`)
    assert.deepEqual(await give(999), refused('no such user'))
    assert.deepEqual(await give(ids.bot), refused("bots can't own other bots"))
    assert.deepEqual(await give(ids.prospero), refused('user is deactivated'))
    await server.as('owner').post(`/users/${ids.prospero}/reactivate`)
  })
})

describe('the role of a bot', () => {
  const administrator = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
  const ownerAlone = failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, number, object | undefined][] = [
    ['member', 400, undefined],
    ['member', 200, administrator],
    ['admin',  300, undefined],
    ['admin',  100, ownerAlone],
    ['owner',  100, undefined],
  ]
  for (const [actor, role, refused] of matrix) {
    test(`${actor} ${refused ? 'cannot' : 'can'} make it ${role}`, async () => {
      const bot = await make(actor)
      const reply = await server.as(actor).patch(`/bots/${bot.user_id}`, { role })
      if (refused) assert.deepEqual(reply, refused)
      else assert.equal(reply.result, 'success')
      const { user } = await server
        .as('zoe')
        .get<{ user: { role: number } }>(`/users/${bot.user_id}`)
      assert.equal(user.role, refused ? 400 : role)
    })
  }

  test('a bot that comes to own the organization leaves its administrators', async () => {
    const bot = await make('owner')
    const queue = await server.as('admin').watch('realm_bot')
    await server.as('owner').patch(`/bots/${bot.user_id}`, { role: 100 })
    assert.deepEqual(await queue.drain(), [
      { type: 'realm_bot', op: 'delete', bot: { user_id: bot.user_id } },
    ])
    await server.as('owner').patch(`/bots/${bot.user_id}`, { role: 400 })
    const [event] = await queue.drain()
    assert.deepEqual([event?.op, botIn(event).user_id], ['add', bot.user_id])
  })
})

test('who becomes an administrator gets everyone’s bots, and loses them again', async () => {
  const bot = await make('member')
  const queue = await server.as('othello').watch('realm_bot')
  await server.as('owner').patch(`/users/${ids.othello}`, { role: 200 })
  const idsIn = (events: readonly Event[], op: string) =>
    ofBots(events).flatMap((event) => (event.op === op ? (event.bot as Made).user_id : []))
  const added = idsIn(await queue.drain(), 'add')
  assert.ok(added.includes(bot.user_id) && added.includes(webhookBotId))
  const known = await botsOf('othello')
  assert.ok(added.every((id) => known.some(({ user_id }) => user_id === id)))
  await server.as('owner').patch(`/users/${ids.othello}`, { role: 400 })
  assert.deepEqual(idsIn(await queue.drain(), 'delete'), added)
})

test('the bots of someone who is deactivated end with them, keys and all', async () => {
  const bot = await make('zoe')
  const queue = await server.as('admin').watch('realm_bot')
  assert.deepEqual(await server.as('owner').del(`/users/${ids.zoe}`), success)
  const off = (await queue.drain()).map((event) => event.bot)
  assert.ok(off.some((each) => (each as Made).user_id === bot.user_id))
  const refused = failure('Account is deactivated', 'USER_DEACTIVATED')
  assert.deepEqual(await call(bot, 'GET', '/users/me'), refused)
  assert.deepEqual(
    await server.as('owner').post(`/users/${bot.user_id}/reactivate`),
    failure("The bot's owner is deactivated."),
  )
  await server.as('owner').patch(`/bots/${bot.user_id}`, { bot_owner_id: ids.owner })
  assert.deepEqual(await server.as('owner').post(`/users/${bot.user_id}/reactivate`), success)
  const { api_key } = await server.as('owner').get<Made>(`/bots/${bot.user_id}/api_key`)
  assert.equal((await call({ ...bot, api_key }, 'GET', '/users/me')).result, 'success')
  await server.as('owner').post(`/users/${ids.zoe}/reactivate`)
})

test('an old key stops working when there is another', async () => {
  const bot = await make('member')
  const { api_key } = await server.as('admin').post<Made>(`/bots/${bot.user_id}/api_key/regenerate`)
  const refused = failure('Invalid API key', 'INVALID_API_KEY')
  assert.deepEqual(await call(bot, 'GET', '/users/me'), refused)
  assert.equal((await call({ ...bot, api_key }, 'GET', '/users/me')).user_id, bot.user_id)
})

describe('what its owner chose for a bot', () => {
  test('a message of a bot without `to` goes to its default channel', async () => {
    const bot = await make('member', { default_sending_stream: 'Denmark' })
    const text = { topic: 'news', content: 'Here.' }
    const { id } = await call(bot, 'POST', '/messages', { type: 'channel', ...text })
    const { message } = await server
      .as('member')
      .get<{ message: Record<string, unknown> }>(`/messages/${id}`)
    assert.deepEqual([message.stream_id, message.sender_id], [4, bot.user_id])
    const missing = failure("Missing 'to' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'to' })
    assert.deepEqual(await call(bot, 'POST', '/messages', { type: 'direct', ...text }), missing)
    const plain = await make('member')
    assert.deepEqual(await call(plain, 'POST', '/messages', { type: 'channel', ...text }), missing)
    assert.deepEqual(
      await server.as('member').post('/messages', { type: 'channel', ...text }),
      missing,
    )
  })

  // biome-ignore format: a table reads best in columns
  const matrix: [string, CallParams, Record<string, string>, string[]][] = [
    ['nothing, as it has no subscription', {},                                     {},                              []],
    ['all public channels',    { default_all_public_streams: true },               {},                              ['in Denmark', 'in Verona']],
    ['none, if it says so',    { default_all_public_streams: true },               { all_public_streams: 'false' }, []],
    ['its channel',            { default_all_public_streams: true, default_events_register_stream: 'Verona' }, {},  ['in Verona']],
    ['another, if it says so', { default_all_public_streams: true, default_events_register_stream: 'Verona' },
      { narrow: '[["channel","Denmark"]]' },                                                                       ['in Denmark']],
  ]
  for (const [what, options, params, expected] of matrix) {
    test(`its event queue gets ${what}`, async () => {
      const bot = await make('member', options)
      const queue = await call(bot, 'POST', '/register', { event_types: '["message"]', ...params })
      await server.say('member', 'public', 'plans', 'in Denmark')
      await server.say('member', 'shared', 'plans', 'in Verona')
      const { events } = await call(bot, 'GET', '/events', {
        queue_id: String(queue.queue_id),
        last_event_id: '-1',
        dont_block: 'true',
      })
      const texts = (events as { message: { content: string } }[]).map((e) => e.message.content)
      assert.deepEqual(texts, expected)
    })
  }
})

describe('an incoming webhook bot only writes', () => {
  const refused = failure('This API is not available to incoming webhook bots.')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, string, Record<string, string>, boolean][] = [
    ['POST', '/messages', { type: 'channel', to: 'Denmark', topic: 'x', content: 'Hi' }, true],
    ['GET',  '/users/me', {},                                        true],
    ['GET',  '/messages', { anchor: 'newest', num_before: '1', num_after: '0' }, false],
    ['POST', '/register', {},                                        false],
    ['GET',  '/streams',  {},                                        false],
    ['POST', '/users/me/subscriptions', { subscriptions: '[{"name":"Denmark"}]' }, false],
  ]
  for (const [method, path, params, allowed] of matrix) {
    test(`${method} ${path}: ${allowed ? 'allowed' : 'refused'}`, async () => {
      const bot = await make('member', { bot_type: 2 })
      const reply = await call(bot, method, path, params)
      if (allowed) assert.equal(reply.result, 'success', String(reply.msg))
      else assert.deepEqual(reply, refused)
    })
  }
})

test('the fixture’s outgoing webhook bot says where it posts to', async () => {
  const bot = (await botsOf('outsider')).find(({ user_id }) => user_id === outgoingBotId)
  const service = serviceOf(bot)
  assert.equal(service?.base_url, 'http://127.0.0.1:5002')
})

test('a client with a session makes a bot by a multipart form, as go-zulip does', async () => {
  const login = await fetch(`${server.url}/api/v1/dev_fetch_api_key?username=iago@zulip.com`, {
    method: 'POST',
  })
  const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const token = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.split('=')[1] ?? ''
  const body = new FormData()
  for (const [name, value] of [
    ['full_name', 'Gopher'],
    ['bot_type', '1'],
    ['short_name', 'gopher'],
  ] as const) {
    body.append(name, value)
  }
  const headers = { cookie: cookies.join('; '), 'x-csrftoken': token }
  const reply = await fetch(`${server.url}/json/bots`, { method: 'POST', headers, body })
  const made = (await reply.json()) as Made & { result: string; msg: string }
  assert.equal(made.result, 'success', made.msg)
  const self = await call({ ...made, email: 'gopher-bot@zulipdev.com' }, 'GET', '/users/me')
  assert.deepEqual([self.user_id, self.bot_owner_id], [made.user_id, ids.admin])
})
