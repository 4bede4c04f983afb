import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { fetchFile } from '#test/support/files.ts'
import { programArguments } from '#test/support/programs.ts'
import { type Actor, type Event, startServer } from '#test/support/server.ts'

// It replaces the global `FormData` for good, which other files of this process need.
const { FormData } = globalThis
const { default: zulip } = await import('zulip-js')
globalThis.FormData = FormData

const server = await startServer()
after(server.close)

const realm = server.url
const cordelia = { id: 8, username: 'cordelia@zulip.com' }
const hamlet = { id: 10, username: 'hamlet@zulip.com' }
const login = ({ username }: { username: string }) =>
  zulip({ realm, username, apiKey: fixtureApiKey(username) })

interface Listener {
  /** The events since the last call, waiting until there are this many. */
  take(count: number): Promise<Event[]>
  stop(): Promise<void>
}

/** A bot in a process of its own, which zulip-js calls on each event of these types. */
async function listen(
  { id, username }: { id: number; username: string },
  ...eventTypes: string[]
): Promise<Listener> {
  const program = programArguments('test/whole/clients/zulip-js-listener.ts')
  const bot = spawn(
    process.execPath,
    [...program, realm, username, fixtureApiKey(username), ...eventTypes],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const events = on(bot, 'message')
  const { queues } = server.server.context
  while (![...queues.liveUsers()].includes(id)) await wait(10)
  return {
    async take(count) {
      const taken: Event[] = []
      while (taken.length < count) taken.push((await events.next()).value[0])
      return taken
    },
    async stop() {
      bot.kill()
      await once(bot, 'exit')
    },
  }
}

test('the client logs in with a password and uses the returned API key from then on', async () => {
  const client = await zulip({ realm, username: hamlet.username, password: 'hamlet-password' })
  assert.equal(client.config.apiKey, fixtureApiKey(hamlet.username))
  const { result, user_id } = await client.users.me.getProfile()
  assert.deepEqual([result, user_id], ['success', hamlet.id])
})

test('the client works with a key from the development endpoint', async () => {
  const { username } = cordelia
  const { api_key } = await server.anonymous.post<{ api_key: string }>('/dev_fetch_api_key', {
    username,
  })
  const client = await zulip({ realm, username, apiKey: api_key })
  const { result, user_id } = await client.users.me.getProfile()
  assert.deepEqual([result, user_id], ['success', cordelia.id])
})

test('a wrong key gives an error reply, not an exception', async () => {
  const client = await zulip({ realm, username: hamlet.username, apiKey: 'wrong' })
  const { result, msg } = await client.users.me.getProfile()
  assert.deepEqual([result, msg], ['error', 'Invalid API key'])
})

test('subscribing to a new channel creates and lists it', async () => {
  const client = await login(hamlet)
  const subscriptions = JSON.stringify([{ name: 'elsinore', description: 'A castle' }])
  const added = await client.users.me.subscriptions.add({ subscriptions })
  assert.equal(added.result, 'success', added.msg)
  assert.deepEqual(Object.values(added.subscribed as object), [['elsinore']])
  const { subscriptions: listed } = await client.streams.subscriptions.retrieve()
  const names = (listed as { name: string }[]).map(({ name }) => name)
  assert.ok(names.includes('elsinore'))
})

test('callOnEachEvent receives channel messages, direct messages and reactions', async () => {
  const listener = await listen(cordelia, 'message', 'reaction')
  const client = await login(hamlet)
  const toChannel = await client.messages.send({
    type: 'stream',
    to: 'Verona',
    topic: 'castle',
    content: 'Who is *there*?',
  })
  assert.equal(toChannel.result, 'success', toChannel.msg)
  const direct = await client.messages.send({
    type: 'private',
    to: [cordelia.id],
    content: 'Words, words.',
  })
  assert.equal(direct.result, 'success', direct.msg)
  const reaction = await client.reactions.add({ message_id: toChannel.id, emoji_name: 'octopus' })
  assert.equal(reaction.result, 'success', reaction.msg)

  const heard = (await listener.take(3)).map(({ type, message, message_id, emoji_name }) =>
    type === 'message' ? seen(message as Message) : { type, message_id, emoji_name },
  )
  assert.deepEqual(heard, [
    {
      id: toChannel.id,
      type: 'stream',
      subject: 'castle',
      content: 'Who is *there*?',
      display_recipient: 'Verona',
      sender_email: 'user10@zulipdev.com',
    },
    {
      id: direct.id,
      type: 'private',
      subject: '',
      content: 'Words, words.',
      display_recipient: [cordelia.id, hamlet.id],
      sender_email: 'user10@zulipdev.com',
    },
    { type: 'reaction', message_id: toChannel.id, emoji_name: 'octopus' },
  ])
  await listener.stop()
})

interface Message {
  id: number
  type: string
  subject: string
  content: string
  display_recipient: string | { id: number }[]
  sender_email: string
  flags?: string[]
}

function seen({ id, type, subject, content, display_recipient, sender_email }: Message) {
  const people =
    typeof display_recipient === 'string' ? display_recipient : display_recipient.map((to) => to.id)
  return { id, type, subject, content, display_recipient: people, sender_email }
}

test('a narrow finds a sent message, which is unread until it is marked as read', async () => {
  const id = await server.say('member', 'shared', 'a narrow place')
  const client = await login(cordelia)
  const find = async () => {
    const reply = await client.messages.retrieve({
      narrow: [
        { operator: 'channel', operand: 'Verona' },
        { operator: 'topic', operand: 'a narrow place' },
      ],
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    })
    assert.equal(reply.result, 'success', reply.msg)
    return (reply.messages as Message[]).map((message) => [message.id, message.flags])
  }
  assert.deepEqual(await find(), [[id, []]])
  const marked = await client.messages.flags.add({ messages: [id], flag: 'read' })
  assert.equal(marked.result, 'success', marked.msg)
  assert.deepEqual(await find(), [[id, ['read']]])
})

test('an uploaded file can be read by users who can read a message that links to it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-upload-'))
  const path = join(folder, 'soliloquy.txt')
  writeFileSync(path, 'To be, or not to be')
  const client = await login(hamlet)
  // Its own form takes a file as it takes any parameter.
  const file = createReadStream(path)
  const uploaded = await client.callEndpoint('/user_uploads', 'POST', { file })
  assert.deepEqual([uploaded.result, uploaded.filename], ['success', 'soliloquy.txt'])
  const url = uploaded.url as string
  const download = async (actor?: Actor) => {
    const response = await fetchFile(server, actor, url)
    return response.ok ? await response.text() : response.status
  }
  assert.deepEqual(
    [await download('member'), await download('othello')],
    ['To be, or not to be', 404],
  )
  const sent = await client.messages.send({
    type: 'stream',
    to: 'Denmark',
    topic: 'castle',
    content: `A [speech](${url})`,
  })
  assert.equal(sent.result, 'success', sent.msg)
  assert.equal(await download('othello'), 'To be, or not to be')
  // Everyone but guests may read Denmark; Polonius is one, and not subscribed.
  assert.deepEqual(
    [await download('outsider'), await download('guest')],
    ['To be, or not to be', 404],
  )
  assert.equal(await download(), 404)
  const reader = await login(cordelia)
  const temporary = await reader.callEndpoint(url, 'GET')
  assert.equal(temporary.result, 'success', temporary.msg)
  const link = await fetch(realm + String(temporary.url))
  assert.equal(await link.text(), 'To be, or not to be')
  const direct = await client.messages.send({
    type: 'private',
    to: [13],
    content: `For you: [speech](${url})`,
  })
  assert.equal(direct.result, 'success', direct.msg)
  assert.equal(await download('guest'), 'To be, or not to be')
  rmSync(folder, { recursive: true })
})

