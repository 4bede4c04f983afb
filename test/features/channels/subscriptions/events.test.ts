import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { updateChannel } from '#features/foundation/channels/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
const { store } = server.server.context

const change = (actor: Actor, names: string[], params: CallParams = {}) =>
  server.as(actor).post('/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    send_new_subscription_messages: false,
    ...params,
  })
const leave = (actor: Actor, names: string[], params: CallParams = {}) =>
  server.as(actor).del('/users/me/subscriptions', { subscriptions: names, ...params })

async function idOf(name: string): Promise<number> {
  const found = await server
    .as('admin')
    .get<{ stream_id: number }>('/get_stream_id', { stream: name })
  return found.stream_id
}

/** What of an event matters here: kind, channels and users. */
function brief({
  type,
  op,
  streams,
  subscriptions,
  stream_ids,
  user_ids,
  ...rest
}: Event): unknown[] {
  const named = (streams ?? subscriptions) as { name: string; stream_id: number }[] | undefined
  const channels = op === 'delete' ? stream_ids : (named?.map(({ name }) => name) ?? stream_ids)
  const known = [`${type}/${op}`, channels, user_ids].filter((part) => part !== undefined)
  return type === 'update_message_flags' ? [type, rest.messages] : known
}

/** Does something and says what each of these actors hears of it. */
async function heard(actors: Actor[], act: () => Promise<{ result: string; msg: string }>) {
  const types = ['stream', 'subscription', 'update_message_flags']
  const queues = await Promise.all(actors.map((actor) => server.as(actor).watch(...types)))
  const reply = await act()
  assert.equal(reply.result, 'success', reply.msg)
  const events = await Promise.all(queues.map((queue) => queue.drain()))
  return Object.fromEntries(actors.map((actor, i) => [actor, events[i]?.map(brief)]))
}

describe('a new channel', () => {
  test('is created for all who may see it before anyone is subscribed to it', async () => {
    const actors: Actor[] = ['member', 'outsider', 'cordelia', 'guest']
    const principals = [ids.member, ids.cordelia]
    const events = await heard(actors, () => change('member', ['news'], { principals }))
    const id = await idOf('news')
    const created = ['stream/create', ['news']]
    const added = ['subscription/add', ['news']]
    assert.deepEqual(events, {
      member: [created, added],
      cordelia: [created, added],
      outsider: [created, ['subscription/peer_add', [id], [ids.cordelia, ids.member]]],
      guest: [],
    })
  })

  test('that is private exists for its subscribers and for administrators', async () => {
    const actors: Actor[] = ['member', 'admin', 'outsider', 'guest']
    const principals = [ids.member, ids.guest]
    const asked = { principals, invite_only: true }
    const events = await heard(actors, () => change('member', ['secret news'], asked))
    const id = await idOf('secret news')
    const created = ['stream/create', ['secret news']]
    const added = ['subscription/add', ['secret news']]
    assert.deepEqual(events, {
      member: [created, added],
      admin: [created, ['subscription/peer_add', [id], [ids.member, ids.guest]]],
      outsider: [],
      guest: [created, added],
    })
  })
})

