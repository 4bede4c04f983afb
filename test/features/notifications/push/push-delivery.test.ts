import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { type Client, startServer, type TestServer } from '#test/support/server.ts'
import { startWebPushService } from '#test/support/web-push-service.ts'

let serverKey = ''
const service = await startWebPushService(() => serverKey)
after(service.close)
const server = await startServer({
  config: { webPushServices: [service.origin], allowedNetworks: ['127.0.0.1'] },
})
after(server.close)
const [owner, member, zoe] = [server.as('owner'), server.as('member'), server.as('zoe')]
serverKey = (await owner.get<{ public_key: string }>('/web_push/key')).public_key
const { store } = server.server.context
const { clock, channels, ids } = server

const mention = (id: number) => `@_**|${id}** @**|${id}**`

async function subscribe(client: Client, name: string, urgency = 'normal'): Promise<number> {
  const device = service.device(name)
  const reply = await client.post<{ id: number }>('/web_push/subscriptions', { ...device, urgency })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.id
}

/** What came to the devices by now: who got what. */
async function pushed(): Promise<{ device: string; payload: Record<string, unknown> }[]> {
  await server.settled()
  return service.take().map(({ device, payload }) => ({ device, payload }))
}

/** The messages shown on devices and taken away from them: `hamlet +12`, `hamlet -12,13`. */
async function changes(): Promise<string[]> {
  return (await pushed()).map(({ device, payload }) =>
    payload.type === 'remove'
      ? `${device} -${(payload.message_ids as number[]).join()}`
      : `${device} +${payload.message_id}`,
  )
}

const rows = () => store.db.$client.prepare('SELECT count(*) FROM pushes').pluck().get()

const read = (client: Client, messages: number[]) =>
  client.post('/messages/flags', { messages, op: 'add', flag: 'read' })

async function done(call: Promise<{ result: string; msg: string }>): Promise<void> {
  const reply = await call
  assert.equal(reply.result, 'success', reply.msg)
}

for (const client of [member, zoe]) {
  await done(client.patch('/settings', { automatically_follow_topics_where_mentioned: false }))
}

beforeEach(async () => {
  await done(member.post('/mark_all_as_read'))
  await server.settled()
  for (const [client, name] of [
    [member, 'hamlet'],
    [zoe, 'zoe'],
  ] as const) {
    service.answers(name, undefined)
    const known = await client.get<{ subscriptions: { id: number }[] }>('/web_push/subscriptions')
    for (const { id } of known.subscriptions) await client.del(`/web_push/subscriptions/${id}`)
  }
  await subscribe(member, 'hamlet')
  await server.settled()
  service.take()
})

