import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { inboxOf } from '#client/lists/inbox.ts'
import { createListCache } from '#client/lists/list-cache.ts'
import { createPeopleModel, type PeopleGroup, presenceOf } from '#client/lists/people.ts'
import { fetchRecent, recentDefaults, recentOf } from '#client/lists/recent.ts'
import { sidebarChannels, sidebarDirects, sidebarViews } from '#client/lists/sidebar.ts'
import { learnTopics, shortTopicsOf, topicsOf } from '#client/lists/topics.ts'
import { neighbourChannel } from '#client/lists/unread-order.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { goOnline } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids, channels } = server
const member = server.as('member')

const setChannel = (stream_id: number, property: string, value: boolean) =>
  member.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id, property, value }],
  })
const setTopic = (topic: string, visibility_policy: number) =>
  member.post('/user_topics', { stream_id: channels.public, topic, visibility_policy })

const support = 14
const devel = 11
await server.say('owner', 'public', 'plans')
await server.say('owner', 'public', 'plans')
await server.say('owner', 'public', 'noise')
await server.say('owner', 'public', '✔ done', '@**King Hamlet** look')
await server.say('owner', 'shared', 'chatter')
const inDevel = await server.as('owner').post<{ id: number }>('/messages', {
  type: 'channel',
  to: devel,
  topic: '',
  content: 'Hello.',
})
assert.equal(inDevel.result, 'success')
await server.say('zoe', ['member'])
await server.say('othello', ['member', 'zoe'])
const mine = await server.say('member', 'public', 'mine')
await member.post('/messages/flags', { messages: [mine], op: 'add', flag: 'read' })
await setTopic('noise', 1)
await setChannel(channels.shared, 'is_muted', true)
await setChannel(support, 'pin_to_top', true)

describe('the inbox', () => {
  test('has what counts by section, without what is muted', async () => {
    const { store } = await goOnline(server, 'member')
    const inbox = inboxOf(store)
    assert.deepEqual(
      inbox.direct.map(({ name, count }) => [name, count]),
      [
        ['Zoe, Othello, the Moor of Venice', 1],
        ['Zoe', 1],
      ],
    )
    assert.deepEqual(
      inbox.sections.map(({ key, folder, count, channels }) => ({
        key,
        folder: folder?.name,
        count,
        channels: channels.map(({ channel, topics }) => [
          channel.name,
          topics.map(({ name, count, hasMention }) => `${name} ${count}${hasMention ? ' @' : ''}`),
        ]),
      })),
      [
        {
          key: 'folder:1',
          folder: 'Engineering',
          count: 1,
          channels: [['devel', ['general chat 1']]],
        },
        {
          key: 'other',
          folder: undefined,
          count: 3,
          channels: [['Denmark', ['✔ done 1 @', 'plans 2']]],
        },
      ],
    )
  })

  test('has muted channels with a mention at the end', async () => {
    const mention = await server.say('owner', 'shared', 'call', '@**King Hamlet** look')
    const { store } = await goOnline(server, 'member')
    const last = inboxOf(store).sections.at(-1)
    assert.deepEqual([last?.key, last?.channels[0]?.topics[0]?.newestId], ['muted', mention])
    await server.as('owner').del(`/messages/${mention}`)
  })

  test('is filtered by topics, channels and people', async () => {
    const { store } = await goOnline(server, 'member')
    const found = (filter: string) => {
      const { direct, sections, isFilteredOut } = inboxOf(store, filter)
      const topics = sections.flatMap(({ channels }) => channels.flatMap((each) => each.topics))
      return [...[...direct, ...topics].map(({ name }) => name), ...(isFilteredOut ? ['none'] : [])]
    }
    assert.deepEqual(found('plan'), ['plans'])
    assert.deepEqual(found('denm'), ['✔ done', 'plans'])
    assert.deepEqual(found('othello'), ['Zoe, Othello, the Moor of Venice'])
    assert.deepEqual(found('nothing'), ['none'])
  })
})

test('recent conversations are those of the newest messages, by the options', async () => {
  const online = await goOnline(server, 'member')
  assert.equal(await fetchRecent(online), undefined)
  const names = (options: Partial<typeof recentDefaults> = {}) =>
    recentOf(online.store, { ...recentDefaults, ...options }).map(({ name }) => name)
  assert.deepEqual(names(), [
    'mine',
    'Zoe, Othello, the Moor of Venice',
    'Zoe',
    'general chat',
    '✔ done',
    'plans',
  ])
  assert.deepEqual(names({ kinds: 'topics', onlyParticipated: true }), ['mine'])
  assert.deepEqual(names({ kinds: 'direct' }), ['Zoe, Othello, the Moor of Venice', 'Zoe'])
  assert.deepEqual(names({ kinds: 'topics', onlyUnread: true }), [
    'general chat',
    '✔ done',
    'plans',
  ])
  assert.equal(names({ includesMuted: true }).length, 8)
  assert.deepEqual(names({ filter: 'denmark pl' }), ['plans'])
})