describe('a channel', () => {
  test('appears for a guest who is subscribed, and disappears with the subscription', async () => {
    const principals = [ids.guest, ids.outsider]
    const actors: Actor[] = ['guest', 'outsider', 'member']
    const id = await idOf('Denmark')
    const added = await heard(actors, () => change('member', ['Denmark'], { principals }))
    assert.deepEqual(added, {
      guest: [
        ['stream/create', ['Denmark']],
        ['subscription/add', ['Denmark']],
      ],
      outsider: [['subscription/add', ['Denmark']]],
      member: [['subscription/peer_add', [id], [ids.outsider, ids.guest]]],
    })
    const removed = await heard(actors, () => leave('admin', ['Denmark'], { principals }))
    assert.deepEqual(removed, {
      guest: [
        ['subscription/remove', ['Denmark']],
        ['stream/delete', [id]],
      ],
      outsider: [
        ['subscription/remove', ['Denmark']],
        ['subscription/peer_remove', [id], [ids.guest]],
      ],
      member: [['subscription/peer_remove', [id], [ids.outsider, ids.guest]]],
    })
  })

  test('that is private disappears for those who leave it, except for administrators', async () => {
    await change('member', ['den'], {
      invite_only: true,
      principals: [ids.member, ids.outsider, ids.admin],
    })
    const id = await idOf('den')
    const principals = [ids.outsider, ids.admin]
    const actors: Actor[] = ['outsider', 'admin', 'member', 'moderator']
    assert.deepEqual(await heard(actors, () => leave('admin', ['den'], { principals })), {
      outsider: [
        ['subscription/remove', ['den']],
        ['stream/delete', [id]],
      ],
      admin: [
        ['subscription/remove', ['den']],
        ['subscription/peer_remove', [id], [ids.outsider]],
      ],
      member: [['subscription/peer_remove', [id], [ids.outsider, ids.admin]]],
      moderator: [],
    })
  })

  test('several of them make one event for each user', async () => {
    await change('member', ['first', 'second'])
    const events = await heard(['outsider'], () => change('outsider', ['second', 'first']))
    assert.deepEqual(events, { outsider: [['subscription/add', ['second', 'first']]] })
    const gone = await heard(['outsider'], () => leave('outsider', ['second', 'Rome', 'first']))
    assert.deepEqual(gone, { outsider: [['subscription/remove', ['second', 'first']]] })
  })

  test('that is archived is talked of only to clients that know archives', async () => {
    await change('member', ['attic'])
    const id = await idOf('attic')
    await store.write((tx) => void updateChannel(tx, id, { isArchived: true }))
    const event_types = ['stream', 'subscription']
    const client_capabilities = { archived_channels: true }
    const old = await server.as('member').watchWith({ event_types })
    const modern = await server.as('member').watchWith({ event_types, client_capabilities })
    await change('admin', ['attic'])
    await leave('member', ['attic'])
    assert.deepEqual(await old.drain(), [])
    assert.deepEqual((await modern.drain()).map(brief), [
      ['subscription/peer_add', [id], [ids.admin]],
      ['subscription/remove', ['attic']],
    ])
  })
})

test('nothing changes and nobody hears of a subscription that was there already', async () => {
  const events = await heard(['member', 'outsider'], () => change('member', ['Verona']))
  assert.deepEqual(events, { member: [], outsider: [] })
  const gone = await heard(['member', 'outsider'], () => leave('outsider', ['Rome']))
  assert.deepEqual(gone, { member: [], outsider: [] })
})

test('what was unread in a channel is read for those who leave it', async () => {
  await change('member', ['gossip'], { principals: [ids.member, ids.outsider] })
  const id = await idOf('gossip')
  const sent: number[] = []
  for (let i = 0; i < 3; i++) {
    const message = { type: 'channel', to: id, topic: 'x', content: 'Psst!' }
    const reply = await server.as('member').post<{ id: number }>('/messages', message)
    assert.equal(reply.result, 'success', reply.msg)
    sent.push(reply.id)
  }
  const events = await heard(['outsider'], () => leave('outsider', ['gossip']))
  assert.deepEqual(events, {
    outsider: [
      ['update_message_flags', sent],
      ['subscription/remove', ['gossip']],
    ],
  })
})

