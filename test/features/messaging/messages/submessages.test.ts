import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  submessageLength,
  submessageLimit,
} from '#features/messaging/messages/submessages/actions.ts'
import { insertSubmessage } from '#features/messaging/messages/submessages/queries.ts'
import { listMigrations } from '#platform/store/migrations.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids } = server

interface Message {
  id: number
  submessages: { id: number; content: string; sender_id: number }[]
}

const add = (actor: Actor, id: number, content: unknown) =>
  server.as(actor).post('/submessage', {
    message_id: id,
    msg_type: 'widget',
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })
const poll = () => server.say('member', 'public', 'lunch', '/poll Where?\n- Here\n\n* There')
const todo = () =>
  server.say('member', 'public', 'lunch', '/todo Shopping\nbread: the dark one\nmilk')
const vote = { type: 'vote', key: 'canned,0', vote: 1 }

async function listed(actor: Actor, id: number): Promise<Message['submessages']> {
  const { message } = await server.as(actor).get<{ message?: Message }>(`/messages/${id}`)
  return message?.submessages ?? []
}

describe('what a text shows', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, string, object | undefined][] = [
    ['a poll',              '/poll Where?\n- Here\n\n* There\nto eat ', { widget_type: 'poll', extra_data: { question: 'Where?', options: ['Here', 'There', 'to eat'] } }],
    ['a poll of nothing',   '/poll',                { widget_type: 'poll', extra_data: { question: '', options: [] } }],
    ['options alone',       '/poll\nHere',          { widget_type: 'poll', extra_data: { question: '', options: ['Here'] } }],
    ['a to-do list',        '/todo Home\n* dishes: all: of them\nfloor', { widget_type: 'todo', extra_data: { task_list_title: 'Home', tasks: [{ task: 'dishes', desc: 'all: of them' }, { task: 'floor', desc: '' }] } }],
    ['options that only begin like items of a list', '/poll Frost?\n-5\n  *  5\n**bold**\n-\n--force', { widget_type: 'poll', extra_data: { question: 'Frost?', options: ['-5', '5', '**bold**', '--force'] } }],
    ['an option that is written twice', '/poll Tea?\nyes\n- yes\nno\nYes', { widget_type: 'poll', extra_data: { question: 'Tea?', options: ['yes', 'no', 'Yes'] } }],
    ['tasks with colons that end no word', '/todo Today\n12:30 lunch: outside\nhttps://a.org/b', { widget_type: 'todo', extra_data: { task_list_title: 'Today', tasks: [{ task: '12:30 lunch', desc: 'outside' }, { task: 'https://a.org/b', desc: '' }] } }],
    ['a word that begins so', '/polling stations',  undefined],
    ['a command further on',  'see /poll',          undefined],
  ]
  for (const [what, content, widget] of table) {
    test(`${what}: ${JSON.stringify(content)}`, async () => {
      const queue = await server.as('owner').watch('message')
      const id = await server.say('member', 'public', 'lunch', content)
      const shown = await listed('owner', id)
      const expected = widget && { message_id: id, sender_id: ids.member, msg_type: 'widget' }
      assert.deepEqual(
        shown.map(({ id: _, content, ...rest }) => ({ ...rest, ...JSON.parse(content) })),
        expected ? [{ ...expected, ...widget }] : [],
      )
      const [event] = (await queue.drain()) as unknown as [{ message: Message }]
      assert.deepEqual(event.message.submessages, shown, 'the same in the event')
    })
  }
})

test('a vote reaches everyone who has the message, as it was written, and stays with it', async () => {
  const id = await poll()
  const [owner, outsider, guest] = await Promise.all([
    server.as('owner').watch('submessage'),
    server.as('outsider').watch('submessage'),
    server.as('guest').watch('submessage'),
  ])
  const content = '{"type": "vote",  "key": "canned,0", "vote": 1}'
  assert.deepEqual(await add('zoe', id, content), success)
  const [, stored] = await listed('owner', id)
  assert.deepEqual(stored, {
    id: stored?.id,
    msg_type: 'widget',
    content,
    message_id: id,
    sender_id: ids.zoe,
  })
  const event = {
    type: 'submessage',
    msg_type: 'widget',
    content,
    message_id: id,
    sender_id: ids.zoe,
    submessage_id: stored?.id,
  }
  assert.deepEqual(await owner.drain(), [event])
  assert.deepEqual(await outsider.drain(), [event], 'not subscribed, but it is a public channel')
  assert.deepEqual(await guest.drain(), [])
})