describe('the side bar', () => {
  test('has channels by section, with muted and quiet ones behind more', async () => {
    const { store } = await goOnline(server, 'member')
    const sections = sidebarChannels(store)
    assert.deepEqual(
      sections.map(({ key }) => key),
      ['pinned', 'folder:1', 'folder:2', 'other'],
    )
    const other = sections.at(-1)
    const denmark = other?.channels.find(({ channel }) => channel.id === channels.public)
    assert.deepEqual(
      [denmark?.count, denmark?.hasMention, (denmark?.mutedCount ?? 0) > 0, denmark?.showsCount],
      [3, true, true, true],
    )
    assert.deepEqual(
      other?.lesser.map(({ channel }) => channel.name),
      ['Verona'],
    )
    const filtered = sidebarChannels(store, 'veron')
    assert.deepEqual(
      filtered.flatMap((section) => section.channels.map(({ channel }) => channel.name)),
      ['Verona'],
    )
  })

  test('has mentions and unread channels first where there are many, which stay until one goes elsewhere', async () => {
    const many = await startServer()
    after(many.close)
    const names = Array.from({ length: 40 }, (_, at) => `many ${String(at).padStart(2, '0')}`)
    const created = new Map<string, number>()
    for (const name of names) {
      const { id } = await many.as('owner').post<{ id: number }>('/channels/create', {
        name,
        subscribers: [many.ids.member, many.ids.owner],
      })
      created.set(name, id)
    }
    const say = (at: number, content: string) =>
      many.as('owner').post('/messages', { type: 'channel', to: names[at], topic: 'a', content })
    await say(20, 'Hello')
    await say(30, '@**King Hamlet** look')
    const { store } = await goOnline(many, 'member')
    const first = (lately?: ReadonlySet<number>) =>
      sidebarChannels(store, '', lately)
        .flatMap((section) => section.channels.map(({ channel }) => channel.name))
        .filter((name) => name.startsWith('many'))
        .slice(0, 4)
    assert.deepEqual(first(), ['many 30', 'many 20', 'many 00', 'many 01'])
    assert.deepEqual(first(new Set([created.get('many 10') ?? 0])), [
      'many 30',
      'many 10',
      'many 20',
      'many 00',
    ])
  })

  test('has topics with unread messages first, then the newest, a few at first', async () => {
    const online = await goOnline(server, 'member')
    const answer = learnTopics(online, channels.public)
    assert.equal(learnTopics(online, channels.public), answer, 'asked twice')
    await answer
    const all = topicsOf(online.store, channels.public)
    assert.deepEqual(
      all.map(({ name, isResolved, count }) => [name, isResolved, count]),
      [
        ['mine', false, 0],
        ['done', true, 1],
        ['plans', false, 2],
        ['noise', false, 1],
      ],
    )
    const resolved = topicsOf(online.store, channels.public, { state: 'resolved' })
    assert.deepEqual(
      resolved.map(({ name }) => name),
      ['done'],
    )
    const short = shortTopicsOf(online.store, channels.public, undefined)
    assert.deepEqual(
      [short.topics.map(({ name }) => name), short.more, short.moreUnread],
      [['done', 'plans', 'mine'], 1, 0],
    )
    const noise = all.at(-1)?.conversation
    const open = shortTopicsOf(online.store, channels.public, noise)
    assert.deepEqual([open.topics.at(-1)?.name, open.more], ['noise', 0])
  })

  test('has direct conversations, unread ones first, and the one that is open', async () => {
    const { store } = await goOnline(server, 'member')
    const current = { kind: 'direct', userIds: [ids.cordelia] } as const
    const { directs, more } = sidebarDirects(store, { current })
    assert.deepEqual(
      directs.map(({ name, count }) => [name, count]),
      [
        ['Zoe, Othello, the Moor of Venice', 1],
        ['Zoe', 1],
        ["Cordelia, Lear's daughter", 0],
      ],
    )
    assert.equal(more, 0)
  })

  test('has a few of many unread direct conversations, and says how many more there are', async () => {
    const hold = await startServer()
    for (const sender of ['owner', 'admin', 'moderator', 'othello', 'cordelia', 'zoe'] as const) {
      await hold.say(sender, ['member'])
    }
    for (const other of ['owner', 'admin', 'moderator', 'cordelia', 'zoe'] as const) {
      await hold.say('othello', ['member', other])
    }
    const { store } = await goOnline(hold, 'member')
    const { directs, more } = sidebarDirects(store)
    assert.deepEqual([directs.length, more], [8, 3])
    assert.ok(directs.every(({ count }) => count === 1))
    const all = sidebarDirects(store, { showsAll: true })
    assert.deepEqual([all.directs.length, all.more], [11, 0])
    await hold.close()
  })

  test('has the views with what is unread or there, and those that the user saved', async () => {
    await member.post('/navigation_views', {
      fragment: 'narrow/is/alerted',
      is_pinned: true,
      name: 'Alerts',
    })
    await member.post('/navigation_views', { fragment: 'recent', is_pinned: false })
    const { store } = await goOnline(server, 'member')
    const views = sidebarViews(store, 2)
    const view = (fragment: string) => views.find((each) => each.fragment === fragment)
    assert.equal(view('inbox')?.count, 6)
    assert.equal(view('narrow/is/mentioned')?.count, 1)
    assert.equal(view('drafts')?.count, 2)
    assert.equal(view('recent')?.isPinned, false)
    assert.equal(view('narrow/is/alerted')?.name, 'Alerts')
    assert.equal(view('narrow/is/alerted')?.view.kind, 'messages')
  })
})

