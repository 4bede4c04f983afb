import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

interface Message {
  readonly id: number
  readonly [member: string]: unknown
}

async function fetchMessage(id: number, actor: Actor = 'member', params: object = {}) {
  const reply = await server
    .as(actor)
    .get<{ messages: Message[] }>('/messages', { message_ids: [id], ...params })
  assert.equal(reply.result, 'success', reply.msg)
  const [message] = reply.messages
  assert.ok(message)
  return message
}

const change = async (actor: Actor, id: number, params: object) =>
  assert.equal((await server.as(actor).patch(`/messages/${id}`, { ...params })).msg, '')

describe('Message (as returned by GET /messages)', () => {
  test('`client` is the name of the client that sent it', async () => {
    const sent = await fetch(`${server.url}/api/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`hamlet@zulip.com:${server.as('member').apiKey}`)}`,
        'user-agent': 'ZulipMobile/27.230 (Android 14)',
      },
      body: new URLSearchParams({ type: 'direct', to: '[11]', content: 'Hello.' }),
    })
    const { id } = (await sent.json()) as { id: number }
    assert.equal((await fetchMessage(id)).client, 'ZulipMobile')
  })

  test('`recipient_id` identifies the set of recipients', async () => {
    const of = async (id: number) => (await fetchMessage(id)).recipient_id
    const one = await of(await server.say('member', ['admin', 'owner']))
    assert.equal(await of(await server.say('admin', ['owner', 'member'])), one)
    assert.notEqual(await of(await server.say('member', ['admin'])), one)
    const channel = await of(await server.say('member', 'public', 'a'))
    assert.equal(await of(await server.say('admin', 'public', 'b')), channel)
  })

  test('`stream_id` is there only for channel messages', async () => {
    assert.equal((await fetchMessage(await server.say('member', 'public'))).stream_id, 4)
    assert.ok(!('stream_id' in (await fetchMessage(await server.say('member', ['admin'])))))
  })

  test('`topic_links` are links that linkifiers make from the topic', async () => {
    const message = await fetchMessage(await server.say('member', 'public', 'about #D123'))
    assert.deepEqual(message.topic_links, [
      { text: '#D123', url: 'https://github.com/zulip/zulip-desktop/pull/123' },
    ])
  })

  test('`is_me_message` is true for a /me status message', async () => {
    const of = async (content: string) =>
      (await fetchMessage(await server.say('member', 'public', 'plans', content))).is_me_message
    assert.deepEqual([await of('/me waves'), await of('waves')], [true, false])
  })

  test('`last_moved_timestamp` is present only if the message was moved; resolving does not count', async () => {
    const id = await server.say('member', 'public', 'open question')
    await change('member', id, { topic: '✔ open question' })
    assert.ok(!('last_moved_timestamp' in (await fetchMessage(id))))
    await change('member', id, { topic: 'open question' })
    assert.ok(!('last_moved_timestamp' in (await fetchMessage(id))))
    await change('member', id, { topic: 'another question' })
    const moved = await fetchMessage(id)
    assert.equal(moved.last_moved_timestamp, Math.floor(server.clock.now() / 1000))
  })

  test('`edit_history` has the most recent edit first, and only what each edit changed', async () => {
    const id = await server.say('member', 'public', 'first', 'one')
    assert.ok(!('edit_history' in (await fetchMessage(id))))
    await change('member', id, { content: 'two' })
    await change('admin', id, { topic: 'second', send_notification_to_old_thread: false })
    await change('admin', id, { stream_id: server.channels.shared })
    const timestamp = Math.floor(server.clock.now() / 1000)
    assert.deepEqual((await fetchMessage(id)).edit_history, [
      { user_id: 11, timestamp, prev_stream: 4, stream: 3 },
      { user_id: 11, timestamp, prev_topic: 'first', topic: 'second' },
      {
        user_id: 10,
        timestamp,
        prev_content: 'one',
        prev_rendered_content: '<p>one</p>',
      },
    ])
  })
})
