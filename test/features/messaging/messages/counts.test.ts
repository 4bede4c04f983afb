import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { iconCount } from '#client/notices/counts.ts'
import { badgeCount } from '#features/notifications/push/badge.rules.ts'
import { type Follower, follow } from '#test/client/state/support.ts'
import { createRandom } from '#test/support/drawing.ts'
import { success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Client, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { channels, ids } = server
const { store } = server.server.context

type Terms = readonly (readonly [operator: string, operand: string | number, negated?: boolean])[]
const whole = { anchor: 'newest', num_before: 2000, num_after: 0 }
/** The anchor of a narrow in which all is read. */
const end = 10_000_000_000_000_000

const narrowOf = (terms: Terms) =>
  terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated }))

async function idsIn(client: Client, terms: Terms): Promise<number[]> {
  const reply = await client.get<{ messages: { id: number }[] }>('/messages', {
    ...whole,
    narrow: narrowOf(terms),
  })
  return reply.messages.map(({ id }) => id)
}

const unreadTerm = ['is', 'unread'] as const
const loudTerm = ['is', 'muted', true] as const

async function firstUnread(client: Client, terms: Terms) {
  const params = { anchor: 'first_unread', num_before: 1, num_after: 1, narrow: narrowOf(terms) }
  const { anchor, found_anchor } = await client.get('/messages', params)
  return { anchor, found_anchor }
}

async function registered(client: Client) {
  const { state } = await client.watchWith({
    fetch_event_types: ['message', 'update_message_flags'],
  })
  return state.unread_msgs as { count: number; mentions: number[] }
}

async function setPolicy(actor: Actor, topic: string, policy: number, channelId = channels.public) {
  const params = { stream_id: channelId, topic, visibility_policy: policy }
  assert.deepEqual(await server.as(actor).post('/user_topics', params), success)
}

async function muteChannel(actor: Actor, channelId: number, value: boolean): Promise<void> {
  const subscription_data = [{ stream_id: channelId, property: 'is_muted', value }]
  const params = { subscription_data }
  await server.as(actor).post('/users/me/subscriptions/properties', params)
}

/** Every way to ask what counts for someone agrees with the lists of messages. */
async function compare(follower: Follower, what: string): Promise<void> {
  const { client } = follower
  const unread = await idsIn(client, [unreadTerm])
  const loud = await idsIn(client, [unreadTerm, loudTerm])
  const mentioned = await idsIn(client, [unreadTerm, ['is', 'mentioned']])
  const reply = await client.get<{ messages: { id: number; flags: string[] }[] }>('/messages', {
    message_ids: mentioned,
  })
  const personal = reply.messages.filter(({ flags }) => flags.includes('mentioned'))
  const isPersonal = new Set(personal.map(({ id }) => id))
  const mentions = mentioned.filter((id) => isPersonal.has(id) || loud.includes(id))
  const state = await registered(client)
  assert.deepEqual(
    { count: state.count, mentions: state.mentions },
    { count: loud.length, mentions },
    what,
  )
  const anchor = await firstUnread(client, [])
  const found = loud.length > 0
  assert.deepEqual(anchor, { anchor: loud[0] ?? end, found_anchor: found }, what)
  const directs = await idsIn(client, [unreadTerm, ['is', 'dm']])
  const followed = await idsIn(client, [unreadTerm, ['is', 'followed']])
  const shown = [
    loud,
    new Set([...directs, ...followed, ...mentions]),
    new Set([...directs, ...mentions]),
  ].map((all) => [...all].length)
  await follower.catchUp()
  for (const [i, expected] of shown.entries()) {
    const setting = { desktop_icon_count_display: i + 1 }
    await client.patch('/settings', setting)
    await follower.catchUp()
    assert.equal(badgeCount(store, client.id), expected, `badge ${i + 1} ${what}`)
    assert.equal(iconCount(follower.store), expected, `icon ${i + 1} ${what}`)
  }
  const { unreads } = follower.store
  assert.equal(unreads.counts.value.total, loud.length, what)
  assert.deepEqual(
    [...unreads.mentions.value].sort((a, b) => a - b),
    mentions,
    what,
  )
  assert.equal(
    unreads.conversations.value.reduce((sum, { count }) => sum + count, 0),
    unread.length,
    what,
  )
}