describe('what a device shows', () => {
  test('of a direct message', async () => {
    await done(zoe.post('/mark_all_as_read'))
    await done(member.post('/mark_all_as_read'))
    const id = await server.say('owner', ['owner', 'member'], '', '**Hello** :octopus: and *more*')
    const [push, ...others] = await pushed()
    const { payload = {} } = push ?? {}
    assert.deepEqual(others, [])
    assert.deepEqual(payload, {
      type: 'message',
      title: 'Desdemona',
      body: 'Hello 🐙 and more',
      url: `/#narrow/dm/${ids.owner},${ids.member}-dm/near/${id}`,
      tag: `dm:${ids.owner}`,
      icon: payload.icon,
      message_id: id,
      count: 1,
    })
    assert.match(String(payload.icon), /^\/user_avatars\//)
  })

  test('the names of a group, and the channel of a mention', async () => {
    await server.say('owner', ['owner', 'member', 'zoe'])
    const id = await server.say('owner', 'public', 'Big plans', `${mention(member.id)} look`)
    const [group, channel] = await pushed()
    assert.equal(group?.payload.title, 'Desdemona (with Zoe)')
    assert.equal(group?.payload.tag, `dm:${zoe.id},${owner.id}`)
    assert.equal(channel?.payload.title, 'Desdemona (#Denmark › Big plans)')
    assert.equal(channel?.payload.tag, `${channels.public}:big plans`)
    assert.equal(
      channel?.payload.url,
      `/#narrow/channel/${channels.public}-Denmark/topic/Big.20plans/near/${id}`,
    )
  })

  // biome-ignore format: a table reads best in columns
  const texts: [string, string, string][] = [
    ['a spoiler',     '```spoiler Ending\nThe butler.\n```', 'Ending\n…'],
    ['code',          '```\na < b && c\n```',                'a < b && c'],
    ['mathematics',   'So $$x^2$$ holds',                    'So x^2 holds'],
    ['a list',        '* one\n* two',                        '• one\n• two'],
    ['a long text',   '🐙'.repeat(300),                      `${'🐙'.repeat(200)}…`],
    ['a quote',       '> said\n\nyes',                       'said\nyes'],
  ]
  for (const [what, content, body] of texts) {
    test(`of ${what}`, async () => {
      await server.say('owner', ['owner', 'member'], '', content)
      assert.equal((await pushed())[0]?.payload.body, body)
    })
  }

  test('is neither name nor text where the organization wants that', async () => {
    const hide = (value: boolean) =>
      done(owner.patch('/realm', { message_content_allowed_in_push_notifications: value }))
    await hide(false)
    await server.say('owner', 'public', 'secrets', `${mention(member.id)} treasure`)
    const [push] = await pushed()
    const { title, body, icon } = push?.payload ?? {}
    assert.deepEqual(
      [title, body, icon],
      ['Zulip Dev', 'New message', '/static/client-icon/192.png'],
    )
    assert.doesNotMatch(JSON.stringify(push), /treasure|Desdemona/)
    await hide(true)
  })

  test('is counted as the user wants the icon to count', async () => {
    await done(member.post('/mark_all_as_read'))
    const count = async (display: number) => {
      await done(member.patch('/settings', { desktop_icon_count_display: display }))
      await server.say('owner', ['owner', 'member'])
      return (await pushed())[0]?.payload.count
    }
    await server.say('owner', 'public', 'plans', 'nothing special')
    await server.say('owner', 'public', 'plans', mention(member.id))
    await pushed()
    assert.equal(await count(1), 3)
    assert.equal(await count(2), 3)
    assert.equal(await count(3), 4)
    assert.equal(await count(4), 0)
    await done(member.patch('/settings', { desktop_icon_count_display: 1 }))
  })
})

describe('a push says', () => {
  test('how urgent it is, and which one it replaces while the device is off', async () => {
    await done(
      member.post('/user_topics', {
        stream_id: channels.public,
        topic: 'plans',
        visibility_policy: 3,
      }),
    )
    await server.say('owner', ['owner', 'member'])
    await server.say('owner', 'public', 'plans')
    await server.say('owner', 'public', 'PLANS')
    await server.settled()
    const all = service.take().map(({ headers }) => headers)
    assert.deepEqual(
      all.map(({ urgency }) => urgency),
      ['high', 'normal', 'normal'],
    )
    const topics = all.map(({ topic }) => String(topic))
    for (const topic of topics) assert.match(topic, /^[\w-]{32}$/)
    assert.equal(topics[1], topics[2])
    assert.notEqual(topics[0], topics[1])
    assert.deepEqual(
      all.map(({ ttl }) => ttl),
      ['86400', '86400', '86400'],
    )
    await done(
      member.post('/user_topics', {
        stream_id: channels.public,
        topic: 'plans',
        visibility_policy: 0,
      }),
    )
  })

  test('a push that is not urgent goes to no device that wants urgent ones only', async () => {
    await subscribe(zoe, 'zoe', 'high')
    const follow = (visibility_policy: number) =>
      done(
        zoe.post('/user_topics', { stream_id: channels.public, topic: 'plans', visibility_policy }),
      )
    await follow(3)
    await server.say('owner', 'public', 'plans')
    const id = await server.say('owner', 'public', 'plans', mention(zoe.id))
    assert.deepEqual(await changes(), [`zoe +${id}`])
    await follow(0)
  })
})

describe('a message reaches', () => {
  test('every device of a user once, and those of others not at all', async () => {
    await subscribe(zoe, 'zoe')
    await subscribe(member, 'tablet')
    const id = await server.say('owner', ['owner', 'member'])
    assert.deepEqual((await changes()).sort(), [`hamlet +${id}`, `tablet +${id}`])
    await server.server.context.store.write(() => {})
    assert.deepEqual(await changes(), [])
  })

  test('people at their desk only if they want that', async () => {
    const watch = await member.watch('message')
    await done(member.post('/users/me/presence', { status: 'active' }))
    for (const [wanted, count] of [
      [false, 0],
      [true, 1],
    ] as const) {
      await done(member.patch('/settings', { enable_online_push_notifications: wanted }))
      await server.say('owner', ['owner', 'member'])
      assert.equal((await pushed()).length, count, `${wanted}`)
    }
    await member.del('/events', { queue_id: watch.queueId })
  })
})

describe('right before it is sent it is decided again', () => {
  /** While the device's service is not to be asked for a minute, something happens. */
  async function meanwhile(happens: (id: number) => Promise<unknown>): Promise<string[]> {
    service.answers('hamlet', { status: 429, headers: { 'retry-after': '60' }, times: 1 })
    const id = await server.say('owner', 'private', 'plans', mention(member.id))
    assert.deepEqual(await changes(), [])
    await happens(id)
    clock.advance(60_000)
    return await changes()
  }

  test('it is sent if nothing has happened', async () => {
    let sent = 0
    assert.deepEqual(
      await meanwhile(async (id) => {
        sent = id
      }),
      [`hamlet +${sent}`],
    )
  })

  // biome-ignore format: a table reads best in columns
  const table: [string, (id: number) => Promise<unknown>, () => Promise<unknown>][] = [
    ['was read',        (id) => read(member, [id]),                                                       async () => {}],
    ['was deleted',     (id) => owner.del(`/messages/${id}`),                                             async () => {}],
    ['no longer mentions', (id) => owner.patch(`/messages/${id}`, { content: 'nobody' }),                 async () => {}],
    ['is not for them', () => owner.del('/users/me/subscriptions', { subscriptions: ['core team'], principals: [member.id] }),
      () => owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'core team' }], principals: [member.id] })],
    ['is unwanted',     () => member.patch('/settings', { enable_offline_push_notifications: false }),
      () => member.patch('/settings', { enable_offline_push_notifications: true })],
    ['is of somebody muted', () => member.post(`/users/me/muted_users/${owner.id}`),
      () => member.del(`/users/me/muted_users/${owner.id}`)],
  ]
  for (const [what, happens, undo] of table) {
    test(`it is not sent if it ${what} by then`, async () => {
      assert.deepEqual(await meanwhile(happens), [])
      assert.equal(rows(), 0)
      await undo()
    })
  }

  test('it is taken back if the message was read while it was being sent', async () => {
    const gate = service.hold()
    const id = await server.say('owner', ['owner', 'member'])
    await gate.arrived
    await read(member, [id])
    gate.release()
    assert.deepEqual(await changes(), [`hamlet +${id}`, `hamlet -${id}`])
    assert.equal(rows(), 0)
  })
})

