import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { subscribe } from '#features/channels/subscriptions/actions.ts'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { roles } from '#features/foundation/users/queries.ts'
import { insertPart } from '#features/messaging/notifications/queries.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { notificationParts, notifications } from '#platform/store/schema.ts'
import { workOf } from '#test/support/limits/work.ts'
import { makers } from '#test/support/making.ts'
import { type Actor, startServer, type TestServer } from '#test/support/server.ts'
import { startWebPushService } from '#test/support/web-push-service.ts'

const service = await startWebPushService(() => '')
after(service.close)
const server = await startServer({
  config: { webPushServices: [service.origin], allowedNetworks: ['127.0.0.1'], keepMail: true },
})
after(server.close)
const { store } = server.server.context

const [owner, admin, member] = [server.as('owner'), server.as('admin'), server.as('member')]
const { clock, channels } = server
for (const actor of [owner, admin, member]) {
  // Their devices cannot be reached: what is stored for them is looked at here.
  service.answers(actor.email, { status: 503 })
  const device = service.device(actor.email)
  const { result, msg } = await actor.post('/web_push/subscriptions', { ...device })
  assert.equal(result, 'success', msg)
}
const seconds = (n: number) => clock.advance(n * 1000)

interface Row {
  readonly userId: number
  readonly push: string | null
  readonly email: string | null
}

/** The stored notifications of a message, by user id. */
function rows(messageId: number): Row[] {
  return store.db
    .select()
    .from(notifications)
    .all()
    .filter((row) => row.messageId === messageId)
    .map(({ userId, pushTrigger, emailTrigger }) => ({
      userId,
      push: pushTrigger,
      email: emailTrigger,
    }))
    .sort((a, b) => a.userId - b.userId)
}

const both = (actor: Actor, trigger: string): Row => ({
  userId: server.ids[actor],
  push: trigger,
  email: trigger,
})

const mention = (id: number) => `@_**|${id}** @**|${id}**`

async function set(actor: Actor, settings: Record<string, unknown>): Promise<void> {
  const reply = await server.as(actor).patch('/settings', settings)
  assert.equal(reply.result, 'success', reply.msg)
}

async function subscription(property: string, value: unknown): Promise<void> {
  const change = { stream_id: channels.public, property, value }
  const reply = await member.post('/users/me/subscriptions/properties', {
    subscription_data: [change],
  })
  assert.equal(reply.result, 'success', reply.msg)
}

async function topic(policy: number): Promise<void> {
  const reply = await member.post('/user_topics', {
    stream_id: channels.public,
    topic: 'plans',
    visibility_policy: policy,
  })
  assert.equal(reply.result, 'success', reply.msg)
}

