import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { effect } from '@preact/signals-core'
import { createMessageList } from '#client/lists/create-message-list.ts'
import type { MessageList } from '#client/lists/message-list.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { term } from '#client/narrow/terms.ts'
import { goOnline, type Online } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { channels, ids } = server

/** A topic with so many messages of the owner, and their ids. */
let topics = 0
async function fill(count: number): Promise<{ narrow: Narrow; topic: string; sent: number[] }> {
  const topic = `list ${++topics}`
  // All at once, so that they share commits.
  const sending = Array.from({ length: count }, (_, i) =>
    server.say('owner', 'public', topic, `Text ${i}.`),
  )
  const sent = (await Promise.all(sending)).sort((a, b) => a - b)
  return { narrow: { kind: 'topic', channelId: channels.public, topic }, topic, sent }
}

const listOf = (online: Online, narrow: Narrow): MessageList => createMessageList(narrow, online)

const shown = (list: MessageList) => [...list.ids.value]

test('a list opens at the first unread message, and fetches older and newer ones in turn', async () => {
  const { narrow, topic, sent } = await fill(200)
  await server.as('member').post('/messages/flags', {
    messages: sent.slice(0, 100),
    op: 'add',
    flag: 'read',
  })
  const online = await goOnline(server, 'member')
  const list = listOf(online, narrow)
  await list.open({ at: 'first-unread' })
  assert.equal(list.anchorId.value, sent[100])
  assert.equal(list.firstUnreadId.value, sent[100])
  assert.deepEqual(shown(list), sent.slice(70, 151))
  await list.fetchOlder()
  assert.deepEqual(shown(list), sent.slice(0, 151))
  assert.equal(list.status.value.hasOldest, true)
  await list.fetchNewer()
  assert.deepEqual(shown(list), sent)
  assert.equal(list.status.value.hasNewest, true)
  const next = await server.say('owner', 'public', topic)
  await online.poll()
  assert.deepEqual(shown(list), [...sent, next])
  list.close()
})

test('a long list out of view lets go of what is far from the reading place, and fetches it again', async () => {
  const { narrow, sent } = await fill(300)
  const online = await goOnline(server, 'member')
  const { store } = online
  const list = listOf(online, narrow)
  await list.open({ at: 'newest' })
  while (!list.status.value.hasOldest) await list.fetchOlder()
  assert.deepEqual(shown(list), sent)

  const some = store.messages.peek(sent[0] ?? 0)
  assert.ok(some)
  const receiveMany = () => {
    const last = Math.max(...store.messages.current.keys())
    store.addMessages(Array.from({ length: 3000 }, (_, i) => ({ ...some, id: last + 1 + i })))
    store.apply([])
  }
  const leave = effect(() => void list.ids.value)
  receiveMany()
  assert.deepEqual(shown(list), sent, 'while it is in view')
  leave()
  list.readingId = sent[120]
  receiveMany()
  assert.deepEqual(shown(list), sent.slice(90, 150))
  assert.equal(store.messages.has(sent[0] ?? 0), false)
  assert.ok(store.messages.has(sent[120] ?? 0))

  while (!list.status.value.hasOldest) await list.fetchOlder()
  while (!list.status.value.hasNewest) await list.fetchNewer()
  assert.deepEqual(shown(list), sent)
  list.close()
})

test('a message that arrives while a fetch reaches the end is there, once', async () => {
  const { narrow, topic, sent } = await fill(3)
  const online = await goOnline(server, 'member')
  const list = listOf(online, narrow)
  const held = online.hold()
  const opening = list.open({ at: 'newest' })
  while (held.asked.length === 0) await new Promise(setImmediate)
  const next = await server.say('owner', 'public', topic)
  await online.poll()
  assert.deepEqual(shown(list), [])
  held.letThrough()
  await opening
  assert.deepEqual(shown(list), [...sent, next])
  list.close()
})

test('a message that arrives while the end is not fetched waits for the fetch', async () => {
  const { narrow, topic, sent } = await fill(120)
  const online = await goOnline(server, 'member')
  const list = listOf(online, narrow)
  await list.open({ at: 'message', id: sent[0] ?? 0 })
  assert.deepEqual(shown(list), sent.slice(0, 51))
  const next = await server.say('owner', 'public', topic)
  await online.poll()
  assert.deepEqual(shown(list), sent.slice(0, 51))
  await list.fetchNewer()
  assert.deepEqual(shown(list), [...sent, next])
  list.close()
})