describe('a device forgets what', () => {
  const say = (count: number) =>
    Promise.all(Array.from({ length: count }, () => server.say('owner', ['owner', 'member'])))

  test('was read, in one push, sorted; it is told once', async () => {
    const [a = 0, b = 0, c = 0] = (await say(3)).sort((x, y) => x - y)
    await changes()
    await read(member, [c, a])
    assert.deepEqual(await changes(), [`hamlet -${a},${c}`])
    await done(member.post('/mark_all_as_read'))
    assert.deepEqual(await changes(), [`hamlet -${b}`])
    await read(member, [a, b, c])
    assert.deepEqual(await changes(), [])
    assert.equal(rows(), 0)
  })

  test('was read is the newest two hundred messages', async () => {
    const all: number[] = []
    // So many at once would be cut to the newest before they are pushed.
    for (const count of [105, 100]) {
      all.push(...(await say(count)).sort((a, b) => a - b))
      assert.equal((await changes()).length, count)
    }
    await done(member.post('/mark_all_as_read'))
    assert.deepEqual(await changes(), [`hamlet -${all.slice(-200).join()}`])
  })

  // biome-ignore format: a table reads best in columns
  const table: [string, (id: number) => Promise<unknown>, () => Promise<unknown>][] = [
    ['was deleted',            (id) => owner.del(`/messages/${id}`),                              async () => {}],
    ['mentions nobody anymore', (id) => owner.patch(`/messages/${id}`, { content: 'nobody' }),   async () => {}],
    ['was read with its topic', () => member.post('/mark_topic_as_read', { stream_id: channels.private, topic_name: 'plans' }), async () => {}],
    ['cannot be read anymore', () => owner.del('/users/me/subscriptions', { subscriptions: ['core team'], principals: [member.id] }),
      () => owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'core team' }], principals: [member.id] })],
    ['is of somebody muted',   () => member.post(`/users/me/muted_users/${owner.id}`),
      () => member.del(`/users/me/muted_users/${owner.id}`)],
  ]
  for (const [what, happens, undo] of table) {
    test(what, async () => {
      const id = await server.say('owner', 'private', 'plans', mention(member.id))
      assert.deepEqual(await changes(), [`hamlet +${id}`])
      await happens(id)
      assert.deepEqual(await changes(), [`hamlet -${id}`])
      assert.equal(rows(), 0)
      await undo()
    })
  }

  test('was moved to where they cannot read it', async () => {
    const id = await server.say('owner', 'private', 'plans', mention(member.id))
    await changes()
    await done(
      owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'secret' }],
        invite_only: true,
      }),
    )
    const { stream_id } = await owner.get<{ stream_id: number }>('/get_stream_id', {
      stream: 'secret',
    })
    await done(owner.patch(`/messages/${id}`, { stream_id, propagate_mode: 'change_one' }))
    assert.deepEqual(await changes(), [`hamlet -${id}`])
  })

  test('another one is still shown', async () => {
    const [a = 0, b = 0] = await say(2)
    await changes()
    await read(member, [a])
    assert.deepEqual(await changes(), [`hamlet -${a}`])
    await done(owner.patch(`/messages/${b}`, { content: 'edited' }))
    assert.deepEqual(await changes(), [])
    assert.equal(rows(), 1)
    await read(member, [b])
    assert.deepEqual(await changes(), [`hamlet -${b}`])
  })
})

