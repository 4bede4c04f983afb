import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FeatureEvent, RegisterReply, WireMessage } from '#client/api/wire.ts'
import type { Message } from '#client/state/model.ts'
import { registration } from '#client/state/registration.ts'
import type { MessageChange } from '#client/state/store.ts'
import { startServer } from '#test/support/server.ts'
import { follow } from './support.ts'

const server = await startServer()
after(server.close)

/** Someone with a message that they know, as it was, and as it is since it was edited. */
async function withEdited() {
  const follower = await follow(server, server.as('member'))
  const { store } = follower
  const id = await server.say('owner', 'shared', 'plans', 'old')
  await follower.catchUp()
  const old = store.messages.peek(id)
  assert.ok(old)
  await server.as('owner').patch(`/messages/${id}`, { content: 'new' })
  const [edited] = await follower.fetchKnown()
  assert.equal(edited?.html, '<p>new</p>')
  return { ...follower, id, old, edited }
}

test('an answer that was late does not undo what an event said', async () => {
  const { store, catchUp, id, old } = await withEdited()
  await catchUp()
  store.addMessages([old])
  assert.equal(store.messages.peek(id)?.html, '<p>new</p>')
})

test('reactions are of the kind that the server says', async () => {
  const { id, store, catchUp, fetchKnown } = await withEdited()
  const owner = server.as('owner')
  await owner.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
  await owner.post(`/messages/${id}/reactions`, { emoji_name: 'zulip' })
  await catchUp()
  const kinds = [...(store.messages.peek(id)?.reactions ?? [])].map(({ name, type }) => [
    name,
    type,
  ])
  assert.deepEqual(kinds, [
    ['octopus', 'unicode_emoji'],
    ['zulip', 'zulip_extra_emoji'],
  ])
  const [fetched] = await fetchKnown()
  assert.deepEqual(
    fetched?.reactions.map(({ type }) => type),
    ['unicode_emoji', 'zulip_extra_emoji'],
  )
})

test('where no events come, what is fetched is right', async () => {
  const { store, client, catchUp, id, edited } = await withEdited()
  await client.del('/users/me/subscriptions', { subscriptions: ['Verona'] })
  await catchUp()
  store.addMessages([{ ...edited, html: '<p>newest</p>' }])
  assert.equal(store.messages.peek(id)?.html, '<p>newest</p>')
  await client.post('/users/me/subscriptions', { subscriptions: [{ name: 'Verona' }] })
  await catchUp()
  store.addMessages([edited])
  assert.equal(store.messages.peek(id)?.html, '<p>new</p>')
  store.addMessages([{ ...edited, html: '<p>older</p>' }])
  assert.equal(store.messages.peek(id)?.html, '<p>new</p>')
})

test('after events were missed, what is fetched is right, and said to have changed', async () => {
  const { store, client, id, old, edited } = await withEdited()
  const told: MessageChange[] = []
  store.onMessages((change) => void told.push(change))
  store.restart(await client.post<RegisterReply>('/register', registration))
  assert.equal(store.messages.peek(id), old)
  store.addMessages([edited])
  assert.equal(store.messages.peek(id)?.html, '<p>new</p>')
  assert.deepEqual(told, [{ kind: 'restart' }, { kind: 'changed', ids: [id] }])
})

test('after a backup was restored, an ID that goes round again is another message', async () => {
  const { store, client, id, old } = await withEdited()
  store.addMessages([{ ...old, id: id + 1000, html: '<p>lost</p>' }])
  const reply = await client.post<RegisterReply>('/register', registration)
  const isThere = () => store.recent.topics.value.some(({ newestId }) => newestId === id + 1000)
  assert.equal(isThere(), true)
  store.restart(reply)
  assert.equal(isThere(), false, 'lists of topics know only what the server has')
  const { messages } = await client.get<{ messages: WireMessage[] }>('/messages', {
    message_ids: [id],
  })
  const [wire] = messages
  assert.ok(wire)
  const told: MessageChange[] = []
  store.onMessages((change) => void told.push(change))
  store.apply([
    {
      id: 1,
      type: 'message',
      flags: ['read'],
      message: { ...wire, id: id + 1000 },
    } as FeatureEvent,
  ])
  assert.equal(store.messages.peek(id + 1000)?.html, '<p>new</p>')
  const [change] = told
  assert.equal(change?.kind === 'new' && change.message.html, '<p>new</p>')
  assert.equal(isThere(), true)
})

test('after a backup was restored, only what is on the screen is still known of messages', async () => {
  const { store, client, id, old } = await withEdited()
  store.addMessages([{ ...old, id: id - 1 }])
  store.holdMessages(() => [id])
  const reply = await client.post<RegisterReply>('/register', registration)
  store.restart({ ...reply, server_data_id: 'of the restored data' })
  assert.equal(store.messages.peek(id - 1), undefined)
  assert.equal(store.messages.peek(id), old)
  assert.deepEqual(store.recent.topics.value, [])
  const now = { ...old, html: '<p>another</p>' }
  store.addMessages([now])
  assert.equal(store.messages.peek(id)?.html, '<p>another</p>')
})

test('a moved topic is one change, which says where to and whether all of it went', async () => {
  const { store, catchUp } = await follow(server, server.as('member'))
  const told: MessageChange[] = []
  const ids = [await server.say('owner', 'shared', 'x'), await server.say('owner', 'shared', 'x')]
  await catchUp()
  store.onMessages((change) => void told.push(change))
  const quietly = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
  await server
    .as('owner')
    .patch(`/messages/${ids[0]}`, { topic: 'y', propagate_mode: 'change_all', ...quietly })
  await server
    .as('owner')
    .patch(`/messages/${ids[1]}`, { topic: '✔ y', propagate_mode: 'change_one', ...quietly })
  await catchUp()
  const in_ = (topic: string) => ({ kind: 'topic', channelId: server.channels.shared, topic })
  assert.deepEqual(told, [
    { kind: 'moved', ids, from: in_('x'), to: in_('y'), isWhole: true },
    { kind: 'moved', ids: [ids[1]], from: in_('y'), to: in_('✔ y'), isWhole: false },
  ])
})

test('of very many messages, those that nobody looks at are forgotten', async () => {
  const { store, id, old } = await withEdited()
  const many: Message[] = Array.from({ length: 6000 }, (_, i) => ({ ...old, id: id + i }))
  const looking = new Set([id + 7, id + 8])
  const stopLooking = store.holdMessages(() => looking)
  store.addMessages(many)
  assert.equal(store.messages.current.size, 6000)
  store.apply([])
  assert.equal(store.messages.current.size, 1002)
  assert.ok(store.messages.has(id + 7))
  assert.ok(store.messages.has(id + 5999))
  const [newest] = store.recent.topicsOf(server.channels.shared)
  assert.equal(newest?.newestId, id + 5999)
  stopLooking()
})
