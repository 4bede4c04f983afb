import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const type = (actor: Actor, params: CallParams) => server.as(actor).post('/typing', params)
const person = (id: number) => ({ user_id: id, email: `user${id}@zulipdev.com` })

test('people hear that someone writes to them, the writer too', async () => {
  const [member, cordelia, admin] = await Promise.all([
    server.as('member').watch('typing'),
    server.as('cordelia').watch('typing'),
    server.as('admin').watch('typing'),
  ])
  assert.deepEqual(await type('member', { op: 'start', to: [ids.cordelia] }), success)
  const event = {
    type: 'typing',
    op: 'start',
    message_type: 'direct',
    sender: person(ids.member),
    recipients: [person(ids.cordelia), person(ids.member)],
  }
  assert.deepEqual(await member.drain(), [event])
  assert.deepEqual(await cordelia.drain(), [event])
  assert.deepEqual(await admin.drain(), [])
})

test('subscribers hear of typing in a channel if their client knows of it', async () => {
  const capable = {
    event_types: ['typing'],
    client_capabilities: { stream_typing_notifications: true },
  }
  const [knowing, old, outside] = await Promise.all([
    server.as('member').watchWith(capable),
    server.as('member').watch('typing'),
    server.as('outsider').watchWith(capable),
  ])
  const params = { op: 'stop', type: 'channel', stream_id: channels.public, topic: '' }
  assert.deepEqual(await type('owner', params), success)
  assert.deepEqual(await knowing.drain(), [
    {
      type: 'typing',
      op: 'stop',
      message_type: 'stream',
      sender: person(ids.owner),
      stream_id: channels.public,
      topic: 'general chat',
    },
  ])
  assert.deepEqual(await old.drain(), [])
  assert.deepEqual(await outside.drain(), [])
})