describe('who is notified', () => {
  test('the other participants of a direct message, not its sender', async () => {
    const id = await server.say('member', ['member', 'owner', 'admin'])
    assert.deepEqual(rows(id), [both('owner', 'direct_message'), both('admin', 'direct_message')])
  })

  test('nobody, of a message to a channel that concerns nobody', async () => {
    assert.deepEqual(rows(await server.say('owner', 'public', 'nothing')), [])
  })

  test('who is mentioned, in a muted topic of a muted channel too', async () => {
    await topic(1)
    await subscription('is_muted', true)
    const id = await server.say('owner', 'public', 'plans', mention(member.id))
    assert.deepEqual(rows(id), [both('member', 'mentioned')])
    await subscription('is_muted', false)
    await topic(0)
  })

  test('who follows the topic', async () => {
    await topic(3)
    const id = await server.say('owner', 'public')
    assert.deepEqual(rows(id), [both('member', 'followed_topic')])
    await topic(0)
  })

  test('who turned mail on for the channel, and only by mail', async () => {
    await subscription('email_notifications', true)
    const id = await server.say('owner', 'public')
    assert.deepEqual(rows(id), [{ userId: member.id, push: null, email: 'stream' }])
    await subscription('email_notifications', false)
    assert.deepEqual(rows(await server.say('owner', 'public')), [])
  })

  test('who turned pushes on for all channels', async () => {
    await set('admin', { enable_stream_push_notifications: true })
    const id = await server.say('owner', 'public')
    assert.deepEqual(rows(id), [{ userId: admin.id, push: 'stream', email: null }])
    await set('admin', { enable_stream_push_notifications: false })
    assert.deepEqual(rows(await server.say('owner', 'public')), [])
  })

  test('all subscribers whom a wildcard mentions, except bots and the sender', async () => {
    const id = await server.say('owner', 'private', 'plans', '@**all**')
    assert.deepEqual(rows(id), [
      both('member', 'stream_wildcard_mentioned'),
      both('admin', 'stream_wildcard_mentioned'),
    ])
  })

  test('participants of the topic, by its wildcard', async () => {
    await server.say('member', 'public', 'dinner')
    const id = await server.say('owner', 'public', 'dinner', '@**topic**')
    assert.deepEqual(
      rows(id).filter(({ userId }) => userId !== member.id),
      [],
    )
    assert.equal(rows(id)[0]?.email, 'topic_wildcard_mentioned_in_followed_topic')
  })

  test('nobody who muted the sender', async () => {
    await member.post(`/users/me/muted_users/${owner.id}`)
    assert.deepEqual(rows(await server.say('owner', ['owner', 'member'])), [])
    await member.del(`/users/me/muted_users/${owner.id}`)
  })

  test('nobody who is not subscribed, though mentioned', async () => {
    const id = await server.say('owner', 'private', 'plans', mention(server.ids.zoe))
    assert.deepEqual(rows(id), [])
  })

  test('no bot and nobody deactivated, though they are subscribed, mentioned and written to', async () => {
    const { bot, zoe } = server.ids
    const joined = await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Denmark' }],
      principals: [bot, zoe],
    })
    assert.equal(joined.result, 'success', joined.msg)
    const told = mention(bot) + mention(zoe)
    const before = rows(await server.say('owner', 'public', 'plans', told))
    assert.deepEqual(
      before.map(({ userId }) => userId),
      [zoe],
    )
    assert.equal((await owner.del(`/users/${zoe}`)).result, 'success')
    assert.deepEqual(rows(await server.say('owner', 'public', 'plans', told)), [])
    assert.deepEqual(rows(await server.say('owner', ['owner', 'bot'])), [])
    assert.equal((await owner.post(`/users/${zoe}/reactivate`)).result, 'success')
  })

  test('a member of a mentioned group, by the smallest of several', async () => {
    const group = async (name: string, members: number[]) => {
      const made = await owner.post<{ group_id: number }>('/user_groups/create', {
        name,
        description: '',
        members,
      })
      assert.equal(made.result, 'success', made.msg)
      return made.group_id
    }
    await group('large', [member.id, admin.id])
    const small = await group('small', [member.id])
    const id = await server.say('owner', 'public', 'plans', '@*large* @*small*')
    const stored = store.db.select().from(notifications).all()
    const own = stored.find((row) => row.messageId === id && row.userId === member.id)
    assert.equal(own?.groupId, small)
    const named = await server.say('owner', 'public', 'plans', `@*small* ${mention(member.id)}`)
    const again = store.db.select().from(notifications).all()
    assert.equal(again.find((row) => row.messageId === named)?.groupId, null)
  })
})

describe('who is away', () => {
  beforeEach(() => set('member', { enable_online_push_notifications: false }))
  afterEach(() => set('member', { enable_online_push_notifications: true, presence_enabled: true }))
  const direct = async () => rows(await server.say('owner', ['owner', 'member'])).length > 0

  test('is known by presence after 200 seconds, and by queues after 600', async () => {
    assert.ok(await direct(), 'no client at all')
    const watch = await member.watch('message')
    await member.post('/users/me/presence', { status: 'active' })
    assert.ok(!(await direct()))
    seconds(199)
    assert.ok(!(await direct()), '199 s')
    seconds(2)
    assert.ok(await direct(), '201 s')

    await watch.drain()
    seconds(599)
    await member.post('/users/me/presence', { status: 'active' })
    assert.ok(!(await direct()), '599 s')
    seconds(2)
    assert.ok(await direct(), '601 s')
    await member.del('/events', { queue_id: watch.queueId })
  })

  test('who hides their presence is away; a queue without messages does not count', async () => {
    const silent = await member.watch('presence')
    await member.post('/users/me/presence', { status: 'active' })
    assert.ok(await direct())
    const watch = await member.watch('message')
    assert.ok(!(await direct()))
    await set('member', { presence_enabled: false })
    assert.ok(await direct())
    for (const { queueId } of [silent, watch]) await member.del('/events', { queue_id: queueId })
  })

  test('pushes reach those at their desk if they want them', async () => {
    const watch = await member.watch('message')
    await member.post('/users/me/presence', { status: 'active' })
    await set('member', { enable_online_push_notifications: true })
    const id = await server.say('owner', ['owner', 'member'])
    assert.deepEqual(rows(id), [{ userId: member.id, push: 'direct_message', email: null }])
    await member.del('/events', { queue_id: watch.queueId })
  })
})