test('people are listed by presence and name: who wrote in the topic, the channel, and others', async () => {
  await server.as('zoe').post('/users/me/presence', { status: 'active' })
  await server.as('othello').post('/users/me/presence', { status: 'idle' })
  const { store } = await goOnline(server, 'member')
  const now = server.clock.now() / 1000
  assert.equal(presenceOf(ids.zoe, store, now), 'active')
  assert.equal(presenceOf(ids.othello, store, now), 'idle')
  assert.equal(presenceOf(ids.zoe, store, now + 1000), 'offline')
  const people = createPeopleModel(store)
  const narrow: Narrow = { kind: 'channel', channelId: channels.private }
  const list = people.list({ now, narrow })
  const names = (group: PeopleGroup) => group.people.map(({ user }) => user.name)
  assert.deepEqual(names(list.here), [])
  assert.deepEqual(
    list.inChannel.people.map(({ user, isSelf }) => [user.name, isSelf]),
    [
      ['King Hamlet', true],
      ['Desdemona', false],
      ['Iago', false],
    ],
  )
  const topic: Narrow = { kind: 'topic', channelId: channels.private, topic: 'plans' }
  const writers = new Set([ids.admin, ids.othello])
  const inTopic = people.list({ now, narrow: topic, writers })
  assert.deepEqual(names(inTopic.here), ['Othello, the Moor of Venice', 'Iago'])
  assert.deepEqual(names(inTopic.inChannel), ['King Hamlet', 'Desdemona'])
  const direct = people.list({ now, narrow: { kind: 'direct', userIds: [ids.zoe] } })
  assert.deepEqual(names(direct.here), ['King Hamlet', 'Zoe'])
  assert.deepEqual(
    list.others.people.slice(0, 3).map(({ user, presence }) => [user.name, presence]),
    [
      ['Zoe', 'active'],
      ['Othello, the Moor of Venice', 'idle'],
      ['aaron', 'offline'],
    ],
  )
  const filtered = people.list({ now, filter: 'the', limit: 1 })
  assert.deepEqual([filtered.others.people.length, filtered.others.total], [1, 2])
})

test('lists that were used last are kept and stay up to date; others are closed', async () => {
  const online = await goOnline(server, 'member')
  const cache = createListCache(online, [], 2)
  const narrow = (topic: string): Narrow => ({ kind: 'topic', channelId: channels.public, topic })
  const first = cache.open(narrow('plans'))
  await first.open({ at: 'newest' })
  const second = cache.open(narrow('noise'))
  assert.equal(cache.open(narrow('PLANS')), first)
  cache.open(narrow('mine'))
  assert.equal(cache.peek(narrow('noise')), undefined)
  assert.notEqual(cache.open(narrow('noise')), second)
  const before = first.ids.value.length
  await server.say('owner', 'public', 'plans')
  await online.poll()
  // It was closed by now: two others were used since.
  assert.equal(cache.peek(narrow('plans')), undefined)
  assert.equal(first.ids.value.length, before)
  const kept = cache.open(narrow('plans'))
  await kept.open({ at: 'newest' })
  assert.equal(kept.ids.value.length, before + 1)
  cache.close()
})

test('the keys to the next and the previous channel follow the order of the side bar', async () => {
  const { store } = await goOnline(server, 'member')
  const order = sidebarChannels(store).flatMap(({ channels, lesser }) =>
    [...channels, ...lesser].map(({ channel }) => channel.id),
  )
  assert.equal(order[0], support)
  const after = order.map((channelId) =>
    neighbourChannel(store, { kind: 'messages', narrow: { kind: 'channel', channelId } }, 1),
  )
  assert.deepEqual(after, [...order.slice(1), order[0]])
})
