import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Channel, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' }
const tick = { emoji_name: 'green_tick', emoji_code: '1', reaction_type: 'realm_emoji' }
const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' }
const byOutsider = {
  user_id: server.ids.outsider,
  user: { user_id: server.ids.outsider, email: 'user6@zulipdev.com', full_name: 'aaron' },
}
const react = (actor: Actor, id: number, emoji: CallParams = octopus) =>
  server.as(actor).post(`/messages/${id}/reactions`, emoji)
const takeBack = (actor: Actor, id: number, emoji: CallParams = octopus) =>
  server.as(actor).del(`/messages/${id}/reactions`, emoji)

describe('who can react', () => {
  const hidden = failure('Invalid message(s)')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, Channel, object][] = [
    ['member',   'public',  success],
    ['member',   'private', success],
    ['outsider', 'public',  success],
    ['outsider', 'private', hidden],
    ['guest',    'public',  hidden],
    ['guest',    'shared',  success],
    ['guest',    'private', hidden],
    ['bot',      'public',  success],
  ]
  for (const [actor, channel, expected] of matrix) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} react in the ${channel} channel`, async () => {
      const id = await server.say('member', channel)
      assert.deepEqual(await react(actor, id), expected)
    })
  }

  test('a direct message is for those in it', async () => {
    const id = await server.say('member', ['cordelia'])
    assert.deepEqual(await react('cordelia', id), success)
    assert.deepEqual(await react('owner', id), hidden)
    assert.deepEqual(await react('owner', 1_000_000), hidden)
  })
})

test('everyone who has the message sees one reaction, however often it is sent', async () => {
  const queue = await server.as('member').watch('reaction')
  const id = await server.say('member', 'public')
  assert.deepEqual(await react('outsider', id), success)
  const again = failure('Reaction already exists.', 'REACTION_ALREADY_EXISTS')
  assert.deepEqual(await react('outsider', id), again)
  const event = { type: 'reaction', op: 'add', message_id: id, ...byOutsider }
  assert.deepEqual(await queue.drain(), [{ ...event, ...octopus }])
})

test('a reaction is taken back once', async () => {
  const id = await server.say('member', 'public')
  await react('outsider', id)
  const queue = await server.as('member').watch('reaction')
  assert.deepEqual(await takeBack('outsider', id), success)
  const gone = failure("Reaction doesn't exist.", 'REACTION_DOES_NOT_EXIST')
  assert.deepEqual(await takeBack('outsider', id), gone)
  assert.deepEqual(await takeBack('member', id), gone)
  const event = { type: 'reaction', op: 'remove', message_id: id, ...byOutsider }
  assert.deepEqual(await queue.drain(), [{ ...event, ...octopus }])
})

test('taking back needs an emoji', async () => {
  const id = await server.say('member', 'public')
  await react('outsider', id)
  const expected = failure('At least one of the arguments emoji_name and emoji_code is required.')
  for (const params of [{}, { reaction_type: 'unicode_emoji' }]) {
    assert.deepEqual(await server.as('outsider').del(`/messages/${id}/reactions`, params), expected)
  }
})

describe('what an emoji may be', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, CallParams | object][] = [
    ['a unicode emoji in full',           octopus, octopus],
    ['a unicode emoji by name',           { emoji_name: 'octopus' }, octopus],
    ['a unicode emoji by name and type',  { emoji_name: 'octopus', reaction_type: 'unicode_emoji' }, octopus],
    ['a custom emoji in full',            tick, tick],
    ['a custom emoji by name',            { emoji_name: 'green_tick' }, tick],
    ['the extra emoji',                   extra, extra],
    ['the extra emoji by its other type', { ...extra, reaction_type: 'zulip_extra_emoji' }, extra],
    ['an unknown name',       { emoji_name: 'no_such_thing' }, failure("Emoji 'no_such_thing' does not exist")],
    ['a code without emoji',  { ...octopus, emoji_code: '12345678' }, failure('Invalid emoji code.')],
    ['a name of another one', { ...octopus, emoji_name: 'tada' }, failure('Invalid emoji name.')],
    ['an unknown custom one', { ...tick, emoji_code: '99' }, failure('Invalid custom emoji.')],
    ['a custom name mixup',   { ...tick, emoji_name: 'octopus' }, failure('Invalid custom emoji name.')],
    ['a code that is no id',  { ...tick, emoji_code: '__proto__' }, failure('Invalid custom emoji.')],
    ['an unknown type',       { ...octopus, reaction_type: 'x' }, failure('Invalid reaction_type')],
    ['no name',               { emoji_code: '1f419' }, failure("Missing 'emoji_name' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'emoji_name' })],
  ]
  for (const [what, asked, expected] of table) {
    const outcome = 'result' in expected ? 'is refused' : 'can be used'
    test(`${what} ${outcome}`, async () => {
      const id = await server.say('member', 'public')
      const queue = await server.as('member').watch('reaction')
      const reply = await react('outsider', id, asked)
      if ('result' in expected) {
        assert.deepEqual(reply, expected)
        assert.deepEqual(await queue.drain(), [])
        return
      }
      assert.deepEqual(reply, success)
      const event = { type: 'reaction', op: 'add', message_id: id, ...byOutsider }
      assert.deepEqual(await queue.drain(), [{ ...event, ...expected }])
    })
  }
})

test('later votes join the first under its name', async () => {
  const id = await server.say('member', 'public')
  await react('member', id, { ...octopus, emoji_code: '1f44d', emoji_name: '+1' })
  const vote = { ...octopus, emoji_code: '1f44d', emoji_name: 'anything' }
  assert.deepEqual(await react('outsider', id, vote), success)
  const { message } = await server
    .as('member')
    .get<{ message: { reactions: { emoji_name: string }[] } }>(`/messages/${id}`)
  assert.deepEqual(
    message.reactions.map(({ emoji_name }) => emoji_name),
    ['+1', '+1'],
  )
})

describe('the type of the extra emoji', () => {
  // biome-ignore format: a table reads best in columns
  const table: [client: string, type: string][] = [
    ['curl/8.5.0',                   'service_extra_emoji'],
    ['',                             'service_extra_emoji'],
    ['ZulipFlutter/30.0.260 (iOS 18)', 'zulip_extra_emoji'],
    ['ZulipTerminal/0.7.0+git linux',  'zulip_extra_emoji'],
    ['go-zulip/1.0.0 (linux; 6.1)',    'zulip_extra_emoji'],
  ]
  for (const [client, type] of table) {
    test(`is ${type} for ${client || 'who says nothing'}`, async () => {
      const queue = await server.as('member').watch('reaction')
      const quoted = '"reaction_type":"zulip_extra_emoji"'
      const id = await server.say('member', 'public', 'plans', quoted)
      await react('outsider', id, extra)
      const headers = {
        authorization: `Basic ${btoa(`hamlet@zulip.com:${server.as('member').apiKey}`)}`,
        'user-agent': client,
      }
      const call = async (path: string) =>
        (await (await fetch(`${server.url}/api/v1${path}`, { headers })).json()) as {
          message: { content: string; reactions: unknown[] }
          events: { reaction_type: string }[]
        }
      const { message } = await call(`/messages/${id}?apply_markdown=false`)
      const vote = { ...extra, reaction_type: type, user_id: server.ids.outsider }
      assert.deepEqual(message.reactions, [vote])
      assert.equal(message.content, quoted)
      const { events } = await call(`/events?queue_id=${queue.queueId}&last_event_id=-1`)
      assert.deepEqual(
        events.map(({ reaction_type }) => reaction_type),
        [type],
      )
    })
  }
})