describe('what waits in a client that stops asking', () => {
  /** Says something to a member who is present, with as many clients. */
  async function missed(
    count: number,
  ): Promise<{ id: number; ids: string[]; drain(): Promise<unknown> }> {
    await set('member', { enable_online_push_notifications: false })
    const watches: Awaited<ReturnType<typeof member.watch>>[] = []
    for (let i = 0; i < count; i++) watches.push(await member.watch('message'))
    await member.post('/users/me/presence', { status: 'active' })
    const id = await server.say('owner', ['owner', 'member'])
    assert.deepEqual(rows(id), [])
    return {
      id,
      ids: watches.map(({ queueId }) => queueId),
      async drain() {
        for (const watch of watches) {
          await watch.drain()
          await watch.drain()
        }
      },
    }
  }
  async function pass(time: number): Promise<void> {
    seconds(time)
    await store.write(() => {})
  }
  async function close(ids: readonly string[]): Promise<void> {
    for (const id of ids) await member.del('/events', { queue_id: id })
  }

  test('is notified of once, however many clients stop', async () => {
    const { id, ids } = await missed(2)
    await pass(590)
    assert.deepEqual(rows(id), [])
    await pass(130)
    assert.deepEqual(rows(id), [both('member', 'direct_message')])
    await close(ids)
  })

  test('is notified of if it came when the client had not asked for a while', async () => {
    const { ids } = await missed(1)
    await pass(60)
    const id = await server.say('owner', ['owner', 'member'])
    assert.deepEqual(rows(id), [])
    await pass(660)
    assert.deepEqual(rows(id), [both('member', 'direct_message')])
    await close(ids)
  })

  test('is not notified of if the client has it', async () => {
    const { id, ids, drain } = await missed(1)
    await drain()
    await pass(720)
    assert.deepEqual(rows(id), [])
    await close(ids)
  })

  test('is not notified of if it was read elsewhere', async () => {
    const { id, ids } = await missed(1)
    await member.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await pass(720)
    assert.deepEqual(rows(id), [])
    await close(ids)
  })

  test('is notified of when the client ends', async () => {
    const { id, ids } = await missed(1)
    await close(ids)
    await store.write(() => {})
    assert.deepEqual(rows(id), [both('member', 'direct_message')])
  })
})

describe('an edit', () => {
  const edit = async (id: number, content: string) => {
    const reply = await owner.patch(`/messages/${id}`, { content })
    assert.equal(reply.result, 'success', reply.msg)
  }

  test('notifies whom it mentions now and did not before, once', async () => {
    const id = await server.say('owner', 'public', 'edits', mention(admin.id))
    assert.deepEqual(rows(id), [both('admin', 'mentioned')])
    store.db.delete(notifications).run()
    await edit(id, `${mention(admin.id)} ${mention(member.id)}`)
    assert.deepEqual(rows(id), [both('member', 'mentioned')])
  })

  test('notifies nobody who got every message of the channel anyway', async () => {
    await subscription('push_notifications', true)
    const id = await server.say('owner', 'public', 'more edits')
    assert.deepEqual(rows(id), [{ userId: member.id, push: 'stream', email: null }])
    await edit(id, mention(member.id))
    assert.deepEqual(rows(id), [{ userId: member.id, push: 'stream', email: null }])
    await subscription('push_notifications', false)
  })

  test('of a direct message notifies nobody', async () => {
    const id = await server.say('owner', ['owner', 'member'])
    store.db.delete(notifications).run()
    await edit(id, mention(member.id))
    assert.deepEqual(rows(id), [])
  })
})

