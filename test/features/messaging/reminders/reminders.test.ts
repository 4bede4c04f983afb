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

const path = '/reminders'
const type = 'reminders'
const none = failure('Reminder does not exist', 'NOT_FOUND')
/** Less than event queues live without a poll, in seconds. */
const delay = 300
const now = () => Math.floor(server.clock.now() / 1000)
const t = 'scheduled_delivery_timestamp'

interface Reminder {
  reminder_id: number
  content: string
}

async function remind(actor: Actor, messageId: number, params: CallParams = {}): Promise<number> {
  const reply = await server
    .as(actor)
    .post<{ reminder_id: number }>(path, { message_id: messageId, [t]: now() + delay, ...params })
  assert.deepEqual(reply, { ...success, reminder_id: reply.reminder_id })
  return reply.reminder_id
}

async function list(actor: Actor): Promise<Reminder[]> {
  return (await server.as(actor).get<{ reminders: Reminder[] }>(path)).reminders
}

async function aWhile(): Promise<void> {
  server.clock.advance(delay * 1000)
  await server.settled()
}

const written = (events: Event[]) =>
  events
    .filter((event) => event.type === 'message')
    .map((event) => event.message as { content: string; sender_email: string; type: string })

test('a reminder is kept and given up, and the other clients hear of it', async () => {
  const user = server.as('member')
  const id = await server.say('zoe', 'public', 'plans', 'Do **this**!')
  const queue = await user.watch(type, 'message')
  const reminderId = await remind('member', id, { note: ' Soon. ' })
  const near = `/#narrow/channel/4-Denmark/topic/plans/near/${id}`
  const reminder = {
    reminder_id: reminderId,
    type: 'private',
    to: [ids.member],
    content: [
      `You asked to be reminded of [this message](${server.url}${near}).`,
      '',
      'Your note:',
      '``` quote',
      'Soon.',
      '```',
      '',
      '@_**Zoe|7** wrote:',
      '``` quote',
      'Do **this**!',
      '```',
    ].join('\n'),
    rendered_content: [
      `<p>You asked to be reminded of <a href="${near}">this message</a>.</p>`,
      '<p>Your note:</p>',
      '<blockquote>\n<p>Soon.</p>\n</blockquote>',
      '<p><span class="user-mention silent" data-user-id="7">Zoe</span> wrote:</p>',
      '<blockquote>\n<p>Do <strong>this</strong>!</p>\n</blockquote>',
    ].join('\n'),
    [t]: now() + delay,
    failed: false,
    reminder_target_message_id: id,
  }
  assert.deepEqual(await list('member'), [reminder])
  const registered = await user.watchWith({ fetch_event_types: [type] })
  assert.deepEqual(registered.state.reminders, [reminder])
  assert.deepEqual(await user.del(`${path}/${reminderId}`), success)
  assert.deepEqual(await list('member'), [])
  assert.deepEqual(await queue.drain(), [
    { type, op: 'add', reminders: [reminder] },
    { type, op: 'remove', reminder_id: reminderId },
  ])
  await aWhile()
  assert.deepEqual(await queue.drain(), [], 'what was given up is not told')
})

describe('when its time has come', () => {
  test('Notification Bot quotes the message as it is by now, once', async () => {
    const id = await server.say(
      'member',
      ['cordelia'],
      '',
      "Call me @**Cordelia, Lear's daughter**",
    )
    const reminderId = await remind('cordelia', id)
    await server.as('member').patch(`/messages/${id}`, { content: 'Write @**all** to me' })
    const [queue, other] = await Promise.all([
      server.as('cordelia').watch('message', type),
      server.as('member').watch('message'),
    ])
    server.clock.advance((delay - 1) * 1000)
    await server.settled()
    assert.deepEqual(await queue.drain(), [])
    server.clock.advance(1000)
    await server.settled()
    const events = await queue.drain()
    assert.deepEqual(
      events.filter((event) => event.type === type),
      [{ type, op: 'remove', reminder_id: reminderId }],
    )
    const [message, ...more] = written(events)
    assert.deepEqual(more, [])
    assert.match(message?.sender_email ?? '', /^notification-bot@/)
    assert.equal(message?.type, 'private')
    assert.deepEqual(message?.content.split('\n'), [
      `You asked to be reminded of [this message](${server.url}/#narrow/dm/8,10-dm/near/${id}).`,
      '',
      '@_**King Hamlet|10** wrote:',
      '``` quote',
      'Write @**all** to me',
      '```',
    ])
    assert.deepEqual(events.find((event) => event.type === 'message')?.flags, [])
    assert.deepEqual(await other.drain(), [], 'nobody else hears of it')
    await aWhile()
    assert.deepEqual(await queue.drain(), [])
    assert.deepEqual(await list('cordelia'), [])
  })

  test('the reminder about a message that one can no longer read has the note, and nothing else', async () => {
    const id = await server.say('member', 'public', 'plans', 'A secret to be')
    await remind('zoe', id, { note: 'Look' })
    await server.as('member').patch(`/messages/${id}`, { content: 'A secret' })
    const moved = { stream_id: channels.private }
    assert.equal((await server.as('owner').patch(`/messages/${id}`, moved)).result, 'success')
    const queue = await server.as('zoe').watch('message')
    await aWhile()
    assert.deepEqual(
      written(await queue.drain()).map(({ content }) => content),
      [
        'You asked to be reminded of a message that you can no longer read.\n\nYour note:\n``` quote\nLook\n```',
      ],
    )
  })

  test('who was deactivated is reminded of nothing', async () => {
    await remind('othello', await server.say('member', 'public'))
    await server.as('owner').del(`/users/${ids.othello}`)
    await aWhile()
    await server.as('owner').post(`/users/${ids.othello}/reactivate`)
    assert.deepEqual(await list('othello'), [])
    const queue = await server.as('othello').watch('message')
    await aWhile()
    assert.deepEqual(await queue.drain(), [])
  })

  test('the longest message is cut to what fits beside the longest note', async () => {
    const id = await server.say('member', 'public', '', '😎'.repeat(10_000))
    await remind('zoe', id, { note: '😎'.repeat(1000) })
    const queue = await server.as('zoe').watch('message')
    await aWhile()
    const [message] = written(await queue.drain())
    assert.ok([...(message?.content ?? '')].length <= 10_000)
    assert.ok(message?.content.endsWith('😎…\n```'))
  })
})

