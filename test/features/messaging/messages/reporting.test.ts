import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { channels } = server

const takeReports = (moderation_request_channel_id: number) =>
  server.as('owner').patch('/realm', { moderation_request_channel_id })
const report = (actor: Actor, id: number, params: CallParams = { report_type: 'spam' }) =>
  server.as(actor).post(`/messages/${id}/report`, params)

beforeEach(async () => {
  await takeReports(channels.private)
})

interface Message {
  id: number
  subject: string
  content: string
  sender_email: string
}

/** What the moderators' channel has besides `before`. */
async function reported(): Promise<Message | undefined> {
  const { messages } = await server.as('owner').get<{ messages: Message[] }>('/messages', {
    narrow: [{ operator: 'channel', operand: channels.private }],
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  return messages[0]
}

describe('a report goes to the moderators, with the text that they may be unable to read', () => {
  test('of a channel message', async () => {
    const id = await server.say('member', 'public', 'plans', 'Buy ```these``` pills! @**all|9**')
    assert.deepEqual(
      await report('zoe', id, { report_type: 'harassment', description: ' ``` Twice `````\n' }),
      success,
    )
    const message = await reported()
    assert.match(message?.sender_email ?? '', /^notification-bot@/)
    assert.equal(message?.subject, 'Reports: King Hamlet')
    const near = `${server.url}/#narrow/channel/4-Denmark/topic/plans/near/${id}`
    assert.deepEqual(message?.content.split('\n'), [
      `@_**Zoe|7** reported [a message](${near}) by @_**King Hamlet|10** in #**Denmark>plans**.`,
      '',
      '**Reason:** Harassment',
      '',
      '`````` quote',
      '``` Twice `````',
      '``````',
      '',
      '**The message:**',
      '',
      '```` quote',
      'Buy ```these``` pills! @**all|9**',
      '````',
    ])
  })

  test('of a direct message, which names who takes part', async () => {
    const id = await server.say('member', ['cordelia'], '', 'Psst.')
    assert.deepEqual(await report('cordelia', id), success)
    const [line] = (await reported())?.content.split('\n') ?? []
    const people = "@_**Cordelia, Lear's daughter|8** and @_**King Hamlet|10**"
    const near = `${server.url}/#narrow/dm/8,10-dm/near/${id}`
    assert.equal(
      line,
      `@_**Cordelia, Lear's daughter|8** reported [a message](${near}) by @_**King Hamlet|10** in the direct messages of ${people}.`,
    )
  })

  test('of the longest message, cut to what one message can hold', async () => {
    const id = await server.say('member', 'public', '', '😎'.repeat(10_000))
    assert.deepEqual(
      await report('zoe', id, { report_type: 'norms', description: 'd'.repeat(1000) }),
      success,
    )
    const content = (await reported())?.content ?? ''
    assert.ok([...content].length <= 10_000)
    assert.ok(content.includes('😎…\n```'))
  })

  test('without mentioning anyone', async () => {
    const id = await server.say('member', 'public', 'plans', '@**Desdemona** @**all**')
    const queue = await server.as('owner').watch('message')
    await report('zoe', id)
    const [event] = (await queue.drain()) as unknown as [{ flags: string[] }]
    assert.deepEqual(event.flags, [])
  })
})

describe('who can report', () => {
  const hidden = failure('Invalid message(s)')
  // biome-ignore format: a table reads best in columns
  const table: [Actor, 'public' | 'shared' | 'private', object][] = [
    ['member',   'private', success],
    ['outsider', 'public',  success],
    ['outsider', 'private', hidden],
    ['guest',    'shared',  success],
    ['guest',    'public',  hidden],
    ['guest',    'private', hidden],
    ['bot',      'public',  success],
  ]
  for (const [actor, channel, expected] of table) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} report a message of a ${channel} channel`, async () => {
      const before = await reported()
      assert.deepEqual(await report(actor, await server.say('member', channel)), expected)
      if (channel !== 'private' && expected !== success) assert.deepEqual(await reported(), before)
    })
  }
})

describe('refused', () => {
  const missing = failure("Missing 'report_type' argument", 'REQUEST_VARIABLE_MISSING', {
    var_name: 'report_type',
  })
  const needed = failure('A report with the reason "other" needs a description.')
  const long = failure('description is too long (limit: 1000 characters)')
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, object][] = [
    ['no reason',                   {},                                    missing],
    ['an unknown reason',           { report_type: 'boredom' },            failure('Invalid report_type')],
    ['the name of a reason',        { report_type: 'Spam' },               failure('Invalid report_type')],
    ['a prototype for a reason',    { report_type: '__proto__' },          failure('Invalid report_type')],
    ['another reason without more', { report_type: 'other' },              needed],
    ['another reason with a blank', { report_type: 'other', description: ' \n' }, needed],
    ['a long description',          { report_type: 'spam', description: 'x'.repeat(2001) }, failure('description is too long (limit: 1000 characters)')],
    ['a slightly long description', { report_type: 'spam', description: 'x'.repeat(1001) }, long],
  ]
  for (const [what, params, expected] of table) {
    test(what, async () => {
      const id = await server.say('member', 'public')
      const before = await reported()
      assert.deepEqual(await report('zoe', id, params), expected)
      assert.deepEqual(await reported(), before)
    })
  }

  test('where the organization takes no reports', async () => {
    await takeReports(-1)
    const off = failure('This organization does not accept reports of messages.')
    assert.deepEqual(await report('zoe', await server.say('member', 'public')), off)
  })

  test('when the channel for them is archived, without naming it', async () => {
    const name = 'reports'
    const params = { subscriptions: [{ name }], invite_only: true }
    await server.as('owner').post('/users/me/subscriptions', params)
    const { stream_id } = await server
      .as('owner')
      .get<{ stream_id: number }>('/get_stream_id', { stream: name })
    await takeReports(stream_id)
    const id = await server.say('member', 'public')
    assert.deepEqual(await report('zoe', id), success)
    await server.as('owner').del(`/streams/${stream_id}`)
    assert.notDeepEqual(await report('zoe', id), success)
    assert.ok(!JSON.stringify(await report('zoe', id)).includes(name))
  })
})

test('emoji of two units count once', async () => {
  const params = { report_type: 'other', description: '😎'.repeat(1000) }
  assert.deepEqual(await report('owner', await server.say('member', 'public'), params), success)
})
