import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Channel, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const bot = server.as('bot')
const mention = '@**Zulip Default Bot**'
const text = `${mention} help`

interface Page {
  messages: { id: number; flags: string[] }[]
}
const history = async (narrow: object[] = []) =>
  (await bot.get<Page>('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow }))
    .messages

const flagsOf = async (id: number) => (await history()).find((message) => message.id === id)?.flags

describe('a bot that is mentioned in a channel that it is not subscribed to', () => {
  test('gets the message, in its events and in its history', async () => {
    const queue = await bot.watch('message')
    const before = await server.say('member', 'public', 'bots', 'no mention')
    const id = await server.say('member', 'public', 'bots', text)
    const after = await server.say('member', 'public', 'bots', 'no mention')
    const events = await queue.drain()
    assert.deepEqual(
      events.map(({ message, flags }) => [(message as { id: number }).id, flags]),
      [[id, ['read', 'mentioned']]],
    )
    const ids = (await history()).map((message) => message.id)
    assert.deepEqual(
      [before, id, after].map((each) => ids.includes(each)),
      [false, true, false],
    )
    assert.deepEqual(await flagsOf(id), ['read', 'mentioned'])
    const found = await history([{ operator: 'is', operand: 'mentioned' }])
    assert.deepEqual(
      found.map((message) => message.id),
      [id],
    )
  })

  test('can answer there, and gets the next mention as well', async () => {
    const first = await server.say('member', 'public', 'bots', text)
    const answer = { type: 'stream', to: 'Denmark', topic: 'bots', content: 'I am here.' }
    assert.equal((await bot.post('/messages', answer)).result, 'success')
    const second = await server.say('member', 'public', 'bots', text)
    assert.deepEqual(await flagsOf(first), ['read', 'mentioned'])
    assert.deepEqual(await flagsOf(second), ['read', 'mentioned'])
  })

  test('has a message that mentions it since an edit', async () => {
    const id = await server.say('member', 'public', 'bots', 'help')
    assert.equal(await flagsOf(id), undefined)
    const queue = await bot.watch('update_message')
    await server.as('member').patch(`/messages/${id}`, { content: text })
    assert.deepEqual((await queue.drain())[0]?.flags, ['read', 'mentioned'])
    assert.deepEqual(await flagsOf(id), ['read', 'mentioned'])
    await server.as('member').patch(`/messages/${id}`, { content: 'never mind' })
    assert.deepEqual(await flagsOf(id), ['read'])
  })

  test('keeps what it got when it subscribes and leaves', async () => {
    const id = await server.say('member', 'public', 'bots', text)
    const subscriptions = [{ name: 'Denmark' }]
    await bot.post('/users/me/subscriptions', { subscriptions })
    const own = await server.say('member', 'public', 'bots', 'no mention')
    await bot.del('/users/me/subscriptions', { subscriptions: ['Denmark'] })
    assert.deepEqual(await flagsOf(id), ['read', 'mentioned'])
    assert.deepEqual(await flagsOf(own), ['read'])
    const last = await server.say('member', 'public', 'bots', text)
    assert.deepEqual(await flagsOf(last), ['read', 'mentioned'])
  })
})

// biome-ignore format: a table reads best in columns
const without: [string, Channel, string][] = [
  ['in a channel that it cannot read',      'private', text],
  ['silently',                              'public',  '@_**Zulip Default Bot** help'],
  ['as one of everybody',                   'public',  '@**all** help'],
  ['in code',                               'public',  `\`${mention}\``],
]
for (const [how, channel, content] of without) {
  test(`a bot that is mentioned ${how} gets nothing`, async () => {
    const queue = await bot.watch('message')
    const id = await server.say('owner', channel, 'bots', content)
    assert.deepEqual(await queue.drain(), [])
    assert.equal(await flagsOf(id), undefined)
  })
}

test('a person who is mentioned in a channel that they are not subscribed to gets nothing', async () => {
  const queue = await server.as('outsider').watch('message')
  await server.say('member', 'public', 'bots', '@**aaron** help')
  assert.deepEqual(await queue.drain(), [])
})

test('a bot that mentions itself does not get its own message', async () => {
  const queue = await bot.watch('message')
  await bot.post('/messages', { type: 'stream', to: 'Denmark', topic: 'bots', content: text })
  assert.deepEqual(await queue.drain(), [])
})
