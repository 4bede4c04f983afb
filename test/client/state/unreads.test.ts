import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { computed, signal } from '@preact/signals-core'
import { directConversation, topicConversation } from '#client/state/from-wire.ts'
import type { Subscription, TopicPolicy, VisibilityPolicy } from '#client/state/model.ts'
import { Table } from '#client/state/table.ts'
import { type MutingRules, UnreadModel } from '#client/state/unreads.ts'
import { startServer } from '#test/support/server.ts'
import { follow } from './support.ts'

const server = await startServer()
after(server.close)

const nothing = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  old_unreads_missing: false,
}
const subscription = (channelId: number, isMuted: boolean): Subscription => ({
  channelId,
  color: '#000000',
  isMuted,
  isPinned: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
})

const topicPolicy = (channelId: number, topic: string, policy: VisibilityPolicy): TopicPolicy => ({
  channelId,
  topic,
  policy,
  changedAt: 0,
})

function model() {
  const rules = {
    subscriptions: new Table([
      [1, subscription(1, false)],
      [2, subscription(2, true)],
    ]),
    topicPolicies: new Table<string, TopicPolicy>(),
    mutedUsers: signal<ReadonlySet<number>>(new Set()),
  } satisfies MutingRules
  return { rules, unreads: new UnreadModel(rules) }
}

describe('which unread messages count', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [channel: number, policy: VisibilityPolicy, counted: number][] = [
    [1, 0, 1], [1, 1, 0], [1, 2, 1], [1, 3, 1],
    [2, 0, 0], [2, 1, 0], [2, 2, 1], [2, 3, 1],
    [3, 0, 0], [3, 2, 0],
  ]
  const channels = ['', 'a channel', 'a muted channel', 'a channel that was left']
  const policies = ['', 'muted ', 'unmuted ', 'followed ']
  for (const [channel, policy, counted] of matrix) {
    const verb = counted ? 'counts' : 'does not count'
    test(`a ${policies[policy]}topic of ${channels[channel]} ${verb}`, () => {
      const { rules, unreads } = model()
      unreads.add(topicConversation(channel, 'Plans'), [1])
      if (policy > 0)
        rules.topicPolicies.set(`${channel}:plans`, topicPolicy(channel, 'Plans', policy))
      assert.equal(unreads.counts.value.total, counted)
      assert.equal(unreads.countOf(topicConversation(channel, 'plans')), 1)
    })
  }

  test('direct messages count, but for those with someone muted alone', () => {
    const { rules, unreads } = model()
    unreads.add(directConversation([5], 9), [1, 2])
    unreads.add(directConversation([5, 6], 9), [3])
    assert.equal(unreads.counts.value.direct, 3)
    rules.mutedUsers.value = new Set([5])
    assert.equal(unreads.counts.value.direct, 1)
  })

  test('counts follow when a channel or a topic is muted', () => {
    const { rules, unreads } = model()
    unreads.add(topicConversation(1, 'a'), [1, 2])
    unreads.add(topicConversation(1, 'b'), [3])
    assert.deepEqual([...unreads.counts.value.channels], [[1, 3]])
    rules.topicPolicies.set('1:a', topicPolicy(1, 'a', 1))
    assert.deepEqual([...unreads.counts.value.channels], [[1, 1]])
    rules.subscriptions.set(1, subscription(1, true))
    assert.deepEqual([...unreads.counts.value.channels], [])
  })
})

test('topics that differ in case only are one, whatever is added in whatever order', () => {
  const { unreads } = model()
  unreads.add(topicConversation(1, 'Plans'), [5, 3])
  unreads.add(topicConversation(1, 'plans'), [4, 5, 6])
  assert.deepEqual(unreads.idsOf(topicConversation(1, 'PLANS')), [3, 4, 5, 6])
  assert.equal(unreads.conversations.value.length, 1)
})

test('moving and reading take mentions along', () => {
  const { unreads } = model()
  const [a, b] = [topicConversation(1, 'a'), topicConversation(1, 'b')]
  unreads.add(a, [1, 2, 3])
  unreads.setMention([2], 'personal')
  unreads.move([2, 3, 99], b)
  assert.deepEqual(unreads.idsOf(a), [1])
  assert.deepEqual(unreads.idsOf(b), [2, 3])
  assert.deepEqual(unreads.find(2), b)
  const mentioned = () =>
    unreads.conversations.value.filter((one) => one.hasMention).map((one) => one.conversation)
  assert.deepEqual(mentioned(), [b])
  unreads.remove([2])
  assert.deepEqual(mentioned(), [])
  assert.equal(unreads.counts.value.mentions, 0)
})

test('who looks at one conversation is not woken by the others', () => {
  const { unreads } = model()
  let runs = 0
  const count = computed(() => {
    runs += 1
    return unreads.countOf(topicConversation(1, 'a'))
  })
  const stop = count.subscribe(() => {})
  for (let id = 1; id <= 100; id++) unreads.add(topicConversation(1, `other ${id}`), [id])
  assert.equal(runs, 1)
  unreads.add(topicConversation(1, 'a'), [200])
  assert.equal(runs, 2)
  stop()
})

test('reading everything ends that older ones are missing', () => {
  const { unreads } = model()
  unreads.reset({ ...nothing, old_unreads_missing: true }, 9)
  assert.equal(unreads.isIncomplete.value, true)
  unreads.add(topicConversation(1, 'a'), [1], 'personal')
  unreads.clear()
  assert.equal(unreads.isIncomplete.value, false)
  assert.deepEqual(unreads.counts.value, { total: 0, mentions: 0, direct: 0, channels: new Map() })
})

test('a message of someone who is muted does not count', async () => {
  const { store, catchUp } = await follow(server, server.as('member'))
  await server.as('member').post(`/users/me/muted_users/${server.ids.othello}`)
  await server.say('othello', 'public')
  await server.say('othello', ['member'])
  await catchUp()
  assert.equal(store.messages.current.size, 2)
  assert.equal(store.unreads.counts.value.total, 0)
})

test('recent conversations are sorted by their newest message, with who wrote there', async () => {
  const { store, catchUp } = await follow(server, server.as('member'))
  const { owner, admin, member } = server.ids
  await server.say('owner', 'public', 'one')
  await server.say('admin', 'public', 'two')
  const newest = await server.say('admin', 'public', 'ONE')
  await server.say('member', ['member'])
  await server.say('owner', ['member', 'admin'])
  await catchUp()
  const topics = store.recent.topicsOf(server.channels.public)
  assert.deepEqual(topics[0], {
    conversation: topicConversation(server.channels.public, 'ONE'),
    newestId: newest,
    senderIds: [admin, owner],
  })
  assert.equal(topics[1]?.conversation.kind === 'topic' && topics[1].conversation.topic, 'two')
  const direct = store.recent.direct.value.map(({ conversation }) => conversation)
  assert.deepEqual(direct[0], directConversation([owner, admin], member))
  assert.deepEqual(direct[1], { kind: 'direct', userIds: [member] })
  await server.as('admin').del(`/messages/${newest}`)
  await catchUp()
  assert.notEqual(store.recent.topicsOf(server.channels.public)[0]?.newestId, newest)
  const { topics: told } = await server
    .as('member')
    .get<{ topics: { name: string; max_id: number }[] }>(
      `/users/me/${server.channels.public}/topics`,
    )
  store.recent.learnTopics(server.channels.public, told)
  assert.deepEqual(
    store.recent.topicsOf(server.channels.public).map(({ newestId }) => newestId),
    told.map(({ max_id }) => max_id).sort((a, b) => b - a),
  )
})
