import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids, channels } = server
const member = server.as('member')

const pin = (actor: Actor, id: number) => server.as(actor).post(`/messages/${id}/pin`)
const unpin = (actor: Actor, id: number) => server.as(actor).del(`/messages/${id}/pin`)
const extended = {
  event_types: ['pinned_message'],
  client_capabilities: { extended_members: true },
}
interface Pins {
  readonly pinned_messages: { message_id: number; user_id: number; timestamp: number }[]
}
/** The ids of what is pinned somewhere, as someone sees it. */
async function pinned(actor: Actor, place: Record<string, unknown>): Promise<number[] | string> {
  const reply = await server.as(actor).get<Pins>('/pinned_messages', place)
  if (reply.result !== 'success') return reply.msg
  return reply.pinned_messages.map(({ message_id }) => message_id)
}
const inPublic = (topic: string) => ({ stream_id: channels.public, topic })

describe('who can pin', () => {
  const hidden = failure('Invalid message(s)')
  const cannotPost = failure('Only those who can post in this channel can pin messages.')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, string, object][] = [
    ['member',   'public',    success],
    ['outsider', 'public',    success],
    ['guest',    'public',    hidden],
    ['member',   'private',   success],
    ['outsider', 'private',   hidden],
    ['guest',    'private',   hidden],
  ]
  for (const [actor, channel, expected] of matrix) {
    test(`${actor} in a ${channel} channel: ${expected === success ? 'yes' : 'no'}`, async () => {
      const id = await server.say('member', channel as 'public' | 'private')
      assert.deepEqual(await pin(actor, id), expected)
      if (expected !== success) return
      assert.deepEqual(await unpin(actor, id), success)
    })
  }

  test('nobody who may read a channel but not post in it', async () => {
    const id = await server.say('owner', 'public', 'rules', 'Be kind')
    const posting = {
      can_send_message_group: { new: { direct_members: [ids.owner], direct_subgroups: [] } },
    }
    assert.deepEqual(
      await server.as('owner').patch(`/streams/${channels.public}`, posting),
      success,
    )
    assert.deepEqual(await pin('member', id), cannotPost)
    assert.deepEqual(await pin('owner', id), success)
    assert.deepEqual(await unpin('member', id), cannotPost)
    assert.deepEqual(await pinned('member', inPublic('rules')), [id])
    await server.as('owner').patch(`/streams/${channels.public}`, {
      can_send_message_group: {
        new: { direct_members: [ids.owner, ids.member, ids.outsider], direct_subgroups: [] },
      },
    })
    assert.deepEqual(await unpin('member', id), success)
  })

  test('everyone in a direct conversation, and nobody else', async () => {
    const id = await server.say('owner', ['member'])
    assert.deepEqual(await pin('outsider', id), hidden)
    assert.deepEqual(await pin('member', id), success)
    assert.deepEqual(await pinned('owner', { user_ids: [ids.member] }), [id])
    assert.deepEqual(await pinned('member', { user_ids: [ids.member, ids.owner] }), [id])
    assert.deepEqual(await pinned('outsider', { user_ids: [ids.member, ids.owner] }), [])
    assert.deepEqual(await unpin('owner', id), success)
  })
})

test('all who may read the message and asked for it hear of a pin', async () => {
  const id = await server.say('member', 'private', 'plans')
  const [reader, plain, stranger] = [
    await member.watchWith(extended),
    await member.watch('pinned_message'),
    await server.as('outsider').watchWith(extended),
  ]
  assert.deepEqual(await pin('member', id), success)
  assert.deepEqual(await pin('member', id), failure('The message is pinned already.'))
  assert.deepEqual(await unpin('member', id), success)
  assert.deepEqual(await unpin('member', id), failure('The message is not pinned.'))
  const timestamp = Math.floor(server.clock.now() / 1000)
  assert.deepEqual(await reader.drain(), [
    {
      type: 'pinned_message',
      op: 'add',
      pinned_message: { message_id: id, user_id: ids.member, timestamp },
    },
    { type: 'pinned_message', op: 'remove', message_id: id },
  ])
  assert.deepEqual(await plain.drain(), [])
  assert.deepEqual(await stranger.drain(), [])
})

test('lists are of a topic or of all topics of a channel, the last pinned first', async () => {
  const first = await server.say('member', 'private', 'one', 'a')
  const other = await server.say('member', 'private', 'two', 'b')
  const last = await server.say('member', 'private', 'One', 'c')
  for (const id of [last, other, first]) {
    await pin('member', id)
    server.clock.advance(1000)
  }
  const place = { stream_id: channels.private }
  assert.deepEqual(await pinned('member', { ...place, topic: 'one' }), [first, last])
  assert.deepEqual(await pinned('member', place), [first, other, last])
  assert.equal(await pinned('outsider', place), 'Invalid channel ID')
})

test('a pin goes with its message to another topic and channel, and with it when it is deleted', async () => {
  const id = await server.say('owner', 'private', 'lost', 'Runbook')
  await pin('member', id)
  await server.as('owner').patch(`/messages/${id}`, { topic: 'found' })
  assert.deepEqual(await pinned('member', { stream_id: channels.private, topic: 'lost' }), [])
  assert.deepEqual(await pinned('member', { stream_id: channels.private, topic: 'found' }), [id])
  assert.deepEqual(
    await server
      .as('owner')
      .patch(`/messages/${id}`, { stream_id: channels.public, topic: 'here' }),
    { ...success, detached_uploads: [] },
  )
  assert.deepEqual(await pinned('member', { stream_id: channels.private, topic: 'found' }), [])
  assert.deepEqual(await pinned('outsider', inPublic('here')), [id])
  await server.as('owner').del(`/messages/${id}`)
  assert.deepEqual(await pinned('member', inPublic('here')), [])
  assert.deepEqual(await pin('member', id), failure('Invalid message(s)'))
})

describe('a list needs one place', () => {
  // biome-ignore format: a table reads best in columns
  const refused: [Record<string, unknown>, string][] = [
    [{},                                                "Either 'stream_id' or 'user_ids' is required"],
    [{ stream_id: channels.public, user_ids: [10] },    "Either 'stream_id' or 'user_ids' is required"],
    [{ user_ids: [10], topic: 'plans' },                "'topic' is for channels"],
    [{ stream_id: 987_654 },                            'Invalid channel ID'],
  ]
  for (const [place, problem] of refused) {
    test(JSON.stringify(place), async () => assert.equal(await pinned('member', place), problem))
  }
})