describe('when the push service of a device', () => {
  test('knows it no longer, that device alone is removed', async () => {
    await subscribe(member, 'tablet')
    service.answers('hamlet', { status: 410 })
    const id = await server.say('owner', ['owner', 'member'])
    assert.deepEqual(await changes(), [`tablet +${id}`])
    const { subscriptions } = await member.get<{ subscriptions: object[] }>(
      '/web_push/subscriptions',
    )
    assert.equal(subscriptions.length, 1)
  })

  test('finds a push too large, it gets a shorter one, once', async () => {
    const content = '🐙'.repeat(200)
    service.answers('hamlet', { status: 413, times: 1 })
    await server.say('owner', ['owner', 'member'], '', content)
    const [push] = await pushed()
    assert.ok(String(push?.payload.body).length > 0)
    service.answers('hamlet', { status: 413 })
    await server.say('owner', ['owner', 'member'])
    assert.deepEqual(await changes(), [])
    service.answers('hamlet', undefined)
    clock.advance(3_600_000)
    assert.deepEqual(await changes(), [])
  })

  test('asks to wait, it is left alone that long, and gets all in order', async () => {
    service.answers('hamlet', { status: 429, headers: { 'retry-after': '120' }, times: 1 })
    const a = await server.say('owner', ['owner', 'member'])
    assert.deepEqual(await changes(), [])
    const b = await server.say('owner', ['owner', 'member'])
    clock.advance(119_000)
    assert.deepEqual(await changes(), [])
    clock.advance(1000)
    assert.deepEqual(await changes(), [`hamlet +${a}`, `hamlet +${b}`])
  })

  test('fails for an hour, nothing is lost or doubled, and it is asked ever more seldom', async () => {
    let asked = 0
    service.answers('hamlet', { status: 500 })
    const id = await server.say('owner', ['owner', 'member'])
    await server.settled()
    const due = () => Number(store.db.$client.prepare('SELECT due_at FROM pushes').pluck().get())
    const gaps: number[] = []
    const now = () => Math.floor(clock.now() / 1000)
    const end = now() + 3600
    while (now() < end) {
      gaps.push(due() - now())
      clock.advance((due() - now()) * 1000)
      await server.settled()
      asked += 1
    }
    assert.deepEqual(gaps.slice(0, 4), [30, 60, 120, 240])
    assert.ok(asked < 9)
    service.answers('hamlet', undefined)
    clock.advance(3_600_000)
    assert.deepEqual(await changes(), [`hamlet +${id}`])
    clock.advance(3_600_000)
    assert.deepEqual(await changes(), [])
  })

  test('fails for a day, what is older is not worth it anymore', async () => {
    service.answers('hamlet', { status: 503 })
    await server.say('owner', ['owner', 'member'])
    await server.settled()
    for (let hour = 0; hour < 25; hour++) {
      clock.advance(3_600_000)
      await server.settled()
    }
    service.answers('hamlet', undefined)
    const id = await server.say('owner', ['owner', 'member'])
    clock.advance(3_600_000)
    assert.deepEqual(await changes(), [`hamlet +${id}`])
    assert.equal(rows(), 1)
  })

  test('is slow, nobody else waits', async () => {
    await subscribe(zoe, 'zoe')
    const gate = service.hold()
    await server.say('owner', ['owner', 'member'])
    await gate.arrived
    const later = server.say('owner', ['owner', 'zoe'])
    const id = await later
    for (let i = 0; i < 200 && service.take().every(({ device }) => device !== 'zoe'); i++) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.ok(id > 0)
    gate.release()
    await server.settled()
    service.take()
  })
})

