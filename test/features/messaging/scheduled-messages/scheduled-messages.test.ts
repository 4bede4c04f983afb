import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids, channels } = server

const path = '/scheduled_messages'
const type = 'scheduled_messages'
const none = failure('Scheduled message does not exist', 'NOT_FOUND')
/** Less than event queues live without a poll, in seconds. */
const delay = 300
const now = () => Math.floor(server.clock.now() / 1000)
const inAWhile = () => ({ scheduled_delivery_timestamp: now() + delay })
const toChannel = { type: 'channel', to: channels.public, topic: 'later', content: '**Hi**' }
const toPeople = { type: 'direct', to: [ids.cordelia], content: 'Psst.' }

interface Scheduled {
  scheduled_message_id: number
  failed: boolean
  content: string
}

async function schedule(actor: Actor, params: CallParams): Promise<number> {
  const reply = await server
    .as(actor)
    .post<{ scheduled_message_id: number }>(path, { ...inAWhile(), ...params })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.scheduled_message_id
}

async function list(actor: Actor): Promise<Scheduled[]> {
  return (await server.as(actor).get<{ scheduled_messages: Scheduled[] }>(path)).scheduled_messages
}

async function find(actor: Actor, id: number): Promise<Scheduled | undefined> {
  return (await list(actor)).find((message) => message.scheduled_message_id === id)
}

/** Lets that time go by, and everything happen that is due. */
async function aWhile(): Promise<void> {
  server.clock.advance(delay * 1000)
  await server.settled()
}

const made = await server
  .as('owner')
  .post<{ id: number }>('/channels/create', { name: 'attic', subscribers: [ids.owner] })
const attic = made.id

const sentTo = (events: Event[]) =>
  events.map((event) => event.message as Record<string, unknown> & { content: string })

test('a message is kept, changed and given up, and the other clients hear of it', async () => {
  const user = server.as('member')
  const capable = { client_capabilities: { empty_topic_name: true }, event_types: [type] }
  const [old, capably] = await Promise.all([user.watch(type), user.watchWith(capable)])
  const id = await schedule('member', { ...toChannel, topic: '(no topic)' })
  const message = {
    scheduled_message_id: id,
    type: 'stream',
    to: channels.public,
    topic: 'general chat',
    content: '**Hi**',
    rendered_content: '<p><strong>Hi</strong></p>',
    scheduled_delivery_timestamp: now() + delay,
    failed: false,
  }
  assert.deepEqual(await list('member'), [message])
  const edit = (params: CallParams) => user.patch(`${path}/${id}`, params)
  assert.deepEqual(await edit({ content: 'Ho' }), success)
  const shorter = { ...message, content: 'Ho', rendered_content: '<p>Ho</p>' }
  assert.deepEqual(await edit({ scheduled_delivery_timestamp: now() + 2 * delay }), success)
  const later = { ...shorter, scheduled_delivery_timestamp: now() + 2 * delay }
  assert.deepEqual(await edit({ type: 'private', to: [ids.zoe, ids.cordelia] }), success)
  const { topic: _, ...rest } = later
  const direct = { ...rest, type: 'private', to: [ids.zoe, ids.cordelia] }
  assert.deepEqual(await list('member'), [direct])
  const registered = await user.watchWith({ fetch_event_types: [type], ...capable })
  assert.deepEqual(registered.state.scheduled_messages, [direct])
  assert.deepEqual(await user.del(`${path}/${id}`), success)
  assert.deepEqual(await list('member'), [])
  const events = await old.drain()
  assert.deepEqual(events, [
    { type, op: 'add', scheduled_messages: [message] },
    { type, op: 'update', scheduled_message: shorter },
    { type, op: 'update', scheduled_message: later },
    { type, op: 'update', scheduled_message: direct },
    { type, op: 'remove', scheduled_message_id: id },
  ])
  const [first] = await capably.drain()
  assert.deepEqual(first, { type, op: 'add', scheduled_messages: [{ ...message, topic: '' }] })
})

