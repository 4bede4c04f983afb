import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { subscribe } from '#features/channels/subscriptions/actions.ts'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { roles } from '#features/foundation/users/queries.ts'
import { listTopicMessages } from '#features/messaging/messages/moving/queries.ts'
import { insertReaction } from '#features/messaging/messages/reactions/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Channel, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server

const send = (actor: Actor, params: CallParams) =>
  server
    .as(actor)
    .post<{ id: number; automatic_new_visibility_policy?: number }>('/messages', params)
const toChannel = (channel: Channel, content = 'Hello.') => ({
  type: 'channel',
  to: channels[channel],
  topic: 'plans',
  content,
})

describe('who may send to a channel', () => {
  const unknown = (channel: Channel) =>
    failure(`Channel with ID '${channels[channel]}' does not exist`, 'STREAM_DOES_NOT_EXIST', {
      stream_id: channels[channel],
    })
  const refused = (name: string) => failure(`Not authorized to send to channel '${name}'`)
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, Channel, object][] = [
    ['owner',    'public',    success],
    ['member',   'public',    success],
    ['outsider', 'public',    success],
    ['bot',      'public',    success],
    ['guest',    'public',    unknown('public')],
    ['guest',    'shared',    success],
    ['member',   'private',   success],
    ['admin',    'private',   success],
    ['outsider', 'private',   unknown('private')],
    ['guest',    'private',   unknown('private')],
    ['moderator', 'private',  unknown('private')],
    ['admin',    'announce',  success],
    ['owner',    'announce',  success],
    ['member',   'announce',  refused('announce')],
    ['guest',    'announce',  refused('announce')],
    ['guest',    'webPublic', success],
  ]
  for (const [actor, channel, expected] of matrix) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} send to the ${channel} channel`, async () => {
      const {
        id: _,
        automatic_new_visibility_policy: __,
        ...reply
      } = await send(actor, toChannel(channel))
      assert.deepEqual(reply, expected)
    })
  }

  test('a private channel is answered exactly like one that never was', async () => {
    const [hidden, missing] = await Promise.all([
      send('outsider', { ...toChannel('public'), to: 'core team' }),
      send('outsider', { ...toChannel('public'), to: 'cure team' }),
    ])
    const answer = (stream: string) =>
      failure(`Channel '${stream}' does not exist`, 'STREAM_DOES_NOT_EXIST', { stream })
    assert.deepEqual(hidden, answer('core team'))
    assert.deepEqual(missing, answer('cure team'))
  })
})

describe('the forms of an address', () => {
  const denmark = channels.public
  const text = { topic: 'plans', content: 'Hello.' }
  const direct = { content: 'Hello.' }
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams][] = [
    ['a channel by name',            { ...text, type: 'stream', to: 'Denmark' }],
    ['a channel in other letters',   { ...text, type: 'stream', to: 'dENMARK' }],
    ['a channel by quoted name',     { ...text, type: 'channel', to: '"Denmark"' }],
    ['a channel by id',              { ...text, type: 'channel', to: denmark }],
    ['a channel in a list',          { ...text, type: 'stream', to: ['Denmark'] }],
    ['a topic by its old name',      { content: 'x', subject: 'plans', type: 'stream', to: denmark }],
    ['people by id',                 { ...direct, type: 'direct', to: [ids.cordelia, ids.othello] }],
    ['one person by id',             { ...direct, type: 'private', to: ids.cordelia }],
    ['people by address',            { ...direct, type: 'private', to: ['default-bot@zulip.com', 'user12@zulipdev.com'] }],
    ['one person by a raw address',  { ...direct, type: 'private', to: 'user8@zulipdev.com' }],
    ['people by a list of addresses', { ...direct, type: 'private', to: 'User8@zulipdev.com, user12@zulipdev.com' }],
    ['oneself',                      { ...direct, type: 'direct', to: [ids.member] }],
    ['oneself among others',         { ...direct, type: 'direct', to: [ids.member, ids.cordelia, ids.cordelia] }],
  ]

  // Whoever starts a topic follows it, and is told so by the reply.
  before(() => server.say('owner', 'public'))

  for (const [what, params] of table) {
    test(`a message can be sent to ${what}`, async () => {
      const reply = await send('member', params)
      assert.deepEqual(reply, { ...success, id: reply.id })
    })
  }
})

describe('what is refused', () => {
  const people = { type: 'direct', to: [8], content: 'Hello.' }
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, object][] = [
    ['an unknown user id',     { ...people, to: [9999] },                failure('Invalid user ID 9999')],
    ['an unknown address',     { ...people, to: ['x@y.example'] },       failure("Invalid email 'x@y.example'")],
    ['nobody',                 { ...people, to: [] },                    failure('Message must have recipients')],
    ['two channels',           { ...toChannel('public'), to: [3, 4] },   failure('Expected exactly one channel')],
    ['an unknown channel id',  { ...toChannel('public'), to: 999 },      failure("Channel with ID '999' does not exist", 'STREAM_DOES_NOT_EXIST', { stream_id: 999 })],
    ['a prototype name',       { ...toChannel('public'), to: '__proto__' }, failure("Channel '__proto__' does not exist", 'STREAM_DOES_NOT_EXIST', { stream: '__proto__' })],
    ['an empty text',          { ...people, content: '' },               failure('Message must not be empty')],
    ['blanks only',            { ...people, content: ' \n\t ' },         failure('Message must not be empty')],
    ['a text far too long',    { ...people, content: 'x'.repeat(250_001) }, failure('content is too long (limit: 250000 characters)')],
    ['an unknown type',        { ...people, type: 'email' },             failure('Invalid type')],
    ['an object for to',       { ...people, to: { id: 8 } },             failure('Invalid to')],
    ['no type',                { to: [8], content: 'x' },                missing('type')],
    ['no to',                  { type: 'direct', content: 'x' },         missing('to')],
    ['no content',             { type: 'direct', to: [8] },              missing('content')],
    ['no topic',               { type: 'channel', to: 4, content: 'x' }, failure('Missing topic')],
    ['a topic far too long',   { ...toChannel('public'), topic: 'x'.repeat(10_001) }, failure('topic is too long (limit: 10000 characters)')],
    ['a topic of two lines',   { ...toChannel('public'), topic: 'a\nb' }, failure('Invalid character in topic, at position 2: U+000A.')],
    ['a queue without an echo', { ...people, queue_id: 'x' },            failure("Argument 'queue_id' requires 'local_id'")],
  ]
  for (const [what, params, expected] of table) {
    test(`${what} is refused, and nobody hears of it`, async () => {
      const queue = await server.as('cordelia').watch('message')
      assert.deepEqual(await send('member', params), expected)
      assert.deepEqual(await queue.drain(), [])
    })
  }

  test('ten thousand characters are counted as characters, not as units', async () => {
    const reply = await send('member', { ...people, content: '🐙'.repeat(10_000) })
    assert.deepEqual(reply, { ...success, id: reply.id })
  })
})

describe('the message event', () => {
  test('carries the message, once, to those who receive it', async () => {
    const [member, outsider] = await Promise.all([
      server.as('member').watch('message'),
      server.as('outsider').watch('message'),
    ])
    const { id } = await send('owner', toChannel('public', '**bold**'))
    const [event, ...more] = await member.drain()
    assert.deepEqual(more, [])
    assert.deepEqual(await outsider.drain(), [])
    const { message, flags } = event as unknown as { message: { recipient_id: number }; flags: [] }
    assert.deepEqual(flags, [])
    assert.deepEqual(message, {
      id,
      type: 'stream',
      content: '**bold**',
      content_type: 'text/x-markdown',
      sender_id: ids.owner,
      sender_email: 'user9@zulipdev.com',
      sender_full_name: 'Desdemona',
      sender_realm_str: '',
      avatar_url: '/user_avatars/9.png?version=1',
      client: 'node',
      display_recipient: 'Denmark',
      recipient_id: message.recipient_id,
      stream_id: channels.public,
      subject: 'plans',
      topic_links: [],
      timestamp: Math.floor(server.clock.now() / 1000),
      is_me_message: false,
      reactions: [],
      submessages: [],
    })
  })

  test('comes as HTML, with the empty topic, where the client asked so', async () => {
    const queue = await server.as('member').watchWith({
      event_types: ['message'],
      apply_markdown: true,
      client_capabilities: { empty_topic_name: true },
    })
    const plain = await server.as('member').watch('message')
    await send('owner', { ...toChannel('public', '**bold**'), topic: '(no topic)' })
    const [rich] = (await queue.drain()) as unknown as [{ message: Record<string, unknown> }]
    const [poor] = (await plain.drain()) as unknown as [{ message: Record<string, unknown> }]
    assert.equal(rich.message.content, '<p><strong>bold</strong></p>')
    assert.equal(rich.message.content_type, 'text/html')
    assert.equal(rich.message.subject, '')
    assert.equal(poor.message.subject, 'general chat')
  })

  test('of a direct message names everyone in it to everyone in it', async () => {
    const queues = await Promise.all(
      (['member', 'cordelia', 'othello', 'admin'] as const).map((actor) =>
        server.as(actor).watch('message'),
      ),
    )
    await send('member', { type: 'direct', to: [ids.cordelia, ids.othello], content: 'Psst' })
    const received = await Promise.all(queues.map((queue) => queue.drain()))
    assert.deepEqual(
      received.map(({ length }) => length),
      [1, 1, 1, 0],
    )
    const [event] = received[0] as unknown as [{ message: Record<string, unknown> }]
    assert.deepEqual(event.message.display_recipient, [
      {
        id: 8,
        email: 'user8@zulipdev.com',
        full_name: "Cordelia, Lear's daughter",
        is_mirror_dummy: false,
      },
      { id: 10, email: 'user10@zulipdev.com', full_name: 'King Hamlet', is_mirror_dummy: false },
      {
        id: 12,
        email: 'user12@zulipdev.com',
        full_name: 'Othello, the Moor of Venice',
        is_mirror_dummy: false,
      },
    ])
    assert.equal(event.message.type, 'private')
    assert.equal(event.message.subject, '')
  })

  test('echoes the local id to the queue that sent it and to no other', async () => {
    const own = await server.as('member').watch('message')
    const other = await server.as('member').watch('message')
    await send('member', { ...toChannel('public'), queue_id: own.queueId, local_id: '17.01' })
    const [echoed] = await own.drain()
    const [plain] = await other.drain()
    assert.equal(echoed?.local_message_id, '17.01')
    assert.equal(plain && 'local_message_id' in plain, false)
  })

  test('reaches a queue for all public channels without a subscription, but never private ones', async () => {
    const everything = { event_types: ['message'], all_public_streams: true }
    const outsider = await server.as('outsider').watchWith(everything)
    const guest = await server.as('guest').watchWith(everything)
    await send('member', toChannel('public'))
    await send('member', toChannel('private'))
    assert.equal((await outsider.drain()).length, 1)
    assert.equal((await guest.drain()).length, 0)
  })

  test('starts as read for a sender who uses an app, and as unread for a program', async () => {
    const queue = await server.as('member').watch('message')
    await send('member', { ...toChannel('public'), read_by_sender: true })
    await send('member', { ...toChannel('public'), read_by_sender: false })
    await send('member', toChannel('public'))
    const flags = (await queue.drain()).map((event) => event.flags)
    assert.deepEqual(flags, [['read'], [], []])
  })
})

describe('a message for another user', () => {
  const denied = failure('User not authorized for this query')
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, object][] = [
    ['forged',                     { forged: 'true' },                           denied],
    ['forged, as old bridges say', { forged: 'yes', sender: 'zoe@zulip.com' },   denied],
    ['sent by another address',    { sender: 'iago@zulip.com' },                 denied],
    ['sent by no address',         { sender: 'King Hamlet' },                    denied],
    ['sent by oneself',            { sender: 'HAMLET@zulip.com' },               success],
    ['not forged',                 { forged: false },                            success],
  ]
  for (const [what, params, expected] of table) {
    test(`${what}, is ${expected === success ? 'sent' : 'refused'}`, async () => {
      const params_ = { ...toChannel('public'), ...params }
      const { id, automatic_new_visibility_policy: _, ...reply } = await send('member', params_)
      assert.deepEqual(reply, expected)
      assert.equal(id !== undefined, expected === success)
    })
  }
})

describe('what is too long is cut', () => {
  const truncated = '\n[message truncated]'
  const letters = (count: number) => 'x'.repeat(count)
  // biome-ignore format: a table reads best in columns
  const topics: [string, string, string][] = [
    ['a topic of 60 characters is not',          letters(60),              letters(60)],
    ['a topic of 61 characters',                 letters(61),              `${letters(57)}...`],
    ['the subject of a mail',                    letters(998),             `${letters(57)}...`],
    ['a topic of 60 emoji is not',               '🐙'.repeat(60),          '🐙'.repeat(60)],
    ['a topic of more emoji, between two',       '🐙'.repeat(70),          `${'🐙'.repeat(57)}...`],
    ['a topic within an emoji, before it',       `${letters(55)}👩‍💻${letters(9)}`, `${letters(55)}👩...`],
    ['a topic with blanks at its ends is not',   ` ${letters(60)} `,       letters(60)],
    ['a resolved topic',                         `✔ ${letters(60)}`,       `✔ ${letters(55)}...`],
  ]
  for (const [what, topic, expected] of topics) {
    test(what, async () => {
      const { id } = await send('member', { ...toChannel('public'), topic })
      const { message } = await server
        .as('member')
        .get<{ message: { subject: string } }>(`/messages/${id}`)
      assert.equal(message.subject, expected)
    })
  }
  // biome-ignore format: a table reads best in columns
  const contents: [string, string, string][] = [
    ['a text of 10000 characters is not',        letters(10_000),          letters(10_000)],
    ['a text of 10001 characters',               letters(10_001),          letters(9_980) + truncated],
    ['the log of a build',                       'step\n'.repeat(40_000),  'step\n'.repeat(1_996) + truncated],
    ['a text of 10000 emoji is not',             '🐙'.repeat(10_000),      '🐙'.repeat(10_000)],
    ['a text of more emoji, between two',        '🐙'.repeat(10_001),      '🐙'.repeat(9_980) + truncated],
    ['blanks at the end, without a mark',        `x${' '.repeat(20_000)}`, 'x'],
  ]
  for (const [what, content, expected] of contents) {
    test(`${what}, when it is sent and when it is edited`, async () => {
      const shown = async (id: number) => {
        const raw = { apply_markdown: false }
        const { message } = await server
          .as('member')
          .get<{ message: { content: string } }>(`/messages/${id}`, raw)
        return message.content
      }
      const { id } = await send('member', toChannel('public', content))
      assert.equal(await shown(id), expected)
      const other = await server.say('member', 'public', 'plans', 'short')
      assert.deepEqual(await server.as('member').patch(`/messages/${other}`, { content }), {
        ...success,
        detached_uploads: [],
      })
      assert.equal(await shown(other), expected)
    })
  }
  test('not what is no topic', async () => {
    const topic = `\u200b${letters(70)}`
    assert.deepEqual(
      await send('member', { ...toChannel('public'), topic }),
      failure('Invalid character in topic, at position 1: U+200B.'),
    )
  })
})

describe('a conversation with deactivated accounts', () => {
  const gone = (name: string) => failure(`'${name}' has deactivated their account.`)
  const prospero = gone('Prospero from The Tempest')
  before(async () => {
    await server.say('owner', ['owner', 'prospero', 'zoe'])
    await server.as('owner').del(`/users/${ids.prospero}`)
    await server.as('owner').del(`/users/${ids.zoe}`)
  })
  after(async () => {
    for (const id of [ids.prospero, ids.zoe]) {
      await server.as('owner').post(`/users/${id}/reactivate`)
    }
  })
  // biome-ignore format: a table reads best in columns
  const table: [string, number[], object][] = [
    ['goes on while somebody else is there', [ids.prospero, ids.cordelia],          success],
    ['goes on without several of them',      [ids.prospero, ids.zoe, ids.cordelia], success],
    ['goes on with a bot',                   [ids.prospero, ids.bot],               success],
    ['has ended if it was with one of them', [ids.prospero],                        prospero],
    ['has ended if all others are',          [ids.prospero, ids.zoe],               gone('Zoe')],
    ['has ended beside oneself',             [ids.owner, ids.prospero],             prospero],
  ]
  for (const [what, to, expected] of table) {
    test(what, async () => {
      const content = `@**|${ids.prospero}** @**|${ids.cordelia}** ?`
      const { id, ...reply } = await send('owner', { type: 'direct', to, content })
      const { automatic_new_visibility_policy: _, ...rest } = reply
      assert.deepEqual(rest, expected)
      if (expected !== success) return
      const flagged = server.server.context.store.db.$client
        .prepare('SELECT user_id FROM message_flags WHERE message_id = ?')
        .pluck()
        .all(id)
      assert.equal(flagged.includes(ids.prospero), false)
    })
    test(`${what}, for whoever is typing too`, async () => {
      const reply = await server.as('owner').post('/typing', { op: 'start', to })
      assert.equal(reply.result, expected === success ? 'success' : 'error', reply.msg)
    })
  }
})

describe('mentions', () => {
  const flagsOf = async (actor: Actor, content: string) => {
    const queue = await server.as(actor).watch('message')
    const reply = await send('owner', toChannel('public', content))
    assert.equal(reply.result, 'success', reply.msg)
    const [event] = await queue.drain()
    return event?.flags
  }
  // biome-ignore format: a table reads best in columns
  const table: [string, Actor, string, string[]][] = [
    ['by name',                  'member',  '@**King Hamlet**',       ['mentioned']],
    ['by name and id',           'member',  '@**King Hamlet|10**',    ['mentioned']],
    ['of somebody else',         'othello', '@**King Hamlet**',       []],
    ['silently',                 'member',  '@_**King Hamlet**',      []],
    ['by a group',               'member',  '@*hamletcharacters*',    ['mentioned']],
    ['with the whole channel',   'othello', '@**all**',               ['stream_wildcard_mentioned', 'wildcard_mentioned']],
    ['inside code',              'member',  '`@**King Hamlet**`',     []],
  ]
  for (const [how, actor, content, expected] of table) {
    test(`a user mentioned ${how} gets the flags ${JSON.stringify(expected)}`, async () => {
      assert.deepEqual(await flagsOf(actor, content), expected)
    })
  }

  test('a topic wildcard reaches those who took part in the topic', async () => {
    const topic = { ...toChannel('public', 'First.'), topic: 'wildcards' }
    await send('othello', topic)
    const [othello, member] = await Promise.all([
      server.as('othello').watch('message'),
      server.as('member').watch('message'),
    ])
    await send('owner', { ...topic, content: '@**topic**' })
    const flags = async (queue: typeof othello) => (await queue.drain())[0]?.flags
    assert.deepEqual(await flags(othello), ['topic_wildcard_mentioned', 'wildcard_mentioned'])
    assert.deepEqual(await flags(member), [])
  })

  test('alert words flag the message for whoever set them', async () => {
    await server.as('member').post('/users/me/alert_words', { alert_words: ['yorick'] })
    assert.deepEqual(await flagsOf('member', 'Alas, poor Yorick!'), ['has_alert_word'])
    assert.deepEqual(await flagsOf('member', 'Alas, poor Yoricks!'), [])
    assert.deepEqual(await flagsOf('othello', 'Alas, poor Yorick!'), [])
  })
})

describe('mentioning many at once', () => {
  const say = (actor: Actor, content: string) =>
    send(actor, { ...toChannel('public', content), topic: 'crowd' })
  const refusedChannel = failure(
    'You do not have permission to use channel wildcard mentions in this channel.',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  )
  const refusedTopic = failure(
    'You do not have permission to use topic wildcard mentions in this topic.',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  )

  before(async () => {
    await server.say('member', 'public', 'crowd')
    await server.server.context.store.write((tx) => {
      const channel = findChannel(tx, channels.public)
      assert.ok(channel)
      const crowd = Array.from({ length: 16 }, (_, i) =>
        createUser(tx, {
          email: `extra${i}@zulip.com`,
          fullName: `Extra ${i}`,
          role: roles.member,
        }),
      )
      subscribe(tx, [channel], crowd)
      const [message] = listTopicMessages(tx, channel.recipientId, 'crowd')
      assert.ok(message)
      for (const { id: userId } of crowd) {
        insertReaction(tx, {
          messageId: message.id,
          userId,
          emojiName: 'octopus',
          emojiCode: '1f419',
          reactionType: 'unicode_emoji',
        })
      }
    })
  })

  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, string, object][] = [
    ['admin',     '@**all**',    success],
    ['owner',     '@**topic**',  success],
    ['moderator', '@**all**',    refusedChannel],
    ['member',    '@**channel**', refusedChannel],
    ['member',    '@**topic**',  refusedTopic],
    ['bot',       '@**topic**',  success],
    ['member',    '@_**all**',   success],
  ]
  for (const [actor, content, expected] of matrix) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} write ${content} to a large channel and topic`, async () => {
      const { id: _, automatic_new_visibility_policy: __, ...reply } = await say(actor, content)
      assert.deepEqual(reply, expected)
    })
  }
})