describe('who is subscribed', () => {
  interface Subscribed {
    name: string
    subscribers?: number[]
    partial_subscribers?: number[]
  }
  const all = [ids.outsider, ids.zoe, ids.cordelia, ids.owner, ids.member, ids.admin, ids.othello]
    .concat([ids.guest, ids.prospero, ids.moderator])
    .sort((a, b) => a - b)

  async function state(include: unknown) {
    const asked = { fetch_event_types: ['subscription'], include_subscribers: include }
    const { state } = await server.as('member').watchWith(asked)
    return state as unknown as Record<
      'subscriptions' | 'unsubscribed' | 'never_subscribed',
      Subscribed[]
    >
  }
  const named = (list: Subscribed[], name: string) => list.find((channel) => channel.name === name)

  test('is registered when the client asks for it', async () => {
    await change('member', ['Scotland'])
    await leave('member', ['Scotland'])
    const { subscriptions, unsubscribed, never_subscribed } = await state(true)
    assert.deepEqual(named(subscriptions, 'Verona')?.subscribers, all)
    const scots = [ids.zoe, ids.admin, ids.othello, ids.prospero, ids.moderator]
    assert.deepEqual(named(unsubscribed, 'Scotland')?.subscribers, scots)
    assert.deepEqual(named(never_subscribed, 'Rome')?.subscribers, [ids.zoe])
  })

  test('is not registered otherwise', async () => {
    const lists = Object.values(await state(false)).filter((list) => Array.isArray(list))
    const keys = lists.flat().flatMap((channel) => Object.keys(channel))
    assert.equal(keys.includes('subscribers'), false)
    assert.equal(keys.includes('partial_subscribers'), false)
  })

  test('may be cut short for many, if the client allows it', async () => {
    const people: number[] = []
    await store.write((tx) => {
      for (let i = 0; i < 250; i++) {
        const email = `reader${i}@example.com`
        people.push(createUser(tx, { email, fullName: `Reader ${i}`, role: 400 }).id)
      }
    })
    const principals = [...people, ids.member, ids.bot, ids.cordelia]
    const partial = await server.as('cordelia').watchWith({
      event_types: ['subscription'],
      include_subscribers: 'partial',
    })
    await change('member', ['readers'], { principals })
    await server.as('outsider').post('/users/me/presence', { status: 'active' })
    await server.as('member').post('/users/me/presence', { status: 'active' })
    // So many are subscribed in several parts: other subscribers may come first.
    const events = (await partial.drain()) as unknown as { subscriptions?: Subscribed[] }[]
    const added = events.flatMap(({ subscriptions = [] }) => subscriptions)
    assert.deepEqual(
      added.map(({ partial_subscribers }) => partial_subscribers),
      // Those who were there within the last days, and programs.
      [[ids.cordelia, ids.member, ids.bot]],
    )
    const lists = await state('partial')
    const readers = named(lists.subscriptions, 'readers')
    assert.deepEqual(readers?.partial_subscribers, [ids.cordelia, ids.member, ids.bot])
    assert.equal(readers?.subscribers, undefined)
    assert.deepEqual(named(lists.subscriptions, 'Verona')?.subscribers, all)
  })

  test('is told to new subscribers as their client asked for it', async () => {
    const principals = [ids.outsider, ids.cordelia]
    const event_types = ['subscription']
    const asked = { event_types, include_subscribers: true }
    const full = await server.as('outsider').watchWith(asked)
    const short = await server.as('outsider').watchWith({ event_types })
    await change('member', ['circle'], { principals })
    const subscribers = async (queue: typeof full) => {
      const events = (await queue.drain()) as unknown as { subscriptions: Subscribed[] }[]
      return events.map(({ subscriptions }) => subscriptions[0]?.subscribers)
    }
    assert.deepEqual(await subscribers(full), [[ids.outsider, ids.cordelia]])
    assert.deepEqual(await subscribers(short), [undefined])
  })
})

