import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const path = '/navigation_views'
const alerted = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alert words' }
const none = failure('Navigation view does not exist.', 'NOT_FOUND')

async function list(actor: Actor): Promise<object[]> {
  return (await server.as(actor).get<{ navigation_views: object[] }>(path)).navigation_views
}

test('a view is added, changed and removed, and the other clients hear of it', async () => {
  const user = server.as('member')
  const queue = await user.watch('navigation_view')
  const url = `${path}/${alerted.fragment}`
  assert.deepEqual(await user.post(path, alerted), success)
  assert.deepEqual(await list('member'), [alerted])
  assert.deepEqual(await user.patch(url, { is_pinned: false }), success)
  assert.deepEqual(await user.patch(url, { is_pinned: true, name: ' My words ' }), success)
  assert.deepEqual(await list('member'), [{ ...alerted, name: 'My words' }])
  assert.deepEqual(await user.patch(url), success, 'nothing to change')
  assert.deepEqual(await user.del(url), success)
  assert.deepEqual(await list('member'), [])
  const type = 'navigation_view'
  const { fragment } = alerted
  assert.deepEqual(await queue.drain(), [
    { type, op: 'add', navigation_view: alerted },
    { type, op: 'update', fragment, data: { is_pinned: false } },
    { type, op: 'update', fragment, data: { is_pinned: true, name: 'My words' } },
    { type, op: 'remove', fragment },
  ])
})

test('a fragment may hold slashes, encoded or not, and anything else', async () => {
  const user = server.as('othello')
  for (const fragment of ['narrow/channel/3-Verona/topic/a.20b', 'narrow/search/10%?&=', '日本']) {
    assert.deepEqual(await user.post(path, { fragment, is_pinned: true, name: fragment }), success)
    const encoded = `${path}/${encodeURIComponent(fragment)}`
    assert.deepEqual(await user.patch(encoded, { is_pinned: false }), success)
    assert.deepEqual(await list('othello'), [{ fragment, is_pinned: false, name: fragment }])
    assert.deepEqual(await user.del(encoded), success)
  }
})

test('a built-in view keeps its own name', async () => {
  const user = server.as('owner')
  const own = failure('Built-in views cannot have a custom name.')
  assert.deepEqual(await user.post(path, { fragment: 'inbox', is_pinned: true, name: 'Mail' }), own)
  assert.deepEqual(await user.post(path, { fragment: 'inbox', is_pinned: false }), success)
  assert.deepEqual(await user.patch(`${path}/inbox`, { name: 'Mail' }), own)
  assert.deepEqual(await list('owner'), [{ fragment: 'inbox', is_pinned: false, name: null }])
})

test('views belong to one user', async () => {
  await server.as('zoe').post(path, alerted)
  assert.deepEqual(await server.as('admin').patch(`${path}/${alerted.fragment}`, {}), none)
  const removed = await server.as('admin').del(`${path}/${alerted.fragment}`)
  assert.deepEqual([removed, removed.status], [none, 404])
  assert.deepEqual(await list('zoe'), [alerted])
})

describe('refused', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, CallParams, string | RegExp][] = [
    ['the same view again',         alerted,                                   'Navigation view already exists.'],
    ['a name that is taken',        { ...alerted, fragment: 'narrow/is/dm' },  'A navigation view with this name already exists.'],
    ['a custom view without a name',{ fragment: 'narrow/is/dm', is_pinned: true }, 'A custom view must have a name.'],
    ['an empty name',               { ...alerted, fragment: 'x', name: ' ' },  'name cannot be blank'],
    ['a long name',                 { ...alerted, fragment: 'x', name: 'x'.repeat(101) }, /name is too long/],
    ['an empty fragment',           { ...alerted, fragment: '' },              /fragment/],
    ['no fragment',                 { is_pinned: true },                       /Missing 'fragment' argument/],
    ['nothing about pinning',       { fragment: 'inbox' },                     /Missing 'is_pinned' argument/],
    ['a word for pinning',          { ...alerted, is_pinned: 'yes' },          /is_pinned/],
    ['a NUL',                       { ...alerted, fragment: 'a\u0000' },       /not allowed/],
  ]
  for (const [what, params, message] of matrix) {
    test(what, async () => {
      await server.as('prospero').post(path, alerted)
      const reply = await server.as('prospero').post(path, params)
      assert.equal(reply.result, 'error')
      if (typeof message === 'string') assert.deepEqual(reply, failure(message))
      else assert.match(reply.msg, message)
      assert.deepEqual(await list('prospero'), [alerted])
    })
  }
})
