import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, administrators, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { store } = server.server.context
const type = 'realm_playgrounds'

let made = 0
function fresh() {
  made += 1
  const url_template = 'https://python.example.com/?code={code}'
  return { name: `Playground ${made}`, pygments_language: 'Python', url_template }
}

const add = (actor: Actor, params: CallParams) =>
  server.as(actor).post<{ id: number }>('/realm/playgrounds', params)
const remove = (actor: Actor, id: number) => server.as(actor).del(`/realm/playgrounds/${id}`)
const list = async () => (await server.as('guest').watch(type)).state.realm_playgrounds as object[]

const adminsOnly = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')

describe('who may', () => {
  for (const [actor, may] of administrators) {
    test(`${actor} ${may ? 'can' : 'cannot'} add and remove playgrounds`, async () => {
      const { id } = await add('admin', fresh())
      assert.deepEqual(await remove(actor, id), may ? success : adminsOnly)
      const reply = await add(actor, fresh())
      if (may) assert.equal(reply.result, 'success')
      else assert.deepEqual(reply, adminsOnly)
    })
  }

  test('nobody without credentials', async () => {
    assert.equal((await server.anonymous.post('/realm/playgrounds', fresh())).status, 401)
  })
})

test('everyone hears of all playgrounds when one comes or goes', async () => {
  const before = await list()
  const queue = await server.as('guest').watch(type)
  const one = { ...fresh(), pygments_language: 'C++' }
  const { id } = await add('admin', { ...one, name: `  ${one.name} ` })
  assert.deepEqual(await list(), [...before, { id, ...one }])
  assert.deepEqual(await remove('owner', id), success)
  assert.deepEqual(await queue.drain(), [
    { type, realm_playgrounds: [...before, { id, ...one }] },
    { type, realm_playgrounds: before },
  ])
  const again = await add('admin', one)
  assert.ok(again.id > id, 'ids are never used again')
})

test('a language has as many playgrounds as it likes, of different names', async () => {
  const one = fresh()
  assert.equal((await add('admin', one)).result, 'success')
  assert.equal((await add('admin', { ...one, name: 'Another' })).result, 'success')
  assert.equal((await add('admin', { ...one, pygments_language: 'Rust' })).result, 'success')
})

describe('what is refused changes nothing and tells nobody', async () => {
  const taken = fresh()
  await add('admin', taken)
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  const oneCode = failure("The URL template must have exactly one variable, named 'code'.")
  const badLanguage = failure('Invalid characters in pygments language')
  const added = (params: CallParams) => () => add('admin', { ...fresh(), ...params })
  // biome-ignore format: a table reads best in columns
  const rows: [string, () => Promise<object>, object | RegExp][] = [
    ['no name',                  added({ name: undefined }),                       missing('name')],
    ['a blank name',             added({ name: ' ' }),                             failure('name cannot be blank')],
    ['a long name',              added({ name: 'x'.repeat(101) }),                 /name is too long/],
    ['a name with NUL',          added({ name: 'a\u0000' }),                       /not allowed/],
    ['a name that is taken',     added(taken),                                     failure('This language already has a playground with this name.')],
    ['no language',              added({ pygments_language: undefined }),          missing('pygments_language')],
    ['an empty language',        added({ pygments_language: '' }),                 badLanguage],
    ['a language with brackets', added({ pygments_language: '<b>' }),              badLanguage],
    ['a long language',          added({ pygments_language: 'x'.repeat(41) }),     /pygments_language is too long/],
    ['no template',              added({ url_template: undefined }),               missing('url_template')],
    ['a template of a megabyte', added({ url_template: 'x'.repeat(1_000_000) }),   /too (long|large)/],
    ['a broken template',        added({ url_template: 'https://x.org/{code' }),   failure('Invalid URL template.')],
    ['a template that runs',     added({ url_template: 'javascript:{code}' }),     failure('Invalid URL template.')],
    ['no variable',              added({ url_template: 'https://x.org/' }),        oneCode],
    ['another variable',         added({ url_template: 'https://x.org/{x}' }),     oneCode],
    ['a second variable',        added({ url_template: 'https://x.org/{code}{x}' }), oneCode],
    ['removing none',            () => remove('admin', 99_999),                    failure('Invalid playground')],
    ['removing beyond integers', () => server.as('admin').del('/realm/playgrounds/99999999999999999999'), /playground_id/],
  ]
  for (const [name, call, expected] of rows) {
    test(name, async () => {
      const digest = () => store.db.$client.prepare('SELECT * FROM playgrounds').all()
      const before = digest()
      const queue = await server.as('member').watch(type)
      const reply = (await call()) as { result: string; msg: string }
      if (expected instanceof RegExp) {
        assert.equal(reply.result, 'error')
        assert.match(reply.msg, expected)
      } else assert.deepEqual(reply, expected)
      assert.deepEqual(digest(), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }
})
