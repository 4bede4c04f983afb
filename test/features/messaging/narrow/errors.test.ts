import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server

type Filter = [operator: string, operand: unknown]

const not = (operator: string, operand: unknown) => ({ operator, operand, negated: true })

async function read(actor: Actor, narrow: unknown): Promise<object> {
  const window = { anchor: 'newest', num_before: 100, num_after: 0 }
  return await server.as(actor).get('/messages', { ...window, narrow })
}

describe('filters that cannot be understood', () => {
  const bad = (desc: string) => failure(`Invalid narrow operator: ${desc}`, 'BAD_NARROW', { desc })
  const unknownChannel = bad('unknown channel')
  const unknownUser = bad('unknown user')
  const noMoment = (operator: string) =>
    bad(`${operator} needs a day (YYYY-MM-DD) or seconds since the epoch`)
  const unknownMessage = bad('unknown message in with')
  const cases: [narrow: unknown[], expected: object][] = [
    [[['nonsense', 'x']], bad('unknown operator nonsense')],
    [[['__proto__', 'x']], bad('unknown operator __proto__')],
    [[['toString', 'x']], bad('unknown operator toString')],
    [[['', 'x']], bad('unknown operator ')],
    [[['Channel', 'Verona']], bad('unknown operator Channel')],
    [[['is', 'blue']], bad('unknown is operand blue')],
    [[['is', 'constructor']], bad('unknown is operand constructor')],
    [[['is', 1]], bad('unknown is operand 1')],
    [[['in', 'inbox']], bad('unknown in operand inbox')],
    [[['is', ['dm']]], bad('is takes one operand, not a list')],
    [[['has', 'teeth']], bad('unknown has operand teeth')],
    [[['channels', 'private']], bad('unknown channels operand private')],
    [[['channels', [1]]], bad('channels takes one operand, not a list')],
    [[['channel', 'Nowhere']], unknownChannel],
    [[['channel', '']], unknownChannel],
    [[['channel', 9999]], unknownChannel],
    [[['channel', -1]], unknownChannel],
    [[['channel', [channels.shared]]], unknownChannel],
    [[['topic', ['plans']]], bad('topic takes one operand, not a list')],
    [[['dm', 'nobody@example.com']], unknownUser],
    [[['dm', 'user11@zulipdev.com,']], unknownUser],
    [[['dm', [9999]]], unknownUser],
    [[['dm', []]], unknownUser],
    [[['dm', '']], unknownUser],
    [[['dm-including', 'nobody']], unknownUser],
    [[['group-pm-with', 9999]], unknownUser],
    [[['sender', 9999]], unknownUser],
    [[['sender', 'iago']], unknownUser],
    [[['sender', [ids.admin, ids.owner]]], unknownUser],
    [Array(11).fill(['search', 'word']), bad('too many searches')],
    [Array(6).fill(['search', 'wor*']), bad('more than 5 beginnings of words to search for')],
    [[['search', 'fi* be* of* wo* in* al*']], bad('more than 5 beginnings of words to search for')],
    [[['search', ['word']]], bad('search takes one operand, not a list')],
    [[['id', 'first']], bad('id needs a message ID')],
    [[['id', [1]]], bad('id needs a message ID')],
    [[['id', '-1']], bad('id needs a message ID')],
    [[['near', 'here']], bad('near needs a message ID')],
    [[['before', '']], noMoment('before')],
    [[['before', '-1']], noMoment('before')],
    [[['before', '1e9']], noMoment('before')],
    [[['before', '1234567890123456']], noMoment('before')],
    [[['before', '2026-02-30']], noMoment('before')],
    [[['before', '2026-13-01']], noMoment('before')],
    [[['before', '0000-01-01']], noMoment('before')],
    [[['before', '2026-1-1']], noMoment('before')],
    [[['before', '2026-01-01T00:00']], noMoment('before')],
    [[['after', -1]], noMoment('after')],
    [[['after', [1]]], noMoment('after')],
    [[not('after', 'yesterday')], noMoment('after')],
    [[not('near', 1)], bad('near cannot be negated')],
    [[['with', 'me']], bad('with needs a message ID')],
    [[['with', 9999]], unknownMessage],
    [
      [
        ['channel', 'Verona'],
        ['with', 9999],
      ],
      unknownMessage,
    ],
    [[not('with', 1)], bad('with cannot be negated')],
    [
      [
        ['with', 1],
        ['with', 2],
      ],
      bad('with can be used only once'),
    ],
  ]
  for (const [narrow, expected] of cases) {
    test(JSON.stringify(narrow), async () => {
      assert.deepEqual(await read('member', narrow), expected)
    })
  }

  const malformed: unknown[] = [
    {},
    'channel',
    5,
    [5],
    [null],
    [['channel']],
    [['channel', 'Verona', 'Denmark']],
    [[1, 2]],
    [{ operator: 'channel' }],
    [{ operator: 'channel', operand: null }],
    [{ operator: 'channel', operand: { id: 1 } }],
    [{ operator: 'channel', operand: true }],
    [{ operator: 'channel', operand: 1.5 }],
    [{ operator: 'dm', operand: [[1]] }],
    [{ operator: 'is', operand: 'dm', negated: 'no' }],
    Array(200).fill(['is', 'dm']),
  ]
  for (const narrow of malformed) {
    test(`malformed: ${JSON.stringify(narrow).slice(0, 60)}`, async () => {
      const reply = await read('member', narrow)
      assert.ok('code' in reply && reply.code === 'BAD_REQUEST', JSON.stringify(reply))
    })
  }

  test('a queue is refused for what it cannot understand, and for with', async () => {
    const register = (narrow: unknown) => server.as('member').post('/register', { narrow })
    assert.deepEqual(await register([['nonsense', 'x']]), bad('unknown operator nonsense'))
    assert.deepEqual(await register([['is', 1]]), bad('unknown is operand 1'))
    assert.deepEqual(await register([['with', 1]]), bad('with cannot filter events'))
  })

  test('an operand of is that nobody knows filters nothing from a queue', async () => {
    for (const negated of [false, true]) {
      const narrow = [
        { operator: 'channel', operand: 'Denmark' },
        { operator: 'is', operand: 'stream', negated },
      ]
      const queue = await server.as('member').watchWith({ narrow, event_types: ['message'] })
      await server.say('owner', 'shared')
      const id = await server.say('owner', 'public')
      const events = await queue.drain()
      assert.deepEqual(
        events.map(({ message }) => (message as { id: number }).id),
        [id],
      )
    }
  })

  test('a queue may wait for a channel that is not there yet', async () => {
    const queue = await server
      .as('member')
      .watchWith({ event_types: ['message'], narrow: [['stream', 'Later']] })
    const made = await server
      .as('member')
      .post('/users/me/subscriptions', { subscriptions: [{ name: 'Later' }] })
    assert.equal(made.result, 'success', made.msg)
    await queue.drain()
    const params = { type: 'channel', to: 'Later', topic: 'now', content: 'Here.' }
    assert.equal((await server.as('member').post('/messages', params)).result, 'success')
    assert.equal((await queue.drain()).length, 1)
  })
})

describe('what may not be seen is answered as what does not exist', () => {
  const pairs: [title: string, actor: Actor, hidden: Filter, missing: Filter][] = [
    ['a private channel by name', 'outsider', ['channel', 'core team'], ['channel', 'cure team']],
    ['a private channel by id', 'outsider', ['channel', channels.private], ['channel', 9999]],
    ['a public channel to a guest', 'guest', ['channel', channels.public], ['channel', 9999]],
    ['a real address', 'member', ['sender', 'AARON@zulip.com'], ['sender', 'nobody@zulip.com']],
    ['a real address in a dm', 'member', ['dm', 'AARON@zulip.com'], ['dm', 'nobody@zulip.com']],
  ]
  for (const [title, actor, hidden, missing] of pairs) {
    test(title, async () => {
      const refused = await read(actor, [hidden])
      assert.deepEqual(refused, await read(actor, [missing]))
      assert.ok('code' in refused && refused.code === 'BAD_NARROW')
      assert.deepEqual(await read(actor, [not(...hidden)]), refused)
    })
  }

  test('whoever may see a real address may use it', async () => {
    const reply = await read('admin', [['dm', 'desdemona@zulip.com']])
    assert.ok('result' in reply && reply.result === 'success')
  })
})
