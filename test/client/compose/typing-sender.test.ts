import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, mock, test } from 'node:test'
import type { App } from '#client/app.ts'
import { createTypingSender, type TypingSender, typingIn } from '#client/compose/typing-sender.ts'
import { directConversation, topicConversation } from '#client/state/from-wire.ts'
import { goOnline } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { othello, member } = server.ids
const topic = typingIn(topicConversation(server.channels.public, 'plans'))
const direct = typingIn(directConversation([othello, member], member))

const online = await goOnline(server, 'member')
const {
  server_typing_started_wait_period_milliseconds: again,
  server_typing_stopped_wait_period_milliseconds: silence,
} = online.store.realm.peek()

/** What was told: `start topic`, `stop direct`. */
let told: string[] = []
let sender: TypingSender

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  told = []
  const post = async (_path: string, { op, type }: { op: string; type: string }) => {
    told.push(`${op} ${type}`)
  }
  sender = createTypingSender({ store: online.store, api: { post } } as unknown as App)
})
afterEach(() => mock.timers.reset())

test('tells once that someone types, and again after a while', () => {
  for (let i = 0; i < 5; i++) sender.typed(topic)
  assert.deepEqual(told, ['start channel'])
  for (let passed = 0; passed <= again; passed += 1000) {
    mock.timers.tick(1000)
    sender.typed(topic)
  }
  assert.deepEqual(told, ['start channel', 'start channel'])
})

test('tells after a silence that someone has stopped typing', () => {
  sender.typed(direct)
  mock.timers.tick(silence - 1)
  assert.deepEqual(told, ['start direct'])
  mock.timers.tick(1)
  assert.deepEqual(told, ['start direct', 'stop direct'])
})

test('tells once that someone has stopped when the message is sent', () => {
  sender.typed(topic)
  sender.stop()
  sender.stop()
  mock.timers.tick(silence)
  assert.deepEqual(told, ['start channel', 'stop channel'])
})

test('typing in another conversation ends it in the one before', () => {
  sender.typed(topic)
  sender.typed(direct)
  assert.deepEqual(told, ['start channel', 'stop channel', 'start direct'])
})

test('tells nothing where the setting for this kind of conversation is off', async () => {
  const settings = { send_private_typing_notifications: false }
  await server.as('member').patch('/settings', settings)
  await online.poll()
  sender.typed(direct)
  sender.typed(topic)
  assert.deepEqual(told, ['start channel'])
})