describe('when its time has come', () => {
  test('a channel message is sent once, by the client that scheduled it', async () => {
    const id = await schedule('member', toChannel)
    const [owner, own] = await Promise.all([
      server.as('owner').watch('message'),
      server.as('member').watch('message', type),
    ])
    server.clock.advance((delay - 1) * 1000)
    await server.settled()
    assert.deepEqual(await owner.drain(), [])
    server.clock.advance(1000)
    await server.settled()
    const [message, ...more] = sentTo(await owner.drain())
    assert.deepEqual(more, [])
    assert.equal(message?.content, '**Hi**')
    assert.equal(message?.subject, 'later')
    assert.equal(message?.client, 'node')
    assert.equal(message?.timestamp, now())
    const [sent, removed, ...others] = await own.drain()
    assert.equal(sent?.type, 'message')
    assert.deepEqual(removed, { type, op: 'remove', scheduled_message_id: id })
    assert.deepEqual(others, [])
    assert.deepEqual(await list('member'), [])
    await aWhile()
    assert.deepEqual(await owner.drain(), [])
  })

  test('a message that was sent can be deleted once more, by its sender alone', async () => {
    const id = await schedule('member', toChannel)
    await aWhile()
    const queue = await server.as('member').watch(type)
    assert.deepEqual(await server.as('owner').del(`${path}/${id}`), none)
    assert.deepEqual(await server.as('member').del(`${path}/${id}`), success)
    assert.deepEqual(await server.as('member').del(`${path}/${id}`), none)
    assert.deepEqual(await queue.drain(), [])
  })

  test('of the sent ones, the newest hundred of each user are remembered', async () => {
    const ids: number[] = []
    for (let i = 0; i < 102; i++) ids.push(await schedule('cordelia', toChannel))
    await aWhile()
    const [oldest, , third] = ids
    assert.deepEqual(await server.as('cordelia').del(`${path}/${oldest}`), none)
    assert.deepEqual(await server.as('cordelia').del(`${path}/${third}`), success)
  })

  test('several are sent in the order of their times', async () => {
    const at = (seconds: number, content: string) =>
      schedule('member', { ...toChannel, content, scheduled_delivery_timestamp: now() + seconds })
    await at(30, 'third')
    await at(10, 'first')
    await at(20, 'second')
    const queue = await server.as('owner').watch('message')
    await aWhile()
    const contents = sentTo(await queue.drain()).map(({ content }) => content)
    assert.deepEqual(contents, ['first', 'second', 'third'])
  })

  test('a mention in it counts, and a poll in it can be voted in', async () => {
    await schedule('member', { ...toChannel, content: '/poll @**Zoe|7**?\nYes' })
    const queue = await server.as('zoe').watch('message')
    await aWhile()
    const events = await queue.drain()
    assert.deepEqual(events[0]?.flags, ['mentioned'])
    const [poll] = sentTo(events).map(({ submessages }) => submessages as object[])
    assert.equal(poll?.length, 1)
  })

  test('its topic is followed as if it had been written then', async () => {
    await server.as('member').patch('/settings', { automatically_follow_topics_policy: 2 })
    await schedule('member', { ...toChannel, topic: 'to follow' })
    const queue = await server.as('member').watch('user_topic')
    await aWhile()
    assert.deepEqual(
      (await queue.drain()).map(({ visibility_policy }) => visibility_policy),
      [3],
    )
  })

  // biome-ignore format: a table reads best in columns
  const reads: [string, CallParams, string[]][] = [
    ['unread for its sender by a client that nobody reads with', toChannel, []],
    ['read for its sender who asked for that', { ...toChannel, read_by_sender: true }, ['read']],
    ['unread where its sender asked for that', { ...toChannel, read_by_sender: false }, []],
  ]
  for (const [what, params, flags] of reads) {
    test(`it is ${what}`, async () => {
      await schedule('member', params)
      const queue = await server.as('member').watch('message')
      await aWhile()
      assert.deepEqual((await queue.drain())[0]?.flags, flags)
    })
  }

  test('a note to oneself from the mobile app is unread, a message to others is read', async () => {
    const { email, apiKey } = server.as('member')
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
    for (const to of [[ids.member], [ids.zoe]]) {
      const params = { type: 'direct', content: 'x', ...inAWhile(), to }
      const body = new URLSearchParams(
        Object.entries(params).map(([name, value]): [string, string] => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      )
      const headers = { authorization, 'user-agent': 'ZulipFlutter/30.0.260 (Android 14)' }
      await fetch(`${server.url}/api/v1${path}`, { method: 'POST', body, headers })
    }
    const queue = await server.as('member').watch('message')
    await aWhile()
    const flags = (await queue.drain()).map((event) => event.flags)
    assert.deepEqual(flags, [[], ['read']])
  })
})

describe('a message that can no longer be sent', () => {
  const notAuthorized = "Not authorized to send to channel 'Denmark'"
  /** What stops it; what its sender is told; how to make it possible again. */
  const table: [string, () => Promise<unknown>, CallParams, string, () => Promise<unknown>][] = [
    [
      'because posting in the channel is no longer allowed',
      () => setPosters('role:administrators'),
      toChannel,
      notAuthorized,
      () => setPosters('role:everyone'),
    ],
    [
      'because its recipient was deactivated',
      () => server.as('owner').del(`/users/${ids.cordelia}`),
      toPeople,
      "'Cordelia, Lear's daughter' has deactivated their account.",
      () => server.as('owner').post(`/users/${ids.cordelia}/reactivate`),
    ],
    [
      'because its channel was archived',
      () => server.as('owner').del(`/streams/${channels.public}`),
      toChannel,
      notAuthorized,
      () => server.as('owner').patch(`/streams/${channels.public}`, { is_archived: false }),
    ],
    [
      'because its channel is no longer visible to its sender',
      () => server.as('owner').patch(`/streams/${attic}`, { is_private: true }),
      { ...toChannel, to: attic },
      `Channel with ID '${attic}' does not exist`,
      () => server.as('owner').patch(`/streams/${attic}`, { is_private: false }),
    ],
  ]
  for (const [why, prevent, params, reason, allow] of table) {
    test(`${why} stays, its sender is told, and can send it later`, async () => {
      const id = await schedule('member', params)
      const before = await find('member', id)
      await prevent()
      const queue = await server.as('member').watch('message', type)
      await aWhile()
      const [update, notice, ...more] = await queue.drain()
      assert.deepEqual(more, [])
      const failed = { ...before, failed: true }
      assert.deepEqual(update, { type, op: 'update', scheduled_message: failed })
      assert.deepEqual(await find('member', id), failed)
      const message = notice?.message as { sender_email: string; content: string }
      assert.match(message.sender_email, /^notification-bot@/)
      assert.equal(
        message.content,
        `A message that you had scheduled could not be sent: ${reason}\n\n\`\`\` quote\n${params.content}\n\`\`\``,
      )
      await aWhile()
      assert.deepEqual(await queue.drain(), [], 'it is not tried again by itself')
      await allow()
      const edit = (change: CallParams) => server.as('member').patch(`${path}/${id}`, change)
      const needed = failure('A message that could not be sent needs a new delivery time.')
      assert.deepEqual(await edit({ content: 'Again' }), needed)
      assert.deepEqual(await edit({ ...inAWhile(), content: 'Again' }), success)
      assert.equal((await find('member', id))?.failed, false)
      await aWhile()
      const sent = sentTo((await queue.drain()).filter((event) => event.type === 'message'))
      const own = sent.filter(({ sender_id }) => sender_id === ids.member)
      // Nobody but its reader gets what goes to the attic.
      const contents = own.map(({ content }) => content)
      assert.deepEqual(contents, params.to === attic ? [] : ['Again'])
      assert.equal(await find('member', id), undefined)
    })
  }

  test('because its sender was deactivated waits for them', async () => {
    const id = await schedule('othello', toPeople)
    await server.as('owner').del(`/users/${ids.othello}`)
    const queue = await server.as('cordelia').watch('message')
    await aWhile()
    assert.deepEqual(await queue.drain(), [])
    await server.as('owner').post(`/users/${ids.othello}/reactivate`)
    assert.equal((await find('othello', id))?.failed, true)
  })

  async function setPosters(name: string): Promise<void> {
    const { user_groups } = await server
      .as('owner')
      .get<{ user_groups: { id: number; name: string }[] }>('/user_groups')
    const group = user_groups.find((group) => group.name === name)?.id
    const params = { can_send_message_group: { new: group } }
    assert.deepEqual(await server.as('owner').patch(`/streams/${channels.public}`, params), success)
  }
})

test('a message is sent after a restart, once', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  const started = Date.UTC(2030, 0, 1)
  const first = await startServer({ data, clock: manualClock(started) })
  const at = started / 1000 + delay
  for (const content of ['one', 'two']) {
    await first
      .as('member')
      .post(path, { ...toChannel, content, scheduled_delivery_timestamp: at + content.length })
  }
  await first.close()
  const read = async (restarted: typeof first) => {
    await restarted.settled()
    const { messages } = await restarted
      .as('owner')
      .get<{ messages: { content: string }[] }>('/messages', {
        narrow: [{ operator: 'topic', operand: 'later' }],
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        apply_markdown: false,
      })
    return messages.map(({ content }) => content)
  }
  for (const contents of [[], ['one', 'two'], ['one', 'two']]) {
    const time = contents.length > 0 ? started + 2 * delay * 1000 : started
    const restarted = await startServer({ data, clock: manualClock(time) })
    assert.deepEqual(await read(restarted), contents)
    await restarted.close()
  }
  rmSync(data, { recursive: true })
})