describe('steps', () => {
  const invalid = failure('Invalid content for this widget')
  const author = failure('Only the author of a widget can change its title')
  // biome-ignore format: a table reads best in columns
  const table: [string, () => Promise<number>, Actor, unknown, object][] = [
    ['a vote taken back',            poll, 'zoe',    { ...vote, vote: -1 },                          success],
    ['a vote for an added option',   poll, 'zoe',    { ...vote, key: `${ids.zoe},1` },               success],
    ['a new option',                 poll, 'zoe',    { type: 'new_option', option: 'Away', idx: 1 }, success],
    ['the author asks anew',         poll, 'member', { type: 'question', question: 'When?' },        success],
    ['somebody else asks anew',      poll, 'owner',  { type: 'question', question: 'When?' },        author],
    ['a new task',                   todo, 'zoe',    { type: 'new_task', key: 2, task: 'tea', desc: '', completed: false }, success],
    ['a first task done',            todo, 'zoe',    { type: 'strike', key: '0,canned' },            success],
    ['the same by an old client',    todo, 'zoe',    { type: 'strike', key: 'canned,0' },            success],
    ['a task of nobody',             todo, 'zoe',    { type: 'strike', key: '0,canned,1' },          invalid],
    ['a vote with a key of a task',  poll, 'zoe',    { ...vote, key: '0,canned' },                   invalid],
    ['the author renames a list',    todo, 'member', { type: 'new_task_list_title', title: 'Buy' },  success],
    ['somebody else renames a list', todo, 'owner',  { type: 'new_task_list_title', title: 'Buy' },  author],
    ['a task in a poll',             poll, 'zoe',    { type: 'strike', key: 'canned,0' },            invalid],
    ['a vote in a list',             todo, 'zoe',    vote,                                           invalid],
    ['half a vote',                  poll, 'zoe',    { ...vote, vote: 0.5 },                         invalid],
    ['a vote for nothing',           poll, 'zoe',    { ...vote, key: 'canned,-1' },                  invalid],
    ['an unknown type',              poll, 'zoe',    { type: 'boast' },                              invalid],
    ['more than a vote',             poll, 'zoe',    { ...vote, more: 1 },                           invalid],
    ['a prototype',                  poll, 'zoe',    '{"type":"vote","key":"canned,0","vote":1,"__proto__":{}}', invalid],
    ['a NUL in an option',           poll, 'zoe',    { type: 'new_option', option: 'a\0', idx: 1 },  invalid],
    ['a negative index',             poll, 'zoe',    { type: 'new_option', option: 'a', idx: -1 },   invalid],
    ['a huge index',                 poll, 'zoe',    '{"type":"new_option","option":"a","idx":1e300}', invalid],
    ['no JSON',                      poll, 'zoe',    '{vote}',                                       invalid],
    ['deep JSON',                    poll, 'zoe',    '['.repeat(9000),                               invalid],
    ['too much',                     poll, 'zoe',    'x'.repeat(10_001),                             failure('content is too long (limit: 10000 characters)')],
    ['another widget on top',        poll, 'member', { widget_type: 'poll', extra_data: { question: '', options: [] } }, invalid],
    ['no such message',              async () => 999_999, 'zoe', vote,                               failure('Invalid message(s)')],
    ['a channel one cannot read',    poll, 'guest',  vote,                                           failure('Invalid message(s)')],
  ]
  for (const [what, make, actor, content, expected] of table) {
    test(what, async () => {
      const id = await make()
      const before = (await listed('member', id)).length
      assert.deepEqual(await add(actor, id, content), expected)
      assert.equal((await listed('member', id)).length, expected === success ? before + 1 : before)
    })
  }

  describe('a tick is kept with the key that all clients know', () => {
    const { $client } = server.server.context.store.db
    const tasks = [
      ['member', 0],
      ['member', ids.zoe],
      ['zoe', ids.member],
    ] as const
    // biome-ignore format: a table reads best in columns
    const table: [given: string, kept: string][] = [
      ['0,canned',                  '0,canned'],
      ['canned,1',                  '1,canned'],
      [`0,${ids.member}`,           `0,${ids.member}`],
      [`${ids.member},0`,           `0,${ids.member}`],
      [`${ids.zoe},${ids.member}`,  `${ids.zoe},${ids.member}`],
      [`${ids.member},${ids.zoe}`,  `${ids.member},${ids.zoe}`],
      [`${ids.owner},3`,            `${ids.owner},3`],
    ]
    for (const [given, kept] of table) {
      test(`${given} as ${kept}, also by the migration of old data`, async () => {
        const id = await todo()
        for (const [actor, key] of tasks) {
          await add(actor, id, { type: 'new_task', key, task: 'tea', desc: '' })
        }
        const strike = JSON.stringify({ type: 'strike', key: given })
        assert.deepEqual(await add('owner', id, strike), success)
        const keyKept = async () =>
          JSON.parse((await listed('owner', id)).at(-1)?.content ?? '').key
        assert.equal(await keyKept(), kept)
        $client
          .prepare("UPDATE submessages SET content = ? WHERE content ->> '$.type' = 'strike'")
          .run(strike)
        const migration = listMigrations().find((part) => part.join().includes(' strikes AS'))
        $client.exec(migration?.join(';') ?? '')
        assert.equal(await keyKept(), kept)
      })
    }
  })

  test('a type of submessage that no client knows', async () => {
    const params = { message_id: await poll(), msg_type: 'other', content: vote }
    assert.deepEqual(
      await server.as('zoe').post('/submessage', params),
      failure('Invalid msg_type'),
    )
  })

  for (const [what, count, content] of [
    ['ten thousand votes', submessageLimit - 1, '{}'],
    ['a million characters', 100, `"${'x'.repeat(submessageLength / 100 - 3)}"`],
  ] as const) {
    test(`what was added to a message is no more than clients can read: ${what}`, async () => {
      const id = await poll()
      await server.server.context.store.write((tx) => {
        const row = { messageId: id, senderId: 7, msgType: 'widget', content } as const
        for (let i = 0; i < count; i++) insertSubmessage(tx, row)
      })
      const full = failure('This message has reached the limit of its widget')
      assert.deepEqual(await add('zoe', id, vote), full)
    })
  }
})

