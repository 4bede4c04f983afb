import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from './support/replies.ts'
import { type Actor, type CallParams, startServer } from './support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const type = (actor: Actor, params: CallParams) => server.as(actor).post('/typing', params)
const person = (id: number) => ({ user_id: id, email: `user${id}@zulipdev.com` })

test('people hear that somebody writes to them, the writer too', async () => {
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
