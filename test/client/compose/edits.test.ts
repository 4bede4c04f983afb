import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RegisterReply, WireMessage } from '#client/api/wire.ts'
import { createEdits } from '#client/compose/edits.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import type { Message } from '#client/state/model.ts'
import { registration } from '#client/state/registration.ts'
import { startServer } from '#test/support/server.ts'
import { follow, memoryStorage } from '../state/support.ts'

const server = await startServer()
after(server.close)
const member = server.as('member')

/** A page of the same browser. */
async function open(storage = memoryStorage()) {
  const follower = await follow(server, member)
  const lost: [topic: string, text: string][] = []
  const edits = createEdits({
    store: follower.store,
    storage,
    clock: server.clock,
    onLost: (conversation, text) =>
      void lost.push([conversation.kind === 'topic' ? conversation.topic : '', text]),
  })
  return { ...follower, edits, storage, lost }
}

async function messagesOf(id: number): Promise<Message[]> {
  const { messages } = await member.get<{ messages: WireMessage[] }>('/messages', {
    message_ids: [id],
  })
  return messages.map((message) => messageFromWire(message, member.id))
}

test('an edit that is not saved outlasts the page, with its box open as it was', async () => {
  const { edits, storage } = await open()
  edits.open(7)
  edits.write({ messageId: 7, text: 'New', original: 'Old' })
  edits.stop()
  const { edits: later } = await open(storage)
  assert.equal(later.openId.value, 7)
  assert.equal(later.get(7)?.text, 'New')
  assert.equal(later.get(7)?.original, 'Old')

  later.close()
  const { edits: last } = await open(storage)
  assert.equal(last.openId.value, undefined)
  assert.equal(last.get(7)?.text, 'New')
})

test('nothing is kept of an edit that was saved, discarded or changed back', async () => {
  const { edits, storage } = await open()
  edits.write({ messageId: 7, text: 'New', original: 'Old' })
  edits.write({ messageId: 8, text: 'New', original: 'Old' })
  edits.discard(7)
  edits.write({ messageId: 8, text: 'Old', original: 'Old' })
  assert.equal(edits.get(7), undefined)
  assert.equal(edits.get(8), undefined)
  assert.equal(storage.getItem(`parley:edits:${member.id}`), null)
})

test('the edit of a deleted message goes with it', async () => {
  const id = await server.say('member', 'shared', 'edits', 'To be deleted')
  const { edits, catchUp } = await open()
  edits.open(id)
  edits.write({ messageId: id, text: 'Changed', original: 'To be deleted' })
  await server.as('owner').del(`/messages/${id}`)
  await catchUp()
  assert.equal(edits.get(id), undefined)
  assert.equal(edits.openId.value, undefined)
})

test('the edit of a message that a restored server lost becomes a draft where it was', async () => {
  const id = await server.say('member', 'shared', 'edits', 'Lost with the disk')
  const { store, client, edits, lost } = await open()
  store.addMessages(await messagesOf(id))
  edits.open(id)
  edits.write({ messageId: id, text: 'Changed', original: 'Lost with the disk' })
  const reply = await client.post<RegisterReply>('/register', registration)
  store.restart(reply)
  assert.equal(edits.get(id)?.text, 'Changed', 'nothing was lost')
  store.restart({ ...reply, max_message_id: id - 1 })
  assert.deepEqual(lost, [['edits', 'Changed']])
  assert.equal(edits.get(id), undefined)
  assert.equal(edits.openId.value, undefined)
})

test('the edit of a message whose ID may be another one now becomes a draft where it was', async () => {
  const id = await server.say('member', 'shared', 'edits', 'Before the restored backup')
  const { store, client, edits, lost } = await open()
  store.addMessages(await messagesOf(id))
  edits.open(id)
  edits.write({ messageId: id, text: 'Changed', original: 'Before the restored backup' })
  const reply = await client.post<RegisterReply>('/register', registration)
  store.restart({ ...reply, server_data_id: 'of the restored data' })
  assert.deepEqual(lost, [['edits', 'Changed']])
  assert.equal(edits.get(id), undefined)
})

test('of very many edits the oldest are dropped', async () => {
  const { edits } = await open()
  for (let messageId = 1; messageId <= 60; messageId++) {
    server.clock.advance(1)
    edits.write({ messageId, text: 'New', original: 'Old' })
  }
  assert.equal(edits.get(10), undefined)
  assert.equal(edits.get(11)?.text, 'New')
})