describe('a message that concerns very many people', () => {
  const count = 600
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const config = { smtpUrl: 'smtp://127.0.0.1:9' }
  const told = (one: TestServer) =>
    one.server.context.store.db.select().from(notifications).all().length
  const waiting = (one: TestServer) =>
    one.server.context.store.db.select().from(notificationParts).all().length
  /** A channel with all of them. */
  async function crowd(one: TestServer): Promise<string> {
    const { newChannel } = makers(one)
    const { id, name } = await newChannel(['owner'])
    await one.server.context.store.write((tx) => {
      const channel = findChannel(tx, id)
      assert.ok(channel)
      const people = Array.from({ length: count }, (_, i) =>
        createUser(tx, {
          email: `crowd${i}@example.com`,
          fullName: `One of ${i}`,
          role: roles.member,
        }),
      )
      subscribe(tx, [channel], people)
    })
    return name
  }
  const shout = async (one: TestServer, to: string) => {
    const message = { type: 'channel', to, topic: 'all', content: 'Fire! @**all**' }
    return (await one.as('owner').post<{ id: number }>('/messages', message)).id
  }

  test('notifies them in parts, after the reply', async () => {
    const one = await startServer({ config })
    after(one.close)
    const name = await crowd(one)
    const sent = shout(one, name)
    while (waiting(one) === 0) await new Promise(setImmediate)
    assert.deepEqual([waiting(one) > 1, told(one) < count], [true, true])
    const id = await sent
    await one.settled()
    assert.deepEqual([told(one), waiting(one)], [count, 0])
    // An edit that adds nobody notifies nobody again.
    await one.as('owner').patch(`/messages/${id}`, { content: 'Water! @**all**' })
    await one.settled()
    assert.equal(told(one), count)
  })

  test('notifies each of them once over a restart', async () => {
    const first = await startServer({ data, config })
    const name = await crowd(first)
    const sent = shout(first, name)
    while (waiting(first) === 0) await new Promise(setImmediate)
    await Promise.all([sent, first.close()])
    const second = await startServer({ data, config })
    await second.settled()
    assert.deepEqual([told(second), waiting(second)], [count, 0])
    await second.close()
  })

  test('notifies nobody of it once it is deleted', async () => {
    const one = await startServer({ config })
    after(one.close)
    const name = await crowd(one)
    const { store } = one.server.context
    const id = await shout(one, name)
    await one.settled()
    await store.write((tx) => {
      tx.db.delete(notifications).run()
      insertPart(tx, id, false, [one.ids.member])
    })
    await one.as('owner').del(`/messages/${id}`)
    await store.write(wakeJobs)
    await one.settled()
    assert.deepEqual([told(one), waiting(one)], [0, 0])
  })
})

test('old notifications are deleted', async () => {
  await server.say('owner', ['owner', 'member'])
  seconds(15 * 24 * 3600 + 61)
  await server.settled()
  assert.deepEqual(store.db.select().from(notifications).all(), [])
})

test('to tell people of a group costs the same however often a message names it', async () => {
  const names: string[] = []
  const ids: number[] = []
  for (let i = 0; i < 12; i++) {
    const name = `nested ${i}`
    const group = { name, description: '', members: [server.ids.admin], subgroups: [...ids] }
    ids.push((await owner.post<{ group_id: number }>('/user_groups/create', group)).group_id)
    names.push(name)
  }
  const cost = async (content: string) =>
    await workOf(server, async () => {
      await server.say('owner', 'public', 'costs', content)
      await server.server.settled()
    })
  const mentions = names.map((name) => `@*${name}*`).join(' ')
  // What is found out once is known by then.
  await cost(mentions)
  const [once, often] = [await cost(mentions), await cost(`${mentions} `.repeat(30))]
  assert.ok(often < 2 * once, `${once} and ${often} statements and rows`)
})