test('a file in a private channel does not exist for other users', async () => {
  const client = await login(hamlet)
  const folder = mkdtempSync(join(tmpdir(), 'parley-upload-'))
  writeFileSync(join(folder, 'plan.txt'), 'Secret')
  const file = createReadStream(join(folder, 'plan.txt'))
  const { url } = await client.callEndpoint('/user_uploads', 'POST', { file })
  const content = `[plan](${url})`
  await client.messages.send({ type: 'stream', to: 'core team', topic: 'plans', content })
  const statuses: Partial<Record<Actor | 'nobody', number>> = {}
  for (const actor of ['admin', 'othello', 'guest', 'bot', undefined] as const) {
    statuses[actor ?? 'nobody'] = (await fetchFile(server, actor, String(url))).status
  }
  const none = { othello: 404, guest: 404, bot: 404, nobody: 404 }
  assert.deepEqual(statuses, { admin: 200, ...none })
  rmSync(folder, { recursive: true })
})

test('a server stops even while a client waits for events', async () => {
  const other = await startServer()
  const client = await zulip({
    realm: other.url,
    username: hamlet.username,
    apiKey: fixtureApiKey(hamlet.username),
  })
  const { queue_id, last_event_id } = await client.callEndpoint('/register', 'POST', {
    event_types: ['message'],
  })
  const poll = client.callEndpoint('/events', 'GET', { queue_id, last_event_id })
  // The server takes up the poll before this, which comes later on another connection.
  await client.users.me.getProfile()
  await other.close()
  const { result, events } = await poll
  assert.deepEqual([result, events], ['success', []])
})
