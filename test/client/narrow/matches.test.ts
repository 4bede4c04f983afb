import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { WireMessage } from '#client/api/wire.ts'
import { followMove } from '#client/narrow/follow.ts'
import { containsMessage } from '#client/narrow/matches.ts'
import type { Narrow, Term } from '#client/narrow/narrow.ts'
import { narrowKey, narrowOf, sameNarrow, term, termsOf } from '#client/narrow/terms.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import { goOnline } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids, channels } = server

const member = server.as('member')
await server.say('owner', 'public', 'plans', 'Hello.')
await server.say('owner', 'public', '✔ done', 'A [link](https://example.com).')
await server.say('othello', 'shared', 'Plans', '@**King Hamlet** look')
await server.say('member', 'shared', 'muted', 'Mine.')
await server.say('owner', 'private', 'plans', '@**all**')
await server.say('owner', ['member'], '', 'Only us.')
await server.say('zoe', ['member', 'owner'], '', 'All three.')
server.clock.advance(60_000)
const now = Math.floor(server.clock.now() / 1000)
const own = await server.say('member', ['member'], '', 'A note.')
await server.as('owner').post('/messages/3/reactions', { emoji_name: 'octopus' })
await server.as('othello').post('/messages/4/reactions', { emoji_name: 'octopus' })
await member.post('/messages/flags', { messages: [2, own], op: 'add', flag: 'starred' })
await member.post('/messages/flags', { messages: [1, 3], op: 'add', flag: 'read' })
const policy = (stream_id: number, topic: string, visibility_policy: number) =>
  member.post('/user_topics', { stream_id, topic, visibility_policy })
await policy(channels.shared, 'muted', 1)
await policy(channels.public, 'plans', 3)

const { store, api } = await goOnline(server, 'member')
const everything = await api.get<{ messages: WireMessage[] }>('/messages', {
  anchor: 'newest',
  num_before: 100,
  num_after: 0,
  allow_empty_topic_name: true,
})
const messages = everything.messages.map((wire) => messageFromWire(wire, store.selfId))

const search = (...terms: Term[]): Narrow => ({ kind: 'search', terms })

describe('the client and the server agree on what a narrow holds', () => {
  const narrows: readonly Narrow[] = [
    { kind: 'all' },
    { kind: 'channel', channelId: channels.public },
    { kind: 'topic', channelId: channels.public, topic: 'PLANS' },
    { kind: 'direct', userIds: [ids.owner] },
    { kind: 'direct', userIds: [ids.zoe, ids.owner] },
    { kind: 'direct', userIds: [ids.member] },
    { kind: 'all-direct' },
    { kind: 'mentions' },
    { kind: 'starred' },
    { kind: 'reactions' },
    search(term('channel', channels.public), term('sender', ids.owner)),
    search(term('topic', 'plans')),
    search(term('dm-including', [ids.owner])),
    search(term('dm', [ids.owner], true)),
    search(term('is', 'unread')),
    search(term('is', 'resolved')),
    search(term('is', 'followed')),
    search(term('is', 'muted', true)),
    search(term('is', 'alerted')),
    search(term('has', 'reaction')),
    search(term('channels', 'public')),
    search(term('channels', 'public', true)),
    search(term('id', own)),
    ...(['before', 'after'] as const).flatMap((side) => [
      search(term(side, now)),
      search(term(side, now + 1)),
      search(term(side, now, true)),
    ]),
  ]
  for (const narrow of narrows) {
    test(narrowKey(narrow), async () => {
      const reply = await api.get<{ messages: { id: number }[] }>('/messages', {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        narrow: termsOf(narrow, store.selfId),
      })
      const found = messages.filter((message) => containsMessage(narrow, message, store))
      assert.deepEqual(
        found.map(({ id }) => id),
        reply.messages.map(({ id }) => id),
      )
    })
  }
})

test('only the server tells whether a message has words or links, unless something else says no', () => {
  const [first] = messages
  assert.ok(first)
  assert.equal(containsMessage(search(term('search', 'hello')), first, store), null)
  assert.equal(containsMessage(search(term('has', 'link', true)), first, store), null)
  const elsewhere = search(term('channel', channels.shared), term('search', 'hello'))
  assert.equal(containsMessage(elsewhere, first, store), false)
})

test('terms that stand for a view with a name are that view', () => {
  const narrows: readonly Narrow[] = [
    { kind: 'all' },
    { kind: 'channel', channelId: 4 },
    { kind: 'topic', channelId: 4, topic: 'plans' },
    { kind: 'topic', channelId: 4, topic: 'plans', withId: 7 },
    { kind: 'direct', userIds: [9] },
    { kind: 'all-direct' },
    { kind: 'mentions' },
    { kind: 'starred' },
    { kind: 'reactions' },
  ]
  for (const narrow of narrows) assert.deepEqual(narrowOf(termsOf(narrow, 10), 10), narrow)
  const negated = [term('channel', 4, true)]
  assert.deepEqual(narrowOf(negated, 10), search(...negated))
})

test('narrows are the same whatever the case of the topic and the message of the link', () => {
  const topic = { kind: 'topic', channelId: 4, topic: 'plans' } as const
  assert.equal(sameNarrow(topic, { ...topic, topic: 'PLANS', withId: 7 }), true)
  assert.equal(sameNarrow(topic, { ...topic, channelId: 3 }), false)
})

describe('an open topic that is moved', () => {
  const from = { kind: 'topic', channelId: 4, topic: 'plans' } as const
  const to = { kind: 'topic', channelId: 3, topic: 'done' } as const
  const moved = { kind: 'moved', ids: [7, 8], from, to, isWhole: true } as const

  test('is followed where all of it goes', () => {
    assert.deepEqual(followMove({ ...from, topic: 'Plans' }, moved), to)
  })
  test('is followed with the message of its link, wherever that goes', () => {
    const part = { ...moved, isWhole: false }
    assert.equal(followMove(from, part), undefined)
    assert.deepEqual(followMove({ ...from, withId: 8 }, part), { ...to, withId: 8 })
    assert.equal(followMove({ ...from, withId: 9 }, part), undefined)
  })
  test('is followed to another spelling of its name', () => {
    const spelled = { ...from, topic: 'Plans' }
    assert.deepEqual(followMove(from, { ...moved, to: spelled }), spelled)
  })
  test('does not move other views', () => {
    assert.equal(followMove({ kind: 'channel', channelId: 4 }, moved), undefined)
    assert.equal(followMove({ ...from, topic: 'other' }, moved), undefined)
    assert.equal(followMove(from, { kind: 'deleted', ids: [7] }), undefined)
  })
})