test('an answer that comes after the list was opened elsewhere is discarded', async () => {
  const { narrow, sent } = await fill(160)
  const online = await goOnline(server, 'member')
  const list = listOf(online, narrow)
  const late = online.hold()
  const first = list.open({ at: 'message', id: sent[0] ?? 0 })
  while (late.asked.length === 0) await new Promise(setImmediate)
  const early = online.hold()
  const second = list.open({ at: 'newest' })
  while (early.asked.length === 0) await new Promise(setImmediate)
  early.letThrough()
  await second
  late.letThrough()
  await first
  assert.deepEqual(shown(list), sent.slice(-50))
  assert.equal(list.anchorId.value, sent.at(-1))
  list.close()
})

describe('what happens to messages', () => {
  test('deleted ones go', async () => {
    const { narrow, sent } = await fill(3)
    const online = await goOnline(server, 'member')
    const list = listOf(online, narrow)
    await list.open({ at: 'newest' })
    await server.as('owner').del(`/messages/${sent[1]}`)
    await online.poll()
    assert.deepEqual(shown(list), [sent[0], sent[2]])
    list.close()
  })

  test('moved ones leave one list and enter the other, known or not', async () => {
    const from = await fill(3)
    const to = await fill(2)
    const online = await goOnline(server, 'member')
    const [old, target] = [listOf(online, from.narrow), listOf(online, to.narrow)]
    await target.open({ at: 'newest' })
    // Nothing of the old topic is known yet: the moved messages have to be fetched.
    const [first, second, third] = from.sent
    await server.as('owner').patch(`/messages/${first}`, { topic: to.topic })
    await online.poll()
    const hasFirst = () => shown(target).includes(first ?? 0)
    while (!hasFirst()) await new Promise(setImmediate)
    await old.open({ at: 'newest' })
    assert.deepEqual(shown(old), [second, third])
    await server
      .as('owner')
      .patch(`/messages/${second}`, { topic: to.topic, propagate_mode: 'change_one' })
    await online.poll()
    assert.deepEqual(shown(old).includes(second ?? 0), false)
    assert.deepEqual(shown(target).includes(second ?? 0), true)
    assert.equal(old.movedTo.value, undefined)
    old.close()
    target.close()
  })

  test('a list whose whole topic moves says where it went', async () => {
    const { narrow, sent } = await fill(2)
    const online = await goOnline(server, 'member')
    const list = listOf(online, narrow)
    await list.open({ at: 'newest' })
    const topic = `list ${++topics}`
    await server.as('owner').patch(`/messages/${sent[0]}`, {
      topic,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    })
    await online.poll()
    assert.deepEqual(list.movedTo.value, { kind: 'topic', channelId: channels.public, topic })
    assert.deepEqual(shown(list), [])
    list.close()
  })

  test('a link with a message that has moved leads to where it is', async () => {
    const { narrow, sent } = await fill(2)
    const topic = `list ${++topics}`
    await server.as('owner').patch(`/messages/${sent[0]}`, {
      topic,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    })
    const online = await goOnline(server, 'member')
    const list = listOf(online, { ...narrow, withId: sent[1] ?? 0 } as Narrow)
    await list.open({ at: 'first-unread' })
    const expected = { kind: 'topic', channelId: channels.public, topic, withId: sent[1] }
    assert.deepEqual(list.movedTo.value, expected)
    list.close()
  })

  test('edits put messages in and out of the mentions', async () => {
    const mention = '@**King Hamlet** hello'
    const id = await server.say('othello', 'public', 'edited', mention)
    const online = await goOnline(server, 'member')
    const list = listOf(online, { kind: 'mentions' })
    await list.open({ at: 'newest' })
    assert.equal(list.ids.peek().at(-1), id)
    const edit = async (content: string) => {
      await server.as('othello').patch(`/messages/${id}`, { content })
      await online.poll()
      return list.ids.peek().includes(id)
    }
    assert.equal(await edit('Hello'), false)
    assert.equal(await edit(mention), true)
    list.close()
  })

  test('stars put messages in and out of the starred ones', async () => {
    const { sent } = await fill(2)
    const online = await goOnline(server, 'member')
    const list = listOf(online, { kind: 'starred' })
    await list.open({ at: 'newest' })
    const topic = listOf(online, { kind: 'channel', channelId: channels.public })
    await topic.open({ at: 'newest' })
    const star = (op: string) =>
      server.as('member').post('/messages/flags', { messages: [sent[0]], op, flag: 'starred' })
    await star('add')
    await online.poll()
    assert.equal(shown(list).includes(sent[0] ?? 0), true)
    await star('remove')
    await online.poll()
    assert.equal(shown(list).includes(sent[0] ?? 0), false)
    list.close()
    topic.close()
  })
})

