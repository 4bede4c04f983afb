import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer({ socket: true })
after(server.close)

const day = 24 * 3600_000
let made = 0
const newKey = () => `key-${++made}`

const post = (actor: Actor, key: string, content: string, more: object = {}) =>
  server.as(actor).post<{ id: number }>('/messages', {
    type: 'channel',
    to: server.channels.public,
    topic: 'keys',
    content,
    idempotency_key: key,
    ...more,
  })

/** The contents of the topic that begin with a word. */
async function sent(word: string): Promise<string[]> {
  const { messages } = await server
    .as('owner')
    .get<{ messages: { content: string }[] }>('/messages', {
      anchor: 'newest',
      num_before: 1000,
      num_after: 0,
      apply_markdown: false,
      narrow: [{ operator: 'topic', operand: 'keys' }],
    })
  return messages.map(({ content }) => content).filter((content) => content.startsWith(word))
}

describe('a message with a key', () => {
  test('is sent once, however often it is posted, and each reply has its ID', async () => {
    const key = newKey()
    const { id } = await post('member', key, 'Once.')
    const [again, other] = [await post('member', key, 'Once.'), await post('member', key, 'Once?')]
    assert.deepEqual([again.id, other.id], [id, id])
    assert.deepEqual(await sent('Once'), ['Once.'])
  })

  test('is sent once when it is posted many times together', async () => {
    const key = newKey()
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => post('member', key, 'Together.')),
    )
    assert.equal(new Set(replies.map(({ id }) => id)).size, 1)
    assert.deepEqual(await sent('Together'), ['Together.'])
  })

  test('is not that of someone else with the same key', async () => {
    const key = newKey()
    const [mine, theirs] = [await post('member', key, 'Mine.'), await post('owner', key, 'Theirs.')]
    assert.notEqual(mine.id, theirs.id)
    assert.deepEqual(await sent('Theirs'), ['Theirs.'])
  })

  test('is the same one for a day, and another one after that', async () => {
    const key = newKey()
    const { id } = await post('member', key, 'Daily.')
    server.clock.advance(day - 60_000)
    assert.equal((await post('member', key, 'Daily.')).id, id)
    server.clock.advance(120_000)
    assert.notEqual((await post('member', key, 'Daily.')).id, id)
    assert.deepEqual(await sent('Daily'), ['Daily.', 'Daily.'])
  })

  test('is not sent again when it was deleted', async () => {
    const key = newKey()
    const { id } = await post('member', key, 'Regretted.')
    assert.equal((await server.as('owner').del(`/messages/${id}`)).msg, '')
    assert.equal((await post('member', key, 'Regretted.')).id, id)
    assert.deepEqual(await sent('Regretted'), [])
  })

  test('that was refused is sent when it is posted again', async () => {
    const key = newKey()
    const refused = await post('member', key, 'Refused.', { content: ' ' })
    assert.deepEqual(refused, failure('Message must not be empty'))
    assert.ok((await post('member', key, 'Refused no more.')).id)
    assert.deepEqual(await sent('Refused'), ['Refused no more.'])
  })

  test('leaves no more keys than those of a day', async () => {
    const { $client: sqlite } = server.server.context.store.db
    const count = () => sqlite.prepare('SELECT count(*) FROM message_keys').pluck().get()
    for (let i = 0; i < 5; i++) await post('member', newKey(), 'Of the first day.')
    server.clock.advance(day + 60_000)
    await post('member', newKey(), 'Of the next day.')
    assert.equal(count(), 1)
  })
})

test('a connection that breaks at any byte of the request or of the reply leaves one message', async () => {
  const { apiKey, email } = server.as('member')
  const { hostname, port } = new URL(server.url)
  const request = (key: string, content: string) => {
    const body = new URLSearchParams({
      type: 'channel',
      to: String(server.channels.public),
      topic: 'keys',
      content,
      idempotency_key: key,
    }).toString()
    return [
      'POST /api/v1/messages HTTP/1.1',
      'Host: localhost',
      `Authorization: Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
  }
  /** Sends some bytes, reads some of the reply, and breaks off. */
  const exchange = (text: string, mostRead: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname)
      let read = 0
      socket.on('connect', () => {
        if (text) socket.write(text)
        if (mostRead === 0) socket.end(() => socket.destroy())
      })
      socket.on('data', (data) => {
        read += data.length
        if (read >= mostRead) socket.destroy()
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
  const { length } = request('key-000', 'Cut 000.')
  // Every byte of the request, and some of the reply.
  const cuts = [
    ...Array.from({ length: length + 1 }, (_, sends) => [sends, 0] as const),
    ...[1, 17, 200].map((reads) => [length, reads] as const),
  ]
  for (const [index, [sends, reads]] of cuts.entries()) {
    const number = String(index).padStart(3, '0')
    const key = `cut-${number}`
    await exchange(request(key, `Cut ${number}.`).slice(0, sends), reads)
    const { id } = await post('member', key, `Cut ${number}.`)
    assert.equal((await post('member', key, `Cut ${number}.`)).id, id)
  }
  const contents = await sent('Cut')
  assert.equal(contents.length, cuts.length)
  assert.equal(new Set(contents).size, cuts.length)
})
