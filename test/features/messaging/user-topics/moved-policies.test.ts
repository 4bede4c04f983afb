import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { policyAfterMerge } from '#features/messaging/user-topics/policies.ts'
import { success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { channels } = server

const names = ['none', 'muted', 'unmuted', 'followed'] as const
type Policy = 0 | 1 | 2 | 3
const all: readonly Policy[] = [0, 1, 2, 3]
const pairs = all.flatMap((moved) => all.map((target) => [moved, target] as const))

// biome-ignore format: a table reads best in columns
const merged: readonly (readonly Policy[])[] = [
  // what becomes of a topic whose target has the policy none, muted, unmuted, followed
  [0, 0, 2, 3], // none
  [0, 1, 2, 3], // muted
  [2, 2, 2, 3], // unmuted
  [3, 3, 3, 3], // followed
]

for (const [moved, target] of pairs) {
  test(`a topic with the policy ${names[moved]} that joins one with ${names[target]} shows as much as both`, () => {
    assert.equal(policyAfterMerge(moved, target, true), merged[moved]?.[target])
    assert.equal(policyAfterMerge(moved, target, false), moved)
  })
}

async function set(actor: Actor, channelId: number, topic: string, policy: Policy): Promise<void> {
  const params = { stream_id: channelId, topic, visibility_policy: policy }
  assert.deepEqual(await server.as(actor).post('/user_topics', params), success)
}

/** The policies of a user that differ from none, by channel and topic. */
async function policies(actor: Actor): Promise<Map<string, number>> {
  const { state } = await server.as(actor).watchWith({ fetch_event_types: ['user_topic'] })
  return asMap(state.user_topics as Record<string, unknown>[])
}

function asMap(list: readonly Record<string, unknown>[]): Map<string, number> {
  const map = new Map<string, number>()
  for (const { stream_id, topic_name, visibility_policy } of list) {
    const key = `${stream_id} ${String(topic_name).toLowerCase()}`
    if (visibility_policy === 0) map.delete(key)
    else map.set(key, visibility_policy as number)
  }
  return new Map([...map].sort())
}

let made = 0

describe('the policy for a topic after a move', () => {
  const silent = { send_notification_to_new_thread: false }
  // biome-ignore format: a table reads best in columns
  const moves: [string, { channelId: number; hasMessages: boolean; mode: string; sent: number }][] = [
    ['into another topic',                      { channelId: channels.public, hasMessages: true,  mode: 'change_all',   sent: 2 }],
    ['of its only message',                     { channelId: channels.public, hasMessages: true,  mode: 'change_one',   sent: 1 }],
    ['from its first message on',               { channelId: channels.public, hasMessages: true,  mode: 'change_later', sent: 2 }],
    ['to a name that was used once',            { channelId: channels.public, hasMessages: false, mode: 'change_all',   sent: 2 }],
    ['into a topic of another channel',         { channelId: channels.shared, hasMessages: true,  mode: 'change_all',   sent: 2 }],
    ['to an empty topic of another channel',    { channelId: channels.shared, hasMessages: false, mode: 'change_all',   sent: 2 }],
  ]
  for (const [title, { channelId, hasMessages, mode, sent }] of moves) {
    test(`${title} is that of both, for each pair`, async () => {
      for (const [moved, target] of pairs) {
        made++
        const [from, to] = [`from ${made}`, `to ${made}`]
        let first = 0
        for (let i = 0; i < sent; i++) {
          const id = await server.say('owner', 'public', from)
          first ||= id
        }
        if (hasMessages)
          await server.say('owner', channelId === channels.shared ? 'shared' : 'public', to)
        await set('member', channels.public, from, moved)
        await set('member', channelId, to, target)
        const before = await policies('member')
        const queue = await server.as('member').watch('user_topic')
        const place = channelId === channels.public ? {} : { stream_id: channelId }
        const params = { topic: to, propagate_mode: mode, ...place, ...silent }
        const reply = await server.as('owner').patch(`/messages/${first}`, params)
        assert.equal(reply.result, 'success', reply.msg)
        const expected = hasMessages ? merged[moved]?.[target] : moved
        const found = await policies('member')
        assert.equal(found.get(`${channels.public} ${from}`), undefined)
        assert.equal(
          found.get(`${channelId} ${to}`) ?? 0,
          expected,
          `${names[moved]}, ${names[target]}`,
        )
        const replayed = new Map([...before])
        for (const { stream_id, topic_name, visibility_policy } of await queue.drain()) {
          const key = `${stream_id} ${topic_name}`
          if (visibility_policy === 0) replayed.delete(key)
          else replayed.set(key, visibility_policy as number)
        }
        assert.deepEqual(new Map([...replayed].sort()), found)
        await set('member', channelId, to, 0)
      }
    })
  }

  test('stays as it is for both topics when a part of one moves', async () => {
    const first = await server.say('owner', 'public', 'parted')
    await server.say('owner', 'public', 'parted')
    await server.say('owner', 'public', 'joined')
    await set('member', channels.public, 'parted', 3)
    await set('member', channels.public, 'joined', 1)
    const queue = await server.as('member').watch('user_topic')
    await server.as('owner').patch(`/messages/${first}`, { topic: 'joined', ...silent })
    assert.deepEqual(await queue.drain(), [])
  })

  test('is kept when the topic is resolved, unresolved, or written with other capitals', async () => {
    const id = await server.say('owner', 'public', 'kept')
    await set('member', channels.public, 'kept', 3)
    for (const topic of ['✔ kept', 'kept', 'KEPT']) {
      await server
        .as('owner')
        .patch(`/messages/${id}`, { topic, propagate_mode: 'change_all', ...silent })
      const found = await policies('member')
      assert.equal(found.get(`${channels.public} ${topic.toLowerCase()}`), 3, topic)
    }
  })

  test('does not go where the user may not read', async () => {
    const id = await server.say('owner', 'public', 'goes in')
    await set('othello', channels.public, 'goes in', 3)
    const queue = await server.as('othello').watch('user_topic')
    const params = { stream_id: channels.private, ...silent }
    await server.as('owner').patch(`/messages/${id}`, params)
    const events = await queue.drain()
    assert.deepEqual(
      events.map(({ stream_id, visibility_policy }) => [stream_id, visibility_policy]),
      [[channels.public, 0]],
    )
  })
})

test('a change of capitals posts no notice, and one of the rest says that the topic moved', async () => {
  const id = await server.say('owner', 'public', 'Capital letters')
  await server.say('owner', 'public', 'Capital letters')
  const queue = await server.as('othello').watch('message')
  const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
  const capitals = [
    { topic: 'capital letters', propagate_mode: 'change_one' },
    { topic: 'CAPITAL LETTERS', propagate_mode: 'change_all' },
  ]
  for (const change of capitals) {
    const reply = await server.as('owner').patch(`/messages/${id}`, { ...change, ...both })
    assert.equal(reply.result, 'success', reply.msg)
  }
  assert.deepEqual(await queue.drain(), [])
  await server
    .as('owner')
    .patch(`/messages/${id}`, { topic: 'small', propagate_mode: 'change_all' })
  const [told] = (await queue.drain()) as unknown as [{ message: { content: string } }]
  assert.match(told.message.content, /^This topic was moved here from /)
})

describe('a topic without room for the mark of resolved ones', () => {
  for (const length of [58, 59, 60]) {
    test(`is resolved and unresolved with ${length} characters`, async () => {
      const topic = `${length} 🐙`.padEnd(length + 1, 'abcdefghij')
      assert.equal([...topic].length, length)
      const id = await server.say('owner', 'public', topic)
      const rename = async (to: string) => {
        const params = { topic: to, propagate_mode: 'change_all' }
        const reply = await server.as('member').patch(`/messages/${id}`, params)
        assert.equal(reply.result, 'success', reply.msg)
        const { message } = await server
          .as('member')
          .get<{ message: Record<string, unknown> }>(`/messages/${id}`)
        return message
      }
      const queue = await server.as('othello').watch('message')
      const short = [...topic].slice(0, 58).join('')
      const resolved = await rename(`✔ ${topic}`)
      assert.equal(resolved.subject, `✔ ${short}`)
      assert.equal('last_moved_timestamp' in resolved, false)
      assert.equal((await rename(short)).subject, short)
      assert.equal((await rename(`✔ ${short}`)).subject, `✔ ${short}`)
      // Clients that undo know the name that it had.
      const undone = await rename(topic)
      assert.equal(undone.subject, topic)
      assert.equal('last_moved_timestamp' in undone, false)
      const notices = (await queue.drain()) as unknown as { message: { content: string } }[]
      assert.deepEqual(
        notices.map(({ message }) => message.content.replace(/^.*as /, '')),
        ['resolved.', 'unresolved.', 'resolved.', 'unresolved.'],
      )
    })
  }

  test('is cut as any other name at any other change', async () => {
    const owner = server.as('owner')
    const id = await server.say('owner', 'public', 'x'.repeat(60))
    for (const mark of ['✔', '!']) {
      await owner.patch(`/messages/${id}`, { topic: `${mark} ${'y'.repeat(60)}` })
      const { message } = await owner.get<{ message: { subject: string } }>(`/messages/${id}`)
      assert.equal(message.subject, `${mark} ${'y'.repeat(55)}...`)
    }
  })
})