describe('what is refused', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, Actor, CallParams, object][] = [
    ['no op',               'member', { to: [8] },                  failure("Missing 'op' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'op' })],
    ['an unknown op',       'member', { op: 'foo', to: [8] },       failure('Invalid op')],
    ['nobody',              'member', { op: 'start', to: [] },      failure("Empty 'to' list")],
    ['no list',             'member', { op: 'start' },              failure("Missing 'to' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'to' })],
    ['an unknown user',     'member', { op: 'start', to: [999] },   failure('Invalid user ID 999')],
    ['an address',          'member', { op: 'start', to: 'a@b.c' }, failure('Argument "to" is not valid JSON.')],
    ['no channel',          'member', { op: 'start', type: 'stream', topic: 'x' }, failure("Missing 'stream_id' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'stream_id' })],
    ['no topic',            'member', { op: 'start', type: 'stream', stream_id: 4 }, failure("Missing 'topic' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'topic' })],
    ['an unknown channel',  'member', { op: 'start', type: 'stream', topic: 'x', stream_id: 999 }, failure('Invalid channel ID')],
    ['a hidden channel',    'outsider', { op: 'start', type: 'stream', topic: 'x', stream_id: 8 }, failure('Invalid channel ID')],
  ]
  for (const [what, actor, params, expected] of table) {
    test(`typing to ${what} is refused`, async () => {
      assert.deepEqual(await type(actor, params), expected)
    })
  }
})

describe('typing while editing', () => {
  const edit = (actor: Actor, id: number, op = 'start') =>
    server.as(actor).post(`/messages/${id}/typing`, { op })
  const set = (actor: Actor, settings: CallParams) => server.as(actor).patch('/settings', settings)

  test('subscribers hear that a message is being rewritten, and that it no longer is', async () => {
    const id = await server.say('member', 'public', '')
    const capable = { client_capabilities: { empty_topic_name: true } }
    const [owner, knowing, outside] = await Promise.all([
      server.as('owner').watch('typing_edit_message'),
      server.as('zoe').watchWith({ event_types: ['typing_edit_message'], ...capable }),
      server.as('outsider').watch('typing_edit_message'),
    ])
    assert.deepEqual(await edit('member', id), success)
    assert.deepEqual(await edit('member', id, 'stop'), success)
    const event = (op: string, topic: string) => ({
      type: 'typing_edit_message',
      op,
      sender_id: ids.member,
      message_id: id,
      recipient: { type: 'channel', channel_id: channels.public, topic },
    })
    const named = 'general chat'
    assert.deepEqual(await owner.drain(), [event('start', named), event('stop', named)])
    assert.deepEqual(await knowing.drain(), [event('start', ''), event('stop', '')])
    assert.deepEqual(await outside.drain(), [])
  })

  test('people of a direct message hear it, unless they want to hear of no typing', async () => {
    const id = await server.say('member', ['cordelia', 'zoe'])
    assert.deepEqual(await set('zoe', { receives_typing_notifications: false }), success)
    const [cordelia, zoe, admin] = await Promise.all([
      server.as('cordelia').watch('typing_edit_message'),
      server.as('zoe').watch('typing_edit_message'),
      server.as('admin').watch('typing_edit_message'),
    ])
    assert.deepEqual(await edit('member', id), success)
    const recipient = { type: 'direct', user_ids: [ids.zoe, ids.cordelia, ids.member] }
    assert.deepEqual(await cordelia.drain(), [
      {
        type: 'typing_edit_message',
        op: 'start',
        sender_id: ids.member,
        message_id: id,
        recipient,
      },
    ])
    assert.deepEqual(await zoe.drain(), [])
    assert.deepEqual(await admin.drain(), [])
    assert.deepEqual(await set('zoe', { receives_typing_notifications: true }), success)
  })

  test('who subscribed to protected history later does not hear of what is older', async () => {
    const name = 'protected'
    const creation = { invite_only: true, history_public_to_subscribers: false }
    const subscribe = (user: number) =>
      server.as('owner').post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [user],
        ...creation,
      })
    await subscribe(ids.owner)
    const to = { type: 'channel', to: name, topic: 'x', content: 'Before.' }
    const { id } = await server.as('owner').post<{ id: number }>('/messages', to)
    await subscribe(ids.member)
    const later = await server.as('member').watch('typing_edit_message')
    assert.deepEqual(await edit('owner', id), success)
    assert.deepEqual(await later.drain(), [])
  })

  // biome-ignore format: a table reads best in columns
  const malformed: [string, string, CallParams, object][] = [
    ['no op',             '1',      {},               failure("Missing 'op' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'op' })],
    ['an unknown op',     '1',      { op: 'pause' },  failure('Invalid op')],
    ['a prototype',       '1',      { op: '__proto__' }, failure('Invalid op')],
    ['no such message',   '999999', { op: 'start' },  failure('Invalid message(s)')],
    ['a negative id',     '-1',     { op: 'start' },  failure('Invalid message(s)')],
    ['half an id',        '1.5',    { op: 'start' },  failure('Not found', 'NOT_FOUND')],
    ['a word for an id',  'x',      { op: 'start' },  failure('Not found', 'NOT_FOUND')],
  ]
  for (const [what, id, params, expected] of malformed) {
    test(`${what} is refused`, async () => {
      assert.deepEqual(await server.as('zoe').post(`/messages/${id}/typing`, params), expected)
    })
  }

  const forbidden = failure("You don't have permission to edit this message")
  // biome-ignore format: a table reads best in columns
  const table: [string, Actor, object][] = [
    ['somebody else',               'owner',    forbidden],
    ['somebody who cannot read it', 'outsider', failure('Invalid message(s)')],
  ]
  for (const [who, actor, expected] of table) {
    test(`${who} cannot seem to rewrite a message`, async () => {
      assert.deepEqual(await edit(actor, await server.say('member', 'private')), expected)
    })
  }

  test('nobody hears it of a message that can no longer be edited', async () => {
    const id = await server.say('member', 'public')
    await server.as('owner').patch('/realm', { message_content_edit_limit_seconds: 60 })
    server.clock.advance(100_000)
    const late = failure('The time limit for editing this message has passed')
    assert.deepEqual(await edit('member', id), late)
    await server.as('owner').patch('/realm', { message_content_edit_limit_seconds: 600 })
    assert.deepEqual(await edit('member', id), success)
    await server.as('owner').patch('/realm', { allow_message_editing: false })
    const off = failure('Your organization has turned off message editing')
    assert.deepEqual(await edit('member', id), off)
    await server.as('owner').patch('/realm', { allow_message_editing: true })
  })

  test('the own settings for typing hold here too', async () => {
    const direct = await server.say('othello', ['cordelia'])
    const inChannel = await server.say('othello', 'public')
    await set('othello', { send_private_typing_notifications: false })
    assert.deepEqual(
      await edit('othello', direct),
      failure('User has disabled typing notifications for direct messages'),
    )
    assert.deepEqual(await edit('othello', inChannel), success)
    await set('othello', { send_stream_typing_notifications: false })
    assert.deepEqual(
      await edit('othello', inChannel),
      failure('User has disabled typing notifications for channel messages'),
    )
  })
})