test('after random histories every count of every person is the number of messages that it stands for', async () => {
  const random = createRandom(40)
  const below = (limit: number) => Math.floor(random() * limit)
  const one = <T>(from: readonly T[]) => from[below(from.length)] as T
  const people = ['member', 'othello', 'zoe'] as const
  const places = ['public', 'shared'] as const
  const topics = ['a', 'b', 'B', '✔ a', '']
  const group = { name: 'counted', description: '', members: [ids.member, ids.zoe] }
  assert.equal((await server.as('owner').post('/user_groups/create', group)).result, 'success')
  const subscriptions = [{ name: 'Denmark' }, { name: 'Verona' }]
  const contents = () =>
    one([
      'Hello.',
      '@**all**',
      '@**topic**',
      '@*counted*',
      `@**|${ids[one(people)]}**`,
      '@_**all**',
    ])
  const followers: Follower[] = []
  for (const name of people) {
    await server.as(name).post('/users/me/subscriptions', { subscriptions })
    await server.as(name).post('/mark_all_as_read')
    followers.push(await follow(server, server.as(name)))
  }
  const sent: number[] = []
  const say = async () => {
    const actor = one([...people, 'owner'] as const)
    const isDirect = below(5) === 0
    const to = isDirect ? [one(people)] : one(places)
    sent.push(await server.say(actor, to, isDirect ? undefined : one(topics), contents()))
  }
  const flag = () => {
    const messages = [one(sent), one(sent), 999_999]
    const params = { messages, op: one(['add', 'remove']), flag: 'read' }
    return server.as(one(people)).post('/messages/flags', params)
  }
  const change = (params: CallParams) => server.as('owner').patch(`/messages/${one(sent)}`, params)
  const acts: (() => Promise<unknown>)[] = [
    say,
    say,
    say,
    flag,
    flag,
    () => setPolicy(one(people), one(topics), below(4), channels[one(places)]),
    () => setPolicy(one(people), one(topics), below(4), channels[one(places)]),
    () => muteChannel(one(people), channels[one(places)], below(2) === 1),
    () =>
      change({
        topic: one(topics),
        propagate_mode: one(['change_one', 'change_later', 'change_all']),
      }),
    () => change({ content: contents() }),
    () => server.as('owner').del(`/messages/${one(sent)}`),
  ]
  await say()
  for (let step = 1; step <= 300; step++) {
    await one(acts)()
    if (step % 10 > 0) continue
    for (const follower of followers)
      await compare(follower, `for ${follower.client.id} after ${step}`)
  }
})