test('a search asks the server about messages that arrive, and has what it found', async () => {
  const { topic } = await fill(1)
  const online = await goOnline(server, 'member')
  const terms = [term('search', 'walrus')]
  const list = listOf(online, { kind: 'search', terms })
  await list.open({ at: 'newest' })
  assert.deepEqual(shown(list), [])
  const found = await server.say('owner', 'public', topic, 'I am the walrus.')
  await server.say('owner', 'public', topic, 'I am not.')
  await online.poll()
  while (shown(list).length === 0) await new Promise(setImmediate)
  assert.deepEqual(shown(list), [found])
  const html = () => list.matches.value.get(found)?.html
  assert.equal(html(), '<p>I am the <span class="highlight">walrus</span>.</p>')
  await server.as('owner').patch(`/messages/${found}`, { content: 'The walrus was Paul.' })
  await online.poll()
  while (html() === undefined) await new Promise(setImmediate)
  assert.equal(html(), '<p>The <span class="highlight">walrus</span> was Paul.</p>')
  list.close()
})

test('muted people and topics are left out at once, and come back without a fetch', async () => {
  const { topic, sent } = await fill(2)
  const other = await server.say('othello', 'public', topic)
  const online = await goOnline(server, 'member')
  const list = listOf(online, { kind: 'channel', channelId: channels.public })
  await list.open({ at: 'newest' })
  const here = () => shown(list).filter((id) => [...sent, other].includes(id))
  assert.deepEqual(here(), [...sent, other])
  const member = server.as('member')
  await member.post(`/users/me/muted_users/${ids.othello}`)
  await online.poll()
  assert.deepEqual(here(), sent)
  const policy = (visibility_policy: number) =>
    member.post('/user_topics', { stream_id: channels.public, topic, visibility_policy })
  await policy(1)
  await online.poll()
  assert.deepEqual(here(), [])
  const held = online.hold()
  await policy(0)
  await member.del(`/users/me/muted_users/${ids.othello}`)
  await online.poll()
  assert.deepEqual(here(), [...sent, other])
  assert.deepEqual(held.asked, [])
  held.letThrough()
  list.close()
})

describe('after a restart', () => {
  test('a list keeps what it shows until it knows better', async () => {
    const { narrow, topic, sent } = await fill(3)
    const online = await goOnline(server, 'member')
    const list = listOf(online, narrow)
    await list.open({ at: 'newest' })
    const stopLooking = list.ids.subscribe(() => {})
    await server.as('owner').del(`/messages/${sent[0]}`)
    const next = await server.say('owner', 'public', topic)
    const held = online.hold()
    await online.restart()
    assert.deepEqual(shown(list), sent)
    assert.equal(list.status.value.isOpening, true)
    held.letThrough()
    while (list.status.value.isOpening) await new Promise(setImmediate)
    assert.deepEqual(shown(list), [sent[1], sent[2], next])
    stopLooking()
    list.close()
  })

  test('a list at which nobody looks waits until it is opened again', async () => {
    const { narrow, topic, sent } = await fill(3)
    const online = await goOnline(server, 'member')
    const list = listOf(online, narrow)
    await list.open({ at: 'newest' })
    const next = await server.say('owner', 'public', topic)
    const held = online.hold()
    await online.restart()
    assert.equal(list.status.value.isOpening, false)
    held.letThrough()
    await list.open({ at: 'newest' })
    assert.deepEqual(shown(list), [...sent, next])
    list.close()
  })
})

test('a fetch that fails says so until the next one', async () => {
  const online = await goOnline(server, 'member')
  const list = listOf(online, {
    kind: 'search',
    terms: [term('channel', 'no such channel')],
  })
  await list.open({ at: 'newest' })
  assert.equal(list.status.value.isOpening, false)
  assert.equal(list.status.value.problem, 'This does not exist, or you do not have access to it.')
  list.close()
})