describe('topics that follow themselves', () => {
  test('who starts a topic follows it, and is told so', async () => {
    const queue = await server.as('member').watch('user_topic')
    const reply = await send('member', { ...toChannel('public'), topic: 'brand new' })
    assert.deepEqual(reply, { ...success, id: reply.id, automatic_new_visibility_policy: 3 })
    const [event] = await queue.drain()
    assert.deepEqual(event, {
      type: 'user_topic',
      stream_id: channels.public,
      topic_name: 'brand new',
      visibility_policy: 3,
      last_updated: Math.floor(server.clock.now() / 1000),
    })
    const second = await send('member', { ...toChannel('public'), topic: 'Brand New' })
    assert.deepEqual(second, { ...success, id: second.id })
  })

  test('who is mentioned in a topic follows it', async () => {
    const queue = await server.as('member').watch('user_topic')
    await send('owner', { ...toChannel('public', '@**King Hamlet**'), topic: 'to be' })
    const [event] = await queue.drain()
    assert.equal(event?.visibility_policy, 3)
  })
})

test('a text is rendered as a message of the caller would be', async () => {
  const reply = await server.as('member').post('/messages/render', { content: '*yes* <b>no</b>' })
  assert.deepEqual(reply, { ...success, rendered: '<p><em>yes</em> &lt;b&gt;no&lt;/b&gt;</p>' })
})
