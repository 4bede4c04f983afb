import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const now = Math.floor(server.clock.now() / 1000)
const path = '/saved_snippets'
const thanks = { title: 'Thanks', content: 'Thank you *very* much!' }
const none = failure('Saved snippet does not exist.', 'NOT_FOUND')

async function create(actor: Actor, text: CallParams = thanks): Promise<number> {
  const reply = await server.as(actor).post<{ saved_snippet_id: number }>(path, text)
  assert.deepEqual(reply, { ...success, saved_snippet_id: reply.saved_snippet_id })
  return reply.saved_snippet_id
}

async function list(actor: Actor): Promise<object[]> {
  return (await server.as(actor).get<{ saved_snippets: object[] }>(path)).saved_snippets
}

test('a snippet is kept, changed and removed, and the other clients hear of it', async () => {
  const user = server.as('member')
  const queue = await user.watch('saved_snippets')
  const id = await create('member', { ...thanks, title: '  Thanks ' })
  const snippet = { id, ...thanks, date_created: now }
  assert.deepEqual(await list('member'), [snippet])
  assert.deepEqual(await user.patch(`${path}/${id}`, { title: 'Thank you' }), success)
  const renamed = { ...snippet, title: 'Thank you' }
  assert.deepEqual(await list('member'), [renamed])
  assert.deepEqual(await user.patch(`${path}/${id}`, { content: 'Thanks.' }), success)
  assert.deepEqual(await user.patch(`${path}/${id}`), success, 'nothing to change')
  assert.deepEqual(await user.del(`${path}/${id}`), success)
  assert.deepEqual(await list('member'), [])
  const type = 'saved_snippets'
  assert.deepEqual(await queue.drain(), [
    { type, op: 'add', saved_snippet: snippet },
    { type, op: 'update', saved_snippet: renamed },
    { type, op: 'update', saved_snippet: { ...renamed, content: 'Thanks.' } },
    { type, op: 'remove', saved_snippet_id: id },
  ])
})

test('a snippet is as good as none to everyone but its author', async () => {
  const id = await create('zoe')
  for (const url of [`${path}/${id}`, `${path}/999`]) {
    const reply = await server.as('owner').patch(url, { title: 'Mine' })
    assert.deepEqual([reply, reply.status], [none, 404])
    assert.deepEqual(await server.as('owner').del(url), none)
  }
  assert.deepEqual(await list('owner'), [])
  assert.deepEqual(await list('zoe'), [{ id, ...thanks, date_created: now }])
})

describe('refused', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, CallParams, RegExp][] = [
    ['an empty title',   { ...thanks, title: ' ' },              /title cannot be blank/],
    ['an empty content', { ...thanks, content: '\n' },           /content cannot be blank/],
    ['a long title',     { ...thanks, title: 'x'.repeat(61) },   /title is too long \(limit: 60 characters\)/],
    ['a long content',   { ...thanks, content: 'x'.repeat(10_001) }, /content is too long/],
    ['a NUL',            { ...thanks, content: 'a\u0000' },      /not allowed/],
  ]
  for (const [what, params, message] of matrix) {
    test(what, async () => {
      const id = await create('othello')
      const before = await list('othello')
      for (const reply of [
        await server.as('othello').post(path, params),
        await server.as('othello').patch(`${path}/${id}`, params),
      ]) {
        assert.equal(reply.code, 'BAD_REQUEST')
        assert.match(reply.msg, message)
      }
      assert.deepEqual(await list('othello'), before)
    })
  }

  test('no title at all', async () => {
    const reply = await server.as('othello').post(path, { content: 'x' })
    assert.equal(reply.code, 'REQUEST_VARIABLE_MISSING')
  })

  test('a title of 60 characters that take two units each is not', async () => {
    await create('prospero', { ...thanks, title: '😎'.repeat(60) })
  })
})