describe('personal properties', () => {
  const update = (stream_id: number, property: string, value: unknown) => ({
    type: 'subscription',
    op: 'update',
    stream_id,
    property,
    value,
  })
  const properties = (changes: unknown) =>
    server.as('member').post('/users/me/subscriptions/properties', { subscription_data: changes })
  const mine = async (id: number) => {
    const { subscriptions } = await server
      .as('member')
      .get<{ subscriptions: Record<string, unknown>[] }>('/users/me/subscriptions')
    return subscriptions.find(({ stream_id }) => stream_id === id)
  }

  // biome-ignore format: a matrix reads best in columns
  const cases: [string, unknown, [string, unknown][]][] = [
    ['color', '#a1b2c3', [['color', '#a1b2c3']]],
    ['color', '#ABCDEF', [['color', '#abcdef']]],
    ['color', '#FaC', [['color', '#ffaacc']]],
    ['is_muted', true, [['is_muted', true], ['in_home_view', false]]],
    ['in_home_view', true, [['is_muted', false], ['in_home_view', true]]],
    ['pin_to_top', true, [['pin_to_top', true]]],
    ['desktop_notifications', false, [['desktop_notifications', false]]],
    ['audible_notifications', true, [['audible_notifications', true]]],
    ['push_notifications', true, [['push_notifications', true]]],
    ['email_notifications', false, [['email_notifications', false]]],
    ['wildcard_mentions_notify', false, [['wildcard_mentions_notify', false]]],
  ]
  for (const [property, value, changed] of cases) {
    test(`${property} becomes ${value}, for this user alone`, async () => {
      const member = await server.as('member').watch('subscription')
      const outsider = await server.as('outsider').watch('subscription')
      assert.deepEqual(await properties([{ stream_id: 3, property, value }]), success)
      const events = changed.map(([name, now]) => update(3, name, now))
      assert.deepEqual(await member.drain(), events)
      assert.deepEqual(await outsider.drain(), [])
      const subscription = await mine(3)
      for (const [name, now] of changed) assert.equal(subscription?.[name], now)
    })
  }

  test('one at a time has an endpoint of its own', async () => {
    const queue = await server.as('member').watch('subscription')
    const path = '/users/me/subscriptions/3'
    const patch = (property: string, value: string) =>
      server.as('member').patch(path, { property, value })
    assert.deepEqual(await patch('pin_to_top', 'false'), success)
    assert.deepEqual(await patch('color', '#abc'), success)
    assert.deepEqual(await patch('color', '"#abcdef"'), success)
    assert.deepEqual(await queue.drain(), [
      update(3, 'pin_to_top', false),
      update(3, 'color', '#aabbcc'),
      update(3, 'color', '#abcdef'),
    ])
  })

  test('survive leaving and coming back', async () => {
    await properties([{ stream_id: 4, property: 'color', value: '#010203' }])
    await leave('member', ['Denmark'])
    await change('member', ['Denmark'])
    assert.equal((await mine(4))?.color, '#010203')
  })

  const good = { stream_id: 3, property: 'pin_to_top', value: true }
  // biome-ignore format: a matrix reads best in columns
  const bad: [unknown, string][] = [
    [{ stream_id: 5, property: 'is_muted', value: true }, 'Not subscribed to channel id 5'],
    [{ stream_id: 999, property: 'is_muted', value: true }, 'Not subscribed to channel id 999'],
    [{ stream_id: -1, property: 'is_muted', value: true }, 'Not subscribed to channel id -1'],
    [{ stream_id: 3, property: 'volume', value: true }, 'Unknown subscription property: volume'],
    [{ stream_id: 3, property: '__proto__', value: true }, 'Unknown subscription property: __proto__'],
    [{ stream_id: 3, property: 'color', value: 'red' }, 'color is not a valid hex color code'],
    [{ stream_id: 3, property: 'color', value: '#ab' }, 'color is not a valid hex color code'],
    [{ stream_id: 3, property: 'color', value: true }, 'color is not a valid hex color code'],
    [{ stream_id: 3, property: 'is_muted', value: 'yes' }, 'is_muted is not a boolean'],
    [{ stream_id: 3, property: 'is_muted', value: 1 }, 'subscription_data[1]["value"] is not a boolean or a string'],
    [{ stream_id: 3, property: 'is_muted', value: null }, 'subscription_data[1]["value"] is not a boolean or a string'],
    [{ stream_id: 'x', property: 'is_muted', value: true }, 'subscription_data[1]["stream_id"] is not an integer'],
  ]
  for (const [change, message] of bad) {
    test(`change all together or not at all: ${JSON.stringify(change)}`, async () => {
      const queue = await server.as('member').watch('subscription')
      const before = await mine(3)
      assert.deepEqual(
        await properties([{ ...good, value: !before?.pin_to_top }, change]),
        failure(message),
      )
      assert.deepEqual(await mine(3), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }
})

test('whether someone is subscribed, is told to those who know of both', async () => {
  const status = (actor: Actor, user: number, channel: number) =>
    server.as(actor).get(`/users/${user}/subscriptions/${channel}`)
  const yes = { ...success, is_subscribed: true }
  const no = { ...success, is_subscribed: false }
  assert.deepEqual(await status('outsider', ids.zoe, 5), yes)
  assert.deepEqual(await status('outsider', ids.member, 5), no)
  assert.deepEqual(await status('member', ids.owner, 8), yes)
  assert.deepEqual(await status('outsider', ids.owner, 8), failure('Invalid channel ID'))
  assert.deepEqual(await status('outsider', 999, 5), failure('No such user'))
})
