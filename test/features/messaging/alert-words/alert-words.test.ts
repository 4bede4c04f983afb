import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { listAlertedUsers } from '#features/messaging/alert-words/matching.queries.ts'
import { insertAlertWord } from '#features/messaging/alert-words/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const path = '/users/me/alert_words'

test('alert words are added once, in whatever case of letters', async () => {
  const user = server.as('member')
  const queue = await user.watch('alert_words')
  const added = await user.post(path, {
    alert_words: ['Deadline', ' code review ', '', 'deadline'],
  })
  const both = ['code review', 'Deadline']
  assert.deepEqual(added, { ...success, alert_words: both })
  assert.deepEqual(await queue.drain(), [{ type: 'alert_words', alert_words: both }])
  assert.deepEqual(await user.post(path, { alert_words: ['DEADLINE'] }), added)
  assert.deepEqual(await queue.drain(), [], 'nothing changed')
  assert.deepEqual(await user.get(path), added)
})

test('alert words are removed in whatever case of letters; unknown ones are ignored', async () => {
  const user = server.as('othello')
  await user.post(path, { alert_words: ['one', 'two'] })
  const queue = await user.watch('alert_words')
  const left = { ...success, alert_words: ['two'] }
  assert.deepEqual(await user.del(path, { alert_words: ['ONE', 'three'] }), left)
  assert.deepEqual(await queue.drain(), [{ type: 'alert_words', alert_words: ['two'] }])
  assert.deepEqual(await user.del(path, { alert_words: ['three'] }), left)
  assert.deepEqual(await queue.drain(), [])
})

test('alert words belong to one user', async () => {
  await server.as('prospero').post(path, { alert_words: ['mine'] })
  assert.deepEqual(await server.as('zoe').get(path), { ...success, alert_words: [] })
})

describe('refused', () => {
  const long = 'x'.repeat(101)
  // biome-ignore format: a table reads best in columns
  const matrix: [string, CallParams, RegExp][] = [
    ['a word of 101 letters', { alert_words: [long] },      /alert_words\[0\] is too long \(limit: 100 characters\)/],
    ['a bare word',           { alert_words: 'word' },      /alert_words/],
    ['numbers',               { alert_words: [1] },         /alert_words\[0\] is not a string/],
    ['an object',             { alert_words: { a: 1 } },    /alert_words/],
    ['a NUL',                 { alert_words: ['a\u0000'] }, /not allowed/],
    ['nothing',               {},                           /Missing 'alert_words' argument/],
  ]
  for (const [what, params, message] of matrix) {
    test(what, async () => {
      for (const method of ['post', 'del'] as const) {
        const reply = await server.as('guest')[method](path, params)
        assert.equal(reply.result, 'error')
        assert.match(reply.msg, message)
      }
      assert.deepEqual(await server.as('guest').get(path), { ...success, alert_words: [] })
    })
  }

  test('without credentials', async () => {
    const reply = await server.anonymous.get(path)
    const msg = 'Not logged in: API authentication or user session required'
    assert.deepEqual(reply, failure(msg, 'UNAUTHORIZED'))
  })
})

test('a message with an alert word is flagged for who asked for it, and for nobody else', async () => {
  await server.as('cordelia').post(path, { alert_words: ['lunch', 'c++'] })
  const queue = await server.as('cordelia').watch('message')
  const flagsOf = async (content: string) => {
    await server.say('owner', 'shared', 'today', content)
    return (await queue.drain()).map(({ flags }) => flags)
  }
  assert.deepEqual(await flagsOf('LUNCH is ready'), [['has_alert_word']])
  assert.deepEqual(await flagsOf('Written in C++.'), [['has_alert_word']])
  assert.deepEqual(await flagsOf('Brunch is ready, as are lunches'), [[]])
})

test('a message heeds the words of this moment, also after a change that was rolled back', async () => {
  const user = server.as('prospero')
  const { store } = server.server.context
  const queue = await user.watch('message')
  const send = () => server.say('owner', 'public', 'today', 'Tea, then coffee and cake.')
  const flagged = async () => (await queue.drain()).map(({ flags }) => flags)
  await send()
  assert.deepEqual(await flagged(), [[]])

  const writes = await Promise.allSettled([
    send(),
    store.write((tx) => {
      insertAlertWord(tx, user.id, 'coffee')
      assert.deepEqual([...listAlertedUsers(tx, 'Coffee')], [user.id])
      throw new Error('Rolled back.')
    }),
    store.write((tx) => assert.deepEqual([...listAlertedUsers(tx, 'Coffee')], [])),
  ])
  assert.deepEqual(
    writes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  await send()
  assert.deepEqual(await flagged(), [[], []])

  await user.post(path, { alert_words: ['coffee', 'cake'] })
  await user.del(path, { alert_words: ['coffee'] })
  await send()
  await user.del(path, { alert_words: ['cake'] })
  await send()
  assert.deepEqual(await flagged(), [['has_alert_word'], []])
})