describe('a mention by a wildcard', () => {
  for (const [name, wildcard] of [
    ['all', '@**all**'],
    ['topic', '@**topic**'],
  ] as const) {
    test(`of ${name} counts only where nothing is muted, also for who marks it as unread`, async () => {
      await server.as('cordelia').post('/users/me/subscriptions', {
        subscriptions: [{ name: 'Denmark' }],
      })
      const topic = `wild ${name}`
      await server.say('cordelia', 'public', topic)
      const id = await server.say('owner', 'public', topic, wildcard)
      const named = await server.say('owner', 'public', topic, `@**|${ids.cordelia}**`)
      const places: [policy: number, isChannelMuted: boolean, counts: boolean][] = [
        [0, false, true],
        [1, false, false],
        [2, false, true],
        [3, false, true],
        [0, true, false],
        [1, true, false],
        [2, true, true],
        [3, true, true],
      ]
      for (const [policy, isMuted, counts] of places) {
        await setPolicy('cordelia', topic, policy)
        await muteChannel('cordelia', channels.public, isMuted)
        const { mentions } = await registered(server.as('cordelia'))
        assert.deepEqual([mentions.includes(id), mentions.includes(named)], [counts, true])
        const messages = [id, named]
        await server.as('cordelia').post('/messages/flags', { messages, op: 'add', flag: 'read' })
        const queue = await server.as('cordelia').watch('update_message_flags')
        await server
          .as('cordelia')
          .post('/messages/flags', { messages, op: 'remove', flag: 'read' })
        const [event] = (await queue.drain()) as unknown as [
          { message_details: Record<number, { mentioned?: true }> },
        ]
        assert.equal(event.message_details[id]?.mentioned, counts ? true : undefined)
        assert.equal(event.message_details[named]?.mentioned, true)
      }
      await muteChannel('cordelia', channels.public, false)
    })
  }

  test('of a channel does not count for who joined later and marked it as unread', async () => {
    const id = await server.say('owner', 'shared', 'before', '@**all**')
    const late = await server.enroll('Late Comer')
    await late.post('/users/me/subscriptions', { subscriptions: [{ name: 'Verona' }] })
    await late.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
    const unread = await idsIn(late, [unreadTerm, ['channel', channels.shared]])
    assert.deepEqual([unread, (await registered(late)).mentions], [[id], []])
    assert.deepEqual(await idsIn(late, [unreadTerm, ['is', 'mentioned']]), [])
  })
})

interface AnchoredPage {
  messages: { id: number }[]
  anchor: number
  found_anchor: boolean
  found_newest: boolean
}

describe('the first unread message', () => {
  test('is past all messages when everything is read, as terminal clients ask it', async () => {
    await server.as('member').post('/mark_all_as_read')
    const newest = (await idsIn(server.as('member'), [])).at(-1)
    const range = { num_before: 30, num_after: 10, narrow: [] }
    const asked: [CallParams, unknown, boolean][] = [
      [{ anchor: 0, use_first_unread_anchor: true }, end, false],
      [{ anchor: 'first_unread' }, end, false],
      [{ anchor: 'newest' }, newest, true],
      [{ anchor: end }, end, false],
    ]
    for (const [anchor, expected, isFound] of asked) {
      const reply = await server
        .as('member')
        .get<AnchoredPage>('/messages', { ...range, ...anchor })
      assert.deepEqual([reply.anchor, reply.found_anchor], [expected, isFound])
      assert.equal(reply.messages.at(-1)?.id, newest)
      assert.equal(reply.found_newest, true)
    }
  })

  test('is none of a muted topic or channel, unless the narrow names it', async () => {
    await server.as('member').post('/mark_all_as_read')
    const client = server.as('member')
    const channel = ['channel', channels.public] as const
    const quiet = await server.say('owner', 'public', 'quiet')
    const loud = await server.say('owner', 'public', 'loud')
    const elsewhere = await server.say('owner', 'shared', 'elsewhere')
    const found = (anchor: number) => ({ anchor, found_anchor: anchor !== end })
    await setPolicy('member', 'quiet', 1)
    await setPolicy('member', 'loud', 0)
    await muteChannel('member', channels.public, false)
    await muteChannel('member', channels.shared, false)
    assert.deepEqual(await firstUnread(client, []), found(loud))
    assert.deepEqual(await firstUnread(client, [channel]), found(loud))
    assert.deepEqual(await firstUnread(client, [channel, ['topic', 'quiet']]), found(quiet))
    assert.deepEqual(await firstUnread(client, [['is', 'muted']]), found(quiet))
    await muteChannel('member', channels.public, true)
    assert.deepEqual(await firstUnread(client, []), found(elsewhere))
    assert.deepEqual(await firstUnread(client, [channel]), found(loud))
    assert.deepEqual(await firstUnread(client, [['sender', ids.owner]]), found(elsewhere))
    await setPolicy('member', 'loud', 3)
    assert.deepEqual(await firstUnread(client, []), found(loud))
    await muteChannel('member', channels.public, false)
  })
})
