import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { CallError } from '#client/api/api.ts'
import type { RegisterReply } from '#client/api/wire.ts'
import { createMarking } from '#client/state/marking.ts'
import { type Changes, createChanges } from '#client/state/optimistic.ts'
import { registration } from '#client/state/registration.ts'
import type { Store } from '#client/state/store.ts'
import { startServer } from '#test/support/server.ts'
import { differences, messageDifferences } from './compare.ts'
import { apiOf, follow, type TestApi, until } from './support.ts'

const server = await startServer()
after(server.close)
const { member, othello } = server.ids
const { shared } = server.channels

async function open(): Promise<{
  store: Store
  api: TestApi
  changes: Changes
  id: number
  settle: () => Promise<string[]>
}> {
  const follower = await follow(server, server.as('member'))
  const { store } = follower
  const api = apiOf(server.as('member'))
  const id = await server.say('owner', 'shared', 'plans', '@**King Hamlet** hello')
  await follower.catchUp()
  return {
    store,
    api,
    changes: createChanges(api, store),
    id,
    async settle() {
      await follower.catchUp()
      const fetched = await follower.fetchKnown()
      return [...differences(store, await follower.anew()), ...messageDifferences(store, fetched)]
    },
  }
}

const octopus = { name: 'octopus', code: '1f419', type: 'unicode_emoji' } as const

/** What can be changed at once, how, and what shows it. */
const kinds: [
  title: string,
  act: (changes: Changes, id: number) => Promise<void>,
  shown: (store: Store, id: number) => unknown,
][] = [
  ['a star', (c, id) => c.setStarred([id], true), (s, id) => s.starred.peek().has(id)],
  [
    'a message that is folded',
    (c, id) => c.setCollapsed([id], true),
    (s, id) => s.messages.peek(id)?.flags.has('collapsed'),
  ],
  [
    'a read message',
    (c, id) => c.setRead([id], true),
    (s, id) => [s.messages.peek(id)?.flags.has('read'), s.unreads.mentions.peek().has(id)],
  ],
  [
    'a reaction',
    (c, id) => c.addReaction(id, octopus),
    (s, id) => s.messages.peek(id)?.reactions.length,
  ],
  [
    'a muted channel',
    (c) => c.changeSubscription(shared, 'is_muted', true),
    (s) => s.subscriptions.peek(shared)?.isMuted,
  ],
  [
    'a muted topic',
    (c) => c.setTopicPolicy(shared, 'Chores', 1),
    (s) => s.topicPolicies.peek(`${shared}:chores`)?.policy,
  ],
  ['a setting', (c) => c.changeSetting('color_scheme', 2), (s) => s.settings.peek().color_scheme],
  ['somebody muted', (c) => c.setMuted(othello, true), (s) => s.mutedUsers.peek().has(othello)],
  [
    'a status',
    (c) =>
      c.setStatus({
        text: 'Out',
        emojiName: '',
        emojiCode: '',
        reactionType: 'unicode_emoji',
        endsAt: null,
      }),
    (s) => s.statuses.peek(member)?.text,
  ],
]

describe('what the user changes shows at once', () => {
  for (const [title, act, shown] of kinds) {
    test(`${title}, and not anymore when the server refuses`, async () => {
      const { store, api, changes, id, settle } = await open()
      const before = shown(store, id)
      api.before = () => {
        throw new CallError('No', 'BAD_REQUEST', 400)
      }
      const refused = act(changes, id)
      assert.notDeepEqual(shown(store, id), before)
      await assert.rejects(refused, { code: 'BAD_REQUEST' })
      assert.deepEqual(shown(store, id), before)
      assert.deepEqual(await settle(), [])
    })

    test(`${title}, and is then what the server has`, async () => {
      const { store, changes, id, settle } = await open()
      const before = shown(store, id)
      const done = act(changes, id)
      const after = shown(store, id)
      assert.notDeepEqual(after, before)
      await done
      assert.deepEqual(await settle(), [])
      assert.deepEqual(shown(store, id), after)
    })
  }
})

