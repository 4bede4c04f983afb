import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import * as shapes from '#test/support/record-shapes.ts'
import { success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { misfits } from '#test/support/shapes.ts'

const server = await startServer()
after(server.close)

interface Subscription {
  readonly stream_id: number
  readonly name: string
  readonly [member: string]: unknown
}

interface Person {
  readonly user_id: number
  readonly [member: string]: unknown
}

async function subscriptionOf(name: string, params: object = {}): Promise<Subscription> {
  const { subscriptions } = await server
    .as('member')
    .get<{ subscriptions: Subscription[] }>('/users/me/subscriptions', { ...params })
  const found = subscriptions.find((one) => one.name === name)
  assert.ok(found)
  return found
}

async function fetchUser(actor: Actor, id: number, params: object = {}): Promise<Person> {
  const reply = await server.as(actor).get<{ user: Person }>(`/users/${id}`, { ...params })
  assert.equal(reply.msg, '')
  return reply.user
}

describe('Conventions shared by all resources', () => {
  test('an API email is a placeholder where the caller may not see the real one, and works in the API', async () => {
    const hamlet = await fetchUser('outsider', server.ids.member)
    assert.equal(hamlet.email, 'user10@zulipdev.com')
    const sent = await server
      .as('outsider')
      .post('/messages', { type: 'direct', to: [hamlet.email], content: 'Hello.' })
    assert.equal(sent.result, 'success')
  })

  test('timestamps are Unix seconds, except `date_joined`, which is a text', async () => {
    const user = await fetchUser('member', server.ids.admin)
    assert.equal(typeof user.date_joined, 'string')
    assert.ok(!Number.isNaN(Date.parse(String(user.date_joined))))
    assert.ok(Number.isSafeInteger((await subscriptionOf('Denmark')).date_created))
  })

  const roles: [Actor, number][] = [
    ['owner', 100],
    ['admin', 200],
    ['moderator', 300],
    ['member', 400],
    ['guest', 600],
  ]
  for (const [actor, role] of roles) {
    test(`role ${role} is that of the ${actor}`, async () =>
      assert.equal((await fetchUser('owner', server.ids[actor])).role, role))
  }
})

describe('Channel and subscription', () => {
  test('a subscription object of the subscription event has every field, of its type', async () => {
    const watch = await server.as('member').watchWith({ event_types: ['subscription'] })
    const scotland = [{ name: 'Scotland' }]
    await server.as('member').post('/users/me/subscriptions', { subscriptions: scotland })
    const [event] = await watch.drain()
    assert.ok(event && Array.isArray(event.subscriptions))
    assert.deepEqual(misfits(event.subscriptions, [shapes.subscription]), [])
  })

  test('`subscribers` is there only when `include_subscribers` is true', async () => {
    const told = await subscriptionOf('Denmark', { include_subscribers: true })
    assert.deepEqual(told.subscribers, [7, 9, 10, 11, 12, 14, 15])
    assert.ok(!('subscribers' in (await subscriptionOf('Denmark'))))
  })

  test('`partial` sends `partial_subscribers` or `subscribers`, with all bots and all who were active in 14 days', async () => {
    const partial = await subscriptionOf('Denmark', { include_subscribers: 'partial' })
    const all = await subscriptionOf('Denmark', { include_subscribers: true })
    const ids = partial.partial_subscribers ?? partial.subscribers
    assert.ok(Array.isArray(ids) && Array.isArray(all.subscribers))
    for (const id of ids) assert.ok(all.subscribers.includes(id))
    assert.notEqual('subscribers' in partial, 'partial_subscribers' in partial)
  })

  test('`creator_id` is null without a recorded creator', async () => {
    assert.equal((await subscriptionOf('Denmark')).creator_id, null)
    assert.equal((await subscriptionOf('design')).creator_id, server.ids.member)
  })

  test('`invite_only` is true for private channels', async () => {
    assert.equal((await subscriptionOf('core team')).invite_only, true)
    assert.equal((await subscriptionOf('Denmark')).invite_only, false)
  })

  const policies: [value: number, group: number, title: string][] = [
    [1, 7, 'any user'],
    [2, 3, 'administrators only'],
    [3, 5, 'full members only'],
    [4, 4, 'moderators only'],
  ]
  for (const [policy, group, title] of policies) {
    test(`\`stream_post_policy\` ${policy} is ${title}, by \`can_send_message_group\``, async () => {
      const reply = await server
        .as('owner')
        .patch('/streams/3', { can_send_message_group: { new: group } })
      assert.deepEqual(reply, success)
      const { stream_post_policy, is_announcement_only } = await subscriptionOf('Verona')
      assert.deepEqual([stream_post_policy, is_announcement_only], [policy, policy === 2])
    })
  }
})

describe('User (GET /users/{user_id})', () => {
  test('has every field, of its type', async () => {
    for (const actor of ['owner', 'admin', 'member', 'guest', 'bot'] as const) {
      const user = await fetchUser('member', server.ids[actor])
      assert.deepEqual(misfits(user, shapes.user), [], actor)
    }
  })

  test('`delivery_email` is always the real address of a bot', async () => {
    const bot = await fetchUser('guest', server.ids.bot)
    assert.equal(bot.delivery_email, 'default-bot@zulip.com')
  })

  const flags: [Actor, owner: boolean, admin: boolean, guest: boolean, bot: boolean][] = [
    ['owner', true, true, false, false],
    ['admin', false, true, false, false],
    ['moderator', false, false, false, false],
    ['guest', false, false, true, false],
    ['bot', false, false, false, true],
  ]
  for (const [actor, ...expected] of flags) {
    test(`\`is_owner\`, \`is_admin\`, \`is_guest\` and \`is_bot\` of the ${actor}; an owner is an admin too`, async () => {
      const { is_owner, is_admin, is_guest, is_bot } = await fetchUser('member', server.ids[actor])
      assert.deepEqual([is_owner, is_admin, is_guest, is_bot], expected)
    })
  }

  test('`bot_type` is null for people, 1 generic, 2 incoming webhook, 3 outgoing webhook', async () => {
    const types = await Promise.all(
      [10, 16, 17, 18].map(async (id) => (await fetchUser('member', id)).bot_type),
    )
    assert.deepEqual(types, [null, 1, 2, 3])
  })

  test('`bot_owner_id` names the owner of a bot', async () => {
    assert.equal((await fetchUser('member', server.ids.bot)).bot_owner_id, server.ids.owner)
    assert.equal((await fetchUser('member', server.ids.admin)).bot_owner_id ?? null, null)
  })

  test('`timezone` is an IANA identifier', async () => {
    assert.equal((await fetchUser('member', server.ids.moderator)).timezone, 'Asia/Kolkata')
  })

  test('`is_active` is false if deactivated', async () => {
    assert.equal((await fetchUser('admin', server.ids.zoe)).is_active, true)
    assert.deepEqual(await server.as('admin').del(`/users/${server.ids.zoe}`), success)
    assert.equal((await fetchUser('admin', server.ids.zoe)).is_active, false)
    assert.deepEqual(await server.as('admin').post(`/users/${server.ids.zoe}/reactivate`), success)
  })

  test('`profile_data` is there only for people, and only when requested', async () => {
    const asked = { include_custom_profile_fields: true }
    assert.ok(!('profile_data' in (await fetchUser('member', server.ids.admin))))
    assert.ok('profile_data' in (await fetchUser('member', server.ids.admin, asked)))
    assert.ok(!('profile_data' in (await fetchUser('member', server.ids.bot, asked))))
  })

  test('`profile_data` maps a field id to `value` and, where Markdown is supported, `rendered_value`', async () => {
    const { profile_data } = await fetchUser('member', server.ids.admin, {
      include_custom_profile_fields: true,
    })
    const data = profile_data as Record<string, object>
    assert.deepEqual(data[1], {
      value: '+1-234-567-8901',
      rendered_value: '<p>+1-234-567-8901</p>',
    })
    assert.deepEqual(data[4], { value: '1' })
  })
})

describe('Custom profile field', () => {
  const types: [type: number, title: string, data: object][] = [
    [1, 'short text', {}],
    [2, 'long text', {}],
    [3, 'list of options', { 0: { text: 'Yes', order: '1' }, 1: { text: 'No', order: '2' } }],
    [4, 'date picker', {}],
    [5, 'link', {}],
    [6, 'person picker', {}],
    [7, 'external account', { subtype: 'github' }],
    [8, 'pronouns', {}],
  ]
  for (const [type, title, data] of types) {
    test(`type ${type} is ${title}`, async () => {
      const asked = {
        name: `A ${title}`,
        hint: 'Say it.',
        field_type: type,
        field_data: data,
        display_in_profile_summary: false,
        required: false,
        editable_by_user: true,
      }
      const own = type === 7 ? { ...asked, field_data: { subtype: 'twitter' } } : asked
      const { id, result, msg } = await server.as('admin').post('/realm/profile_fields', own)
      assert.equal(result, 'success', msg)
      const { custom_fields } = await server
        .as('member')
        .get<{ custom_fields: Record<string, unknown>[] }>('/realm/profile_fields')
      const made = custom_fields.find((field) => field.id === id)
      assert.equal(made?.type, type)
    })
  }
})

describe('User group', () => {
  test('deactivated users cannot be group members', async () => {
    const { id, result } = await server
      .as('admin')
      .post('/user_groups/create', { name: 'actors', description: '', members: [8, 12] })
      .then((reply) => ({ id: reply.group_id, result: reply.result }))
    assert.equal(result, 'success')
    await server.as('admin').del('/users/12')
    const { members } = await server.as('admin').get(`/user_groups/${id}/members`)
    assert.deepEqual(members, [8])
    const added = await server.as('admin').post(`/user_groups/${id}/members`, { add: [12] })
    assert.deepEqual([added.result, added.code], ['error', 'BAD_REQUEST'])
    await server.as('admin').post('/users/12/reactivate')
  })
})

describe('Draft', () => {
  const good = { type: 'stream', to: [4], topic: 'plans', content: 'Well,' }
  const create = (draft: object) => server.as('member').post('/drafts', { drafts: [draft] })

  test('`timestamp` is filled in by the server if absent, and kept otherwise', async () => {
    await create(good)
    await create({ ...good, timestamp: 1_595_479_019 })
    const { drafts } = await server.as('member').get<{ drafts: object[] }>('/drafts')
    const now = Math.floor(server.clock.now() / 1000)
    assert.deepEqual(
      drafts.map((draft) => 'timestamp' in draft && draft.timestamp).sort(),
      [1_595_479_019, now].sort(),
    )
  })
})
