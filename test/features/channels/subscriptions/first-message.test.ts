import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer({ channelNotices: true, config: { webPublicChannels: true } })
after(server.close)
await server.as('owner').patch('/realm', { enable_spectator_access: true })
const { ids } = server
const author = '@_**Desdemona|9**'

interface Message {
  readonly sender_full_name: string
  readonly subject: string
  readonly content: string
  readonly flags: readonly string[]
}

async function read(actor: Actor, channel: string | number): Promise<Message[]> {
  const { messages } = await server.as(actor).get<{ messages: Message[] }>('/messages', {
    narrow: [{ operator: 'channel', operand: channel }],
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return messages
}

let made = 0
async function create(params: CallParams = {}): Promise<number> {
  const reply = await server.as('owner').post<{ id: number }>('/channels/create', {
    name: `new ${++made}`,
    subscribers: [ids.owner, ids.zoe],
    ...params,
  })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.id
}

describe('the first message of a channel says who can read it', () => {
  // biome-ignore format: a table reads best in columns
  const kinds: [privacy: string, params: CallParams][] = [
    ['public',                          {}],
    ['web-public',                      { is_web_public: true }],
    ['private, with shared history',    { invite_only: true, history_public_to_subscribers: true }],
    ['private, with protected history', { invite_only: true, history_public_to_subscribers: false }],
  ]
  for (const [privacy, params] of kinds) {
    test(privacy, async () => {
      const id = await create(params)
      assert.deepEqual(
        (await read('zoe', id)).map((one) => [one.sender_full_name, one.subject, one.content]),
        [
          [
            'Notification Bot',
            'channel events',
            `${author} created this channel. It is **${privacy}**.`,
          ],
        ],
      )
    })
  }
})

test('it is unread for all first subscribers but the one who created the channel', async () => {
  const queue = await server.as('zoe').watch('message')
  const id = await create()
  assert.deepEqual(
    [await read('zoe', id), await read('owner', id)].map(([one]) => one?.flags),
    [[], ['read']],
  )
  assert.equal((await queue.drain()).length, 1)
})

test('it quotes the description, which mentions nobody', async () => {
  const description = '@**all** see @**Zoe** ```x'
  const id = await create({ description })
  const [first] = await read('zoe', id)
  assert.match(first?.content ?? '', /It is \*\*public\*\*\.\n\nDescription:\n/)
  assert.ok(first?.content.includes(description))
  assert.deepEqual(first?.flags, [])
})

test('it has the only topic of a channel without topics', async () => {
  const id = await create({ topics_policy: 'empty_topic_only' })
  assert.equal((await read('zoe', id))[0]?.subject, '')
})

test('each channel that subscribing creates has its own', async () => {
  const subscriptions = ['one', 'Verona', 'two'].map((name) => ({
    name,
    description: `For ${name}.`,
  }))
  const before = (await read('member', 'Verona')).length
  assert.equal(
    (await server.as('member').post('/users/me/subscriptions', { subscriptions })).result,
    'success',
  )
  for (const name of ['one', 'two']) {
    const messages = await read('member', name)
    assert.equal(messages.length, 1)
    assert.match(messages[0]?.content ?? '', new RegExp(`For ${name}\\.`))
  }
  assert.equal((await read('member', 'Verona')).length, before)
})

test('an organization that wants no such messages has none', async () => {
  const set = { send_channel_events_messages: false }
  assert.deepEqual(await server.as('owner').patch('/realm', set), success)
  assert.deepEqual(await read('zoe', await create()), [])
})