test('with a message go the reminders of it', async () => {
  const id = await server.say('member', 'public')
  const reminderId = await remind('zoe', id)
  const queue = await server.as('zoe').watch(type, 'message')
  assert.deepEqual(await server.as('admin').del(`/messages/${id}`), success)
  assert.deepEqual(await queue.drain(), [{ type, op: 'remove', reminder_id: reminderId }])
  await aWhile()
  assert.deepEqual(await queue.drain(), [])
})

test('someone is reminded after a restart, once', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  const start = Date.UTC(2030, 0, 1)
  const first = await startServer({ data, clock: manualClock(start) })
  const id = await first.say('member', 'public')
  await first.as('zoe').post(path, { message_id: id, [t]: start / 1000 + delay })
  await first.close()
  for (const [later, count] of [
    [0, 0],
    [2 * delay, 1],
    [2 * delay, 1],
  ] as const) {
    const restarted = await startServer({ data, clock: manualClock(start + later * 1000) })
    await restarted.settled()
    const { messages } = await restarted.as('zoe').get<{ messages: object[] }>('/messages', {
      narrow: [{ operator: 'search', operand: 'reminded' }],
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    })
    assert.equal(messages.length, count)
    await restarted.close()
  }
  rmSync(data, { recursive: true })
})

describe('refused', () => {
  const hidden = failure('Invalid message(s)')
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  const past = failure('Scheduled delivery time must be in the future.')
  const there = () => server.say('member', 'public')
  // biome-ignore format: a table reads best in columns
  const table: [string, Actor, () => Promise<number | undefined>, CallParams, object][] = [
    ['a message in a channel one cannot read', 'outsider', () => server.say('member', 'private'), {}, hidden],
    ['a message to others',        'owner', () => server.say('member', ['zoe']), {}, hidden],
    ['a message that never was',   'zoe', async () => 999_999,   {}, hidden],
    ['no message',                 'zoe', async () => undefined, {}, missing('message_id')],
    ['no time',                    'zoe', there, { [t]: undefined }, missing(t)],
    ['this moment',                'zoe', there, { [t]: now() }, past],
    ['the past',                   'zoe', there, { [t]: 1 }, past],
    ['before all time',            'zoe', there, { [t]: -1 }, failure(`${t} is too small`)],
    ['after all time',             'zoe', there, { [t]: Number.MAX_SAFE_INTEGER }, failure(`${t} is too large`)],
    ['a long note',                'zoe', there, { note: 'x'.repeat(1001) }, failure('note is too long (limit: 1000 characters)')],
    ['a NUL in the note',          'zoe', there, { note: 'a\u0000' }, failure('Argument "note" holds characters that are not allowed.')],
  ]
  for (const [what, actor, make, params, expected] of table) {
    test(what, async () => {
      const before = await list(actor)
      const call = { message_id: await make(), [t]: now() + delay, ...params }
      assert.deepEqual(await server.as(actor).post(path, call), expected)
      assert.deepEqual(await list(actor), before)
    })
  }
})

test('a reminder is as good as none to everyone but who asked for it', async () => {
  const id = await remind('zoe', await server.say('member', 'public'))
  for (const url of [`${path}/${id}`, `${path}/999999`]) {
    const reply = await server.as('owner').del(url)
    assert.deepEqual([reply, reply.status], [none, 404])
  }
  assert.deepEqual(await list('owner'), [])
  assert.equal((await list('zoe')).length, 1)
})