test('a message that is unread again counts where it is', async () => {
  const { store, changes, id, settle } = await open()
  await changes.setRead([id], true)
  const marked = changes.setRead([id], false)
  assert.ok(store.unreads.find(id))
  assert.ok(store.unreads.mentions.peek().has(id))
  await marked
  assert.deepEqual(await settle(), [])
})

describe('marking as read', () => {
  test('a message that is gone does not keep others from being marked', async () => {
    const { store, api, id, settle } = await open()
    const others: number[] = []
    for (let i = 0; i < 4; i++) others.push(await server.say('othello', 'shared', 'plans'))
    assert.deepEqual(await settle(), [])
    const marking = createMarking(api, store, server.clock)
    marking.markRead([others[0] ?? 0, id, ...others.slice(1)])
    await server.as('owner').del(`/messages/${id}`)
    await marking.flush()
    assert.deepEqual(await settle(), [])
    assert.deepEqual(
      others.filter((each) => store.unreads.find(each)),
      [],
    )
    marking.stop()
  })

  test('many messages go in one call, a while later; without a network they are kept', async () => {
    const { store, api, settle } = await open()
    const marking = createMarking(api, store, server.clock)
    const ids = [...store.unreads.conversations.peek()].flatMap((one) =>
      store.unreads.idsOf(one.conversation),
    )
    assert.ok(ids.length > 3)
    for (const id of ids) marking.markRead([id])
    assert.equal(store.unreads.counts.peek().total, 0)
    assert.deepEqual(api.calls, [])
    api.isCut = true
    server.clock.advance(500)
    await until(() => api.calls.length === 1)
    api.isCut = false
    await until(() => {
      server.clock.advance(5000)
      return api.calls.length === 2
    })
    await until(() => store.unreads.counts.peek().total === 0)
    assert.deepEqual(api.calls, ['POST /messages/flags', 'POST /messages/flags'])
    await marking.flush()
    assert.deepEqual(await settle(), [])
    marking.stop()
  })

  test('a conversation, a channel and everything are read as a whole', async () => {
    const { store, api, id, settle } = await open()
    const marking = createMarking(api, store, server.clock)
    await server.say('owner', 'shared', 'other')
    await server.say('owner', ['member'])
    assert.deepEqual(await settle(), [])
    const conversation = store.unreads.find(id)
    assert.ok(conversation)
    const marked = marking.markConversationRead(conversation)
    assert.equal(store.unreads.countOf(conversation), 0)
    assert.equal(await marked, 1)
    assert.equal(await marking.markChannelRead(shared), 1)
    assert.deepEqual(await settle(), [])
    assert.equal(store.unreads.counts.peek().direct, 1)
    await marking.markEverythingRead()
    assert.deepEqual(await settle(), [])
    assert.equal(store.unreads.counts.peek().total, 0)
    marking.stop()
  })

  test('a new registration does not know of what is still to be marked, which stays read', async () => {
    const { store, api, id, settle } = await open()
    const marking = createMarking(api, store, server.clock)
    marking.markRead([id])
    store.restart(await server.as('member').post<RegisterReply>('/register', registration))
    assert.equal(store.unreads.find(id), undefined)
    await marking.flush()
    assert.deepEqual(await settle(), [])
    marking.stop()
  })

  test('from a message on, all is unread again, what waits to be read too', async () => {
    const { store, api, id, settle } = await open()
    const marking = createMarking(api, store, server.clock)
    const later = await server.say('owner', 'shared')
    assert.deepEqual(await settle(), [])
    marking.markRead([id, later])
    const narrow = [
      { operator: 'channel', operand: shared },
      { operator: 'topic', operand: 'plans' },
    ]
    await marking.markUnreadFrom(narrow, later)
    await marking.flush()
    assert.deepEqual(await settle(), [])
    assert.equal(store.unreads.find(id), undefined)
    assert.ok(store.unreads.find(later))
    marking.stop()
  })
})