test('two hundred messages wait for a device at most, the newest', async () => {
  service.answers('hamlet', { status: 429, headers: { 'retry-after': '3600' }, times: 1 })
  const all: number[] = []
  for (let i = 0; i < 210; i++) all.push(await server.say('owner', ['owner', 'member']))
  assert.equal(rows(), 200)
  clock.advance(3_600_000)
  const got = await changes()
  assert.deepEqual(
    got,
    all.slice(-200).map((id) => `hamlet +${id}`),
  )
})

test('nothing is stored for those without a device', async () => {
  await server.say('owner', ['owner', 'admin'])
  await server.say('owner', 'public', 'plans', '@**all**')
  const users = store.db.$client.prepare('SELECT DISTINCT user_id FROM pushes').pluck().all()
  assert.deepEqual(users, [member.id])
  const others = store.db.$client
    .prepare('SELECT DISTINCT user_id FROM notifications')
    .pluck()
    .all()
  assert.ok(!others.includes(ids.admin))
})

test('over restarts a device gets each message once, and forgets it once', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-pushes-'))
  const config = { webPushServices: [service.origin], allowedNetworks: ['127.0.0.1'] }
  const key = serverKey
  /** What the device gets within a minute of a run of the server. */
  async function run(act: (site: TestServer) => Promise<unknown>): Promise<string[]> {
    const site = await startServer({ data, config })
    const { public_key } = await site.as('owner').get<{ public_key: string }>('/web_push/key')
    serverKey = public_key
    await act(site)
    await site.settled()
    site.clock.advance(60_000)
    await site.settled()
    await site.close()
    return await changes()
  }
  try {
    let id = 0
    service.answers('restarted', { status: 503 })
    const first = await run(async (site) => {
      await subscribe(site.as('member'), 'restarted')
      id = await site.say('owner', ['owner', 'member'])
    })
    assert.deepEqual(first, [])
    const before = serverKey
    service.answers('restarted', undefined)
    assert.deepEqual(await run(async ({ clock }) => clock.advance(600_000)), [`restarted +${id}`])
    assert.equal(serverKey, before, 'the key of the server')
    assert.deepEqual(await run(async () => {}), [])
    assert.deepEqual(await run((site) => read(site.as('member'), [id])), [`restarted -${id}`])
    assert.deepEqual(await run(async () => {}), [])
  } finally {
    serverKey = key
    rmSync(data, { recursive: true })
  }
})