describe('scheduling asks what sending would', () => {
  const unknown = failure("Channel with ID '8' does not exist", 'STREAM_DOES_NOT_EXIST', {
    stream_id: channels.private,
  })
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  const past = failure('Scheduled delivery time must be in the future.')
  const t = 'scheduled_delivery_timestamp'
  // biome-ignore format: a table reads best in columns
  const table: [string, Actor, CallParams, object][] = [
    ['a channel one cannot know',   'outsider', { ...toChannel, to: channels.private }, unknown],
    ['a channel one cannot post in','member',   { ...toChannel, to: channels.announce }, failure("Not authorized to send to channel 'announce'")],
    ['a channel that never was',    'member',   { ...toChannel, to: 999 },   failure("Channel with ID '999' does not exist", 'STREAM_DOES_NOT_EXIST', { stream_id: 999 })],
    ['two channels',                'member',   { ...toChannel, to: [3, 4] }, failure('Expected exactly one channel')],
    ['a channel by name',           'member',   { ...toChannel, to: 'Denmark' }, failure('Argument "to" is not valid JSON.')],
    ['no topic',                    'member',   { ...toChannel, topic: undefined }, failure('Missing topic')],
    ['a long topic',                'member',   { ...toChannel, topic: 'x'.repeat(61) }, success],
    ['an unknown user',             'member',   { ...toPeople, to: [999] },  failure('Invalid user ID 999')],
    ['nobody',                      'member',   { ...toPeople, to: [] },     failure('Message must have recipients')],
    ['addresses',                   'member',   { ...toPeople, to: ['a@b.c'] }, failure('to is not a channel ID or a list of user IDs')],
    ['an unknown type',             'member',   { ...toPeople, type: 'huddle' }, failure('Invalid type')],
    ['no type',                     'member',   { ...toPeople, type: undefined }, missing('type')],
    ['no recipient',                'member',   { ...toPeople, to: undefined }, missing('to')],
    ['no text',                     'member',   { ...toPeople, content: undefined }, missing('content')],
    ['an empty text',               'member',   { ...toPeople, content: ' \n' }, failure('Message must not be empty')],
    ['a long text',                 'member',   { ...toPeople, content: 'x'.repeat(10_001) }, success],
    ['no time',                     'member',   { ...toPeople, [t]: undefined }, missing(t)],
    ['this moment',                 'member',   { ...toPeople, [t]: now() },  past],
    ['the past',                    'member',   { ...toPeople, [t]: 1 },      past],
    ['before all time',             'member',   { ...toPeople, [t]: -1 },     failure(`${t} is too small`)],
    ['after all time',              'member',   { ...toPeople, [t]: Number.MAX_SAFE_INTEGER }, failure(`${t} is too large`)],
    ['half a second',               'member',   { ...toPeople, [t]: now() + 10.5 }, failure(`${t} is not an integer`)],
    ['a wildcard in a big channel', 'member',   { ...toChannel, content: '@**all**', to: channels.shared }, success],
  ]
  for (const [what, actor, params, expected] of table) {
    test(`${what} ${expected === success ? 'is fine' : 'is refused'}`, async () => {
      const before = await list(actor)
      const { scheduled_message_id: id, ...reply } = await server
        .as(actor)
        .post<Record<string, unknown>>(path, { ...inAWhile(), ...params })
      assert.deepEqual(reply, expected)
      assert.equal((await list(actor)).length, before.length + (id === undefined ? 0 : 1))
    })
  }

  // biome-ignore format: a table reads best in columns
  const edits: [string, CallParams, object][] = [
    ['nothing',                        {},                                    failure('Nothing to change')],
    ['a type without a recipient',     { type: 'direct' },                    missing('to')],
    ['a channel without a topic',      { type: 'channel', to: 3 },            missing('topic')],
    ['a channel one cannot post in',   { to: channels.announce },             failure("Not authorized to send to channel 'announce'")],
    ['people for a channel',           { to: [ids.zoe, ids.cordelia] },       failure('Expected exactly one channel')],
    ['the past',                       { [t]: 1 },                            past],
    ['an empty text',                  { content: '' },                       failure('Message must not be empty')],
    ['another channel',                { to: channels.shared },               success],
    ['another topic',                  { topic: 'sooner' },                   success],
  ]
  for (const [what, change, expected] of edits) {
    test(`${what} ${expected === success ? 'is taken' : 'is refused'} as a change`, async () => {
      const id = await schedule('member', toChannel)
      const before = await find('member', id)
      assert.deepEqual(await server.as('member').patch(`${path}/${id}`, change), expected)
      if (expected !== success) assert.deepEqual(await find('member', id), before)
    })
  }
})

test('what someone scheduled is as good as nothing to everyone else', async () => {
  const id = await schedule('zoe', toPeople)
  for (const url of [`${path}/${id}`, `${path}/999999`]) {
    const reply = await server.as('owner').patch(url, { content: 'Mine' })
    assert.deepEqual([reply, reply.status], [none, 404])
    assert.deepEqual(await server.as('owner').del(url), none)
  }
  assert.deepEqual(await list('owner'), [])
  assert.equal((await find('zoe', id))?.content, 'Psst.')
})
