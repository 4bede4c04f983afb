import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { editsOn } from './edits.ts'

const server = await startServer()
after(server.close)

const { channels } = server
const { edit } = editsOn(server)

describe('deleting', () => {
  const remove = (actor: Actor, id: number) => server.as(actor).del(`/messages/${id}`)

  test('takes a message from everyone, with all that hangs on it', async () => {
    const id = await server.say('member', 'public', 'mistake')
    await server.as('othello').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    await edit('member', id, { content: 'A mistake.' })
    const [bulk, single] = await Promise.all([
      server.as('othello').watchWith({
        event_types: ['delete_message'],
        client_capabilities: { bulk_message_deletion: true },
      }),
      server.as('othello').watch('delete_message'),
    ])
    assert.deepEqual(await remove('member', id), success)
    const place = { message_type: 'stream', stream_id: channels.public, topic: 'mistake' }
    assert.deepEqual(await bulk.drain(), [{ type: 'delete_message', message_ids: [id], ...place }])
    assert.deepEqual(await single.drain(), [{ type: 'delete_message', message_id: id, ...place }])
    assert.deepEqual(await remove('member', id), failure('Invalid message(s)'))
    const { db } = server.server.context.store
    for (const table of ['reactions', 'message_edits']) {
      const left = db.$client.prepare(`SELECT count(*) FROM ${table} WHERE message_id = ?`).pluck()
      assert.equal(left.get(id), 0)
    }
  })

  const refused = failure("You don't have permission to delete this message")
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['owner',     success],
    ['admin',     success],
    ['moderator', refused],
    ['member',    success],
    ['outsider',  refused],
    ['guest',     failure('Invalid message(s)')],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === success ? 'can' : 'cannot'} delete a member's message`, async () => {
      const id = await server.say('member', 'public')
      assert.deepEqual(await remove(actor, id), expected)
    })
  }

  test("one of one's own ends with the time limit", async () => {
    const id = await server.say('member', 'public')
    server.clock.advance(601_000)
    const late = failure('The time limit for deleting this message has passed')
    assert.deepEqual(await remove('member', id), late)
    assert.deepEqual(await remove('admin', id), success)
  })

  test('a whole topic is for administrators, and updates the first message of the channel', async () => {
    const stream_id = 12
    const say = async (topic: string) => {
      const reply = await server
        .as('owner')
        .post<{ id: number }>('/messages', { type: 'channel', to: stream_id, topic, content: 'x' })
      return reply.id
    }
    await say('first')
    await say('First')
    const second = await say('second')
    const queue = await server.as('member').watch('stream')
    const params = { topic_name: 'FIRST' }
    for (const actor of ['member', 'moderator', 'guest'] as const) {
      assert.deepEqual(
        await server.as(actor).post(`/streams/${stream_id}/delete_topic`, params),
        failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'),
      )
    }
    const reply = await server.as('admin').post(`/streams/${stream_id}/delete_topic`, params)
    assert.deepEqual(reply, { ...success, complete: true })
    assert.deepEqual(await queue.drain(), [
      {
        type: 'stream',
        op: 'update',
        stream_id,
        name: 'errors',
        property: 'first_message_id',
        value: second,
      },
    ])
    const topics = await server
      .as('member')
      .get<{ topics: { name: string }[] }>(`/users/me/${stream_id}/topics`)
    assert.deepEqual(
      topics.topics.map(({ name }) => name),
      ['second'],
    )
  })
})

test('who may read a part of a protected topic hears of that part when the topic is deleted', async () => {
  const owner = server.as('owner')
  const { id: channelId } = await owner.post<{ id: number }>('/channels/create', {
    name: 'partly gone',
    subscribers: [server.ids.owner],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const say = async () => {
    const to = { type: 'channel', to: channelId, topic: 'x', content: 'x' }
    return (await owner.post<{ id: number }>('/messages', to)).id
  }
  const old = await say()
  const subscriptions = [{ name: 'partly gone' }]
  const principals = [server.ids.member]
  await owner.post('/users/me/subscriptions', { subscriptions, principals })
  const known = await say()
  const capable = {
    event_types: ['delete_message'],
    client_capabilities: { bulk_message_deletion: true },
  }
  const [all, part, single] = await Promise.all([
    owner.watchWith(capable),
    server.as('member').watchWith(capable),
    server.as('member').watch('delete_message'),
  ])
  const asked = { topic_name: 'x' }
  await owner.post(`/streams/${channelId}/delete_topic`, asked)
  const event = { type: 'delete_message', message_type: 'stream', stream_id: channelId, topic: 'x' }
  assert.deepEqual(await all.drain(), [{ ...event, message_ids: [old, known] }])
  assert.deepEqual(await part.drain(), [{ ...event, message_ids: [known] }])
  assert.deepEqual(await single.drain(), [{ ...event, message_id: known }])
})
