import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { type Client, type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const owner = server.as('owner')
const guest = await server.enroll('Limited Guest', 600)
const near = await server.enroll('Close Colleague')
const far = await server.enroll('Total Stranger')
const actors = { guest, near }
const name = 'common room'

const unknown = {
  sender_id: far.id,
  sender_email: `user${far.id}@zulipdev.com`,
  sender_full_name: 'Unknown user',
  avatar_url: '/user_avatars/0.png?version=1',
}

type Message = Record<string, unknown> & { id: number; content: string }

function senderOf(message: Message) {
  const { sender_id, sender_email, sender_full_name, avatar_url } = message
  return { sender_id, sender_email, sender_full_name, avatar_url }
}

describe('of people whom a limited guest may not see', () => {
  let channelId = 0
  let messageId = 0
  const say = async (who: Client, content: string): Promise<number> => {
    const place = { type: 'channel', to: channelId, topic: 'plans' }
    const reply = await who.post<{ id: number }>('/messages', { ...place, content })
    assert.equal(reply.result, 'success', reply.msg)
    return reply.id
  }
  const fetchOne = async (who: Client, id: number): Promise<Message> =>
    (await who.get<{ message: Message }>(`/messages/${id}`)).message

  before(async () => {
    const principals = [guest.id, near.id, far.id]
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals })
    await owner.del('/users/me/subscriptions', { subscriptions: [name], principals: [far.id] })
    await owner.patch('/realm', {
      can_access_all_users_group: {
        new: systemGroupId(server.server.context.store, 'role:members'),
      },
    })
    const { stream_id } = await owner.get<{ stream_id: number }>('/get_stream_id', { stream: name })
    channelId = stream_id
  })

  test('the messages that arrive name nobody, in every form', async () => {
    const forms = [{}, { apply_markdown: true }]
    const watches = await Promise.all(
      forms.map((form) => guest.watchWith({ ...form, event_types: ['message'] })),
    )
    const other = await near.watch('message')
    messageId = await say(far, 'I was never here.')
    for (const watch of watches) {
      const [event] = (await watch.drain()) as (Event & { message: Message })[]
      assert.ok(event)
      assert.deepEqual(senderOf(event.message), unknown)
      assert.doesNotMatch(JSON.stringify(event), /Stranger/i)
    }
    const [seen] = (await other.drain()) as (Event & { message: Message })[]
    assert.equal(seen?.message.sender_full_name, 'Total Stranger')
  })

  test('the messages that are fetched name nobody either', async () => {
    assert.deepEqual(senderOf(await fetchOne(guest, messageId)), unknown)
    const query = { anchor: 'newest', num_before: 5, num_after: 0 }
    const page = await guest.get<{ messages: Message[] }>('/messages', query)
    assert.deepEqual(senderOf(page.messages.at(-1) as Message), unknown)
    assert.doesNotMatch(JSON.stringify(page), /Stranger/i)
    assert.equal((await fetchOne(near, messageId)).sender_full_name, 'Total Stranger')
  })

  test('who reacts, edits or votes has a number', async () => {
    const watches = await Promise.all(Object.values(actors).map((who) => who.watch('reaction')))
    await far.post(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' })
    await far.del(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' })
    await far.post(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' })
    const shown = await Promise.all(
      watches.map(async (watch) => (await watch.drain()).map(({ user }) => user)),
    )
    const { email } = await near
      .get<{ user: { email: string } }>(`/users/${far.id}`)
      .then((r) => r.user)
    const hidden = { user_id: far.id, email: unknown.sender_email, full_name: 'Unknown user' }
    const known = { user_id: far.id, email, full_name: 'Total Stranger' }
    assert.deepEqual(
      shown,
      [hidden, known].map((user) => [user, user, user]),
    )
    await far.patch(`/messages/${messageId}`, { content: 'Nor am I now.' })
    const history = await guest.get(`/messages/${messageId}/history`)
    const message = await fetchOne(guest, messageId)
    assert.deepEqual((message.reactions as { user_id: number }[])[0]?.user_id, far.id)
    assert.doesNotMatch(JSON.stringify([history, message]), /Stranger/i)
    const { user_ids } = await guest.get<{ user_ids: number[] }>(
      `/messages/${messageId}/read_receipts`,
    )
    assert.ok(!user_ids.includes(far.id))
  })

  test('who types is not told', async () => {
    const watches = await Promise.all(
      Object.values(actors).map((who) =>
        who.watchWith({
          event_types: ['typing', 'typing_edit_message'],
          client_capabilities: { stream_typing_notifications: true },
        }),
      ),
    )
    const typing = { type: 'channel', op: 'start', stream_id: channelId, topic: 'plans' }
    assert.equal((await far.post('/typing', typing)).result, 'success')
    const editing = await far.post(`/messages/${messageId}/typing`, { op: 'start' })
    assert.equal(editing.result, 'success')
    const [toGuest = [], toNear = []] = await Promise.all(watches.map((watch) => watch.drain()))
    assert.deepEqual(toGuest, [])
    assert.deepEqual(
      toNear.map(({ type }) => type),
      ['typing', 'typing_edit_message'],
    )
  })

  test('a reminder of their message names nobody', async () => {
    const at = Math.floor(server.clock.now() / 1000) + 60
    const made = await guest.post('/reminders', {
      message_id: messageId,
      scheduled_delivery_timestamp: at,
    })
    assert.equal(made.result, 'success', made.msg)
    server.clock.advance(61_000)
    await server.settled()
    const query = { anchor: 'newest', num_before: 1, num_after: 0 }
    const page = await guest.get<{ messages: Message[] }>('/messages', query)
    assert.match(page.messages.at(-1)?.content ?? '', /to be reminded/)
    assert.doesNotMatch(JSON.stringify(page), /Stranger/i)
  })

  test('who subscribes them to a channel is not named', async () => {
    const other = await server.enroll('Another Colleague')
    const made = await far.post('/channels/create', { name: 'other room', subscribers: [near.id] })
    assert.equal(made.result, 'success', made.msg)
    const watches = await Promise.all([guest.watch('message'), other.watch('message')])
    const principals = [guest.id, other.id]
    const subscriptions = [{ name: 'other room' }]
    await far.post('/users/me/subscriptions', { subscriptions, principals })
    const [toGuest = [], toOther = []] = await Promise.all(watches.map((watch) => watch.drain()))
    assert.match(JSON.stringify(toGuest), /Someone subscribed you to the channel/)
    assert.doesNotMatch(JSON.stringify(toGuest), /Stranger/i)
    assert.match(JSON.stringify(toOther), /Total Stranger/)
  })

  test('names that others write stay as they were written', async () => {
    const id = await say(near, `@_**Total Stranger** was there.`)
    assert.match((await fetchOne(guest, id)).content, /Total Stranger/)
  })

  test('the name is there once they meet', async () => {
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [far.id],
    })
    assert.equal((await fetchOne(guest, messageId)).sender_full_name, 'Total Stranger')
    const watch = await guest.watch('message')
    await say(far, 'Hello.')
    const [event] = (await watch.drain()) as (Event & { message: Message })[]
    assert.equal(event?.message.sender_full_name, 'Total Stranger')
  })
})
