import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { public: denmark } = server.channels

interface Message {
  readonly subject: string
  readonly content: string
  readonly flags: string[]
}

const limits = () => server.as('member').post('/register', { event_types: ['realm'] })
const send = (params: CallParams) =>
  server.as('member').post<{ id: number; code?: string }>('/messages', {
    type: 'channel',
    to: denmark,
    topic: 'plans',
    content: 'Hello.',
    ...params,
  })
const first = async (id: number) => {
  const asked = { message_ids: [id], allow_empty_topic_name: true }
  const { messages } = await server.as('member').get<{ messages: Message[] }>('/messages', asked)
  const [message] = messages
  assert.ok(message)
  return message
}
const setRealm = async (params: CallParams) =>
  assert.equal((await server.as('owner').patch('/realm', params)).msg, '')

describe('Send a message', () => {
  test('`content` has at most `max_message_length` characters', async () => {
    const most = Number((await limits()).max_message_length)
    const kept = await send({ content: 'a'.repeat(most) })
    assert.equal((await first(kept.id)).content, `<p>${'a'.repeat(most)}</p>`)
    const cut = await send({ content: 'a'.repeat(most + 1) })
    assert.match((await first(cut.id)).content, /^<p>a+<br>\n\[message truncated\]<\/p>$/)
  })

  test('`topic` is ignored for direct messages', async () => {
    const { id } = await send({ type: 'direct', to: [11], topic: 'plans' })
    assert.equal((await first(id)).subject, '')
  })

  test('`topic` has at most `max_topic_length` characters', async () => {
    const most = Number((await limits()).max_topic_length)
    const kept = await send({ topic: 'a'.repeat(most) })
    assert.equal((await first(kept.id)).subject, 'a'.repeat(most))
    const cut = await send({ topic: 'a'.repeat(most + 1) })
    assert.equal((await first(cut.id)).subject, `${'a'.repeat(most - 3)}...`)
  })

  const emptyTopics = ['', '(no topic)', 'general chat']
  for (const topic of emptyTopics) {
    test(`topic ${JSON.stringify(topic)} is the empty topic, refused when topics are required`, async () => {
      const { id } = await send({ topic })
      assert.equal((await first(id)).subject, '')
      await setRealm({ topics_policy: 'disable_empty_topic' })
      const refused = await send({ topic })
      await setRealm({ topics_policy: 'allow_empty_topic' })
      assert.deepEqual([refused.result, refused.code], ['error', 'BAD_REQUEST'])
    })
  }

  const clients: [client: string, read: boolean][] = [
    ['ZulipFlutter/30.0 (iOS 18)', true],
    ['ZulipTerminal/0.7.0', true],
    ['curl/8.5.0', false],
    ['ZulipPython/0.9.1', false],
  ]
  for (const [client, read] of clients) {
    test(`without \`read_by_sender\` it is decided by the client name: ${client} starts as ${read ? 'read' : 'unread'}`, async () => {
      const { email, apiKey } = server.as('member')
      const sent = await fetch(`${server.url}/api/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${email}:${apiKey}`)}`, 'user-agent': client },
        body: new URLSearchParams({ type: 'channel', to: 'Denmark', topic: 'x', content: 'x' }),
      })
      const { id } = (await sent.json()) as { id: number }
      assert.equal((await first(id)).flags.includes('read'), read)
    })
  }
})

describe('Check if messages match a narrow', () => {
  for (const name of ['msg_ids', 'narrow'] as const) {
    test(`\`${name}\` is required`, async () => {
      const asked = { msg_ids: [1], narrow: [], [name]: undefined }
      assert.equal(
        (await server.as('member').get('/messages/matches_narrow', asked)).result,
        'error',
      )
    })
  }
})

describe("Get a message's edit history", () => {
  const history = (id: number, params: CallParams = {}) =>
    server
      .as('member')
      .get<{ message_history: Record<string, unknown>[] }>(`/messages/${id}/history`, params)

  test('the empty topic is its display name in `topic` and `prev_topic` unless `allow_empty_topic_name`', async () => {
    const { id } = await send({ topic: '' })
    await server.as('member').patch(`/messages/${id}`, { topic: 'named' })
    const names = async (params: CallParams) => {
      const [before, later] = (await history(id, params)).message_history
      return [before?.topic, later?.prev_topic]
    }
    assert.deepEqual(await names({}), ['general chat', 'general chat'])
    assert.deepEqual(await names({ allow_empty_topic_name: true }), ['', ''])
  })
})