describe('a message without a widget', () => {
  const list = { widget_type: 'todo', extra_data: { task_list_title: '', tasks: [] } }
  // biome-ignore format: a table reads best in columns
  const table: [string, Actor, unknown, object][] = [
    ['becomes a to-do list for its sender',  'member', list, success],
    ['becomes nothing else',                 'member', { widget_type: 'clock', extra_data: {} }, failure('Invalid widget')],
    ['has nothing to vote on',               'member', vote, failure('Invalid widget')],
    ['becomes nothing for somebody else',    'owner',  list, failure('This message has no widget')],
  ]
  for (const [what, actor, content, expected] of table) {
    test(what, async () => {
      const id = await server.say('member', 'public')
      assert.deepEqual(await add(actor, id, content), expected)
    })
  }
})

test('a bot says what its message shows, and nobody can add to its choices', async () => {
  const choice = { type: 'multiple_choice', short_name: 'A', long_name: 'Yes', reply: 'A it is' }
  const widget = {
    widget_type: 'zform',
    extra_data: { type: 'choices', heading: 'Well?', choices: [choice] },
  }
  const send = (widget_content: unknown) =>
    server.as('bot').post<{ id: number }>('/messages', {
      type: 'direct',
      to: [ids.member],
      content: '/poll What?',
      widget_content,
    })
  const { id } = await send(widget)
  assert.deepEqual(JSON.parse((await listed('member', id))[0]?.content ?? ''), widget)
  assert.deepEqual(await add('member', id, vote), failure('Invalid content for this widget'))
  assert.deepEqual(
    await send({ ...widget, widget_type: 'game' }),
    failure('Invalid widget_content["widget_type"]'),
  )
})

test('what a message shows cannot be edited, and goes with it', async () => {
  const id = await poll()
  const refused = failure('Messages with polls or to-do lists cannot be edited')
  assert.deepEqual(await server.as('member').patch(`/messages/${id}`, { content: 'x' }), refused)
  const moved = await server.as('member').patch(`/messages/${id}`, { topic: 'dinner' })
  assert.equal(moved.result, 'success')
  assert.equal((await listed('member', id)).length, 1)
  assert.deepEqual(await server.as('admin').del(`/messages/${id}`), success)
  const left = 'SELECT count(*) AS n FROM submessages WHERE message_id = ?'
  const { $client } = server.server.context.store.db
  assert.deepEqual($client.prepare(left).get(id), { n: 0 })
})

test('nobody outside a conversation votes in it', async () => {
  const id = await server.say('member', ['cordelia'], '', '/poll Here?')
  assert.deepEqual(await add('cordelia', id, vote), success)
  const params: CallParams = { message_id: id, msg_type: 'widget', content: vote }
  assert.deepEqual(
    await server.as('owner').post('/submessage', params),
    failure('Invalid message(s)'),
  )
})
