import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, administrators, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, clock } = server
const { store } = server.server.context

interface Folder {
  id: number
  name: string
  order: number
  is_archived: boolean
}

let made = 0
const create = (actor: Actor, params: CallParams = {}) => {
  made += 1
  return server.as(actor).post<{ channel_folder_id: number }>('/channel_folders/create', {
    name: `folder ${made}`,
    description: '',
    ...params,
  })
}
async function newFolder(params: CallParams = {}): Promise<number> {
  const reply = await create('admin', params)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.channel_folder_id
}
const edit = (actor: Actor, id: number, params: CallParams) =>
  server.as(actor).patch(`/channel_folders/${id}`, params)
const reorder = (actor: Actor, order: unknown) =>
  server.as(actor).patch('/channel_folders', { order })
const list = async (actor: Actor = 'member', params: CallParams = { include_archived: true }) =>
  (await server.as(actor).get<{ channel_folders: Folder[] }>('/channel_folders', params))
    .channel_folders
const find = async (id: number) => (await list()).find((folder) => folder.id === id)

const adminsOnly = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
const unknown = failure('Invalid channel folder ID')

describe('who may', () => {
  for (const [actor, may] of administrators) {
    test(`${actor} ${may ? 'can' : 'cannot'} create, edit and order folders, but sees them`, async () => {
      const id = await newFolder()
      const before = await list(actor)
      const expected = may ? success : adminsOnly
      assert.deepEqual(await edit(actor, id, { name: `of the ${actor}` }), expected)
      const order = before.map((folder) => folder.id).reverse()
      assert.deepEqual(await reorder(actor, order), expected)
      const reply = await create(actor)
      if (may) assert.equal(reply.result, 'success')
      else {
        assert.deepEqual(reply, adminsOnly)
        assert.deepEqual(await list(actor), before)
      }
    })
  }

  test('nobody without credentials', async () => {
    assert.equal((await server.anonymous.get('/channel_folders')).status, 401)
    assert.equal((await server.anonymous.post('/channel_folders/create')).status, 401)
  })
})

test('a new folder comes last, and everyone hears of it', async () => {
  const queue = await server.as('guest').watch('channel_folder')
  const last = (await list()).length
  const id = await newFolder({ name: '  Plans ', description: 'For **later**' })
  const folder = {
    id,
    name: 'Plans',
    description: 'For **later**',
    rendered_description: '<p>For <strong>later</strong></p>',
    order: last,
    date_created: clock.now() / 1000,
    creator_id: ids.admin,
    is_archived: false,
  }
  assert.deepEqual(await queue.drain(), [
    { type: 'channel_folder', op: 'add', channel_folder: folder },
  ])
  assert.deepEqual((await list()).at(-1), folder)
  const { state } = await server.as('member').watch('channel_folders')
  assert.deepEqual(state.channel_folders, await list())
})

test('each change is told alone, and none when nothing changed', async () => {
  const id = await newFolder({ name: 'Before', description: 'Old' })
  const queue = await server.as('member').watch('channel_folder')
  const change = { type: 'channel_folder', op: 'update', channel_folder_id: id }
  assert.deepEqual(await edit('owner', id, { name: 'BEFORE' }), success)
  assert.deepEqual(await edit('owner', id, { description: '*New*' }), success)
  assert.deepEqual(await edit('owner', id, { name: 'BEFORE', description: '*New*' }), success)
  assert.deepEqual(await edit('owner', id, {}), success)
  assert.deepEqual(await edit('owner', id, { is_archived: true }), success)
  assert.deepEqual(await edit('owner', id, { is_archived: false, name: 'After' }), success)
  assert.deepEqual(await queue.drain(), [
    { ...change, data: { name: 'BEFORE' } },
    { ...change, data: { description: '*New*', rendered_description: '<p><em>New</em></p>' } },
    { ...change, data: { is_archived: true } },
    { ...change, data: { name: 'After', is_archived: false } },
  ])
  assert.equal((await find(id))?.name, 'After')
})

test('an archived folder is listed only for those who ask, and holds no channel', async () => {
  const id = await newFolder()
  assert.deepEqual(await edit('admin', id, { is_archived: true }), success)
  assert.equal(
    (await list('member', {})).some((folder) => folder.id === id),
    false,
  )
  assert.equal((await find(id))?.is_archived, true)
  assert.deepEqual(await server.as('admin').patch('/streams/4', { folder_id: id }), unknown)
})

test('a folder that holds channels is not archived, not even for an archived one', async () => {
  const id = await newFolder()
  assert.deepEqual(await server.as('admin').patch('/streams/4', { folder_id: id }), success)
  const refused = failure('A folder that contains channels cannot be archived.')
  assert.deepEqual(await edit('admin', id, { is_archived: true }), refused)
  assert.deepEqual(await server.as('admin').del('/streams/4'), success)
  assert.deepEqual(await edit('admin', id, { is_archived: true }), refused)
  assert.deepEqual(await server.as('admin').patch('/streams/4', { folder_id: null }), success)
  assert.deepEqual(await edit('admin', id, { is_archived: true }), success)
  assert.deepEqual(await server.as('admin').patch('/streams/4', { is_archived: false }), success)
})

test('an archived folder leaves its name to another, and needs a new one to return', async () => {
  const id = await newFolder({ name: 'Wanted' })
  const taken = failure("Channel folder 'wanted' already exists")
  assert.deepEqual(await create('admin', { name: 'wanted' }), taken)
  assert.deepEqual(await edit('admin', id, { is_archived: true }), success)
  await newFolder({ name: 'wanted' })
  assert.deepEqual(
    await edit('admin', id, { is_archived: false }),
    failure("Channel folder 'Wanted' already exists"),
  )
  assert.deepEqual(await edit('admin', id, { is_archived: false, name: 'Other' }), success)
})

test('folders are listed in the order that an administrator gives them', async () => {
  const archived = await newFolder()
  await edit('admin', archived, { is_archived: true })
  const before = (await list()).map(({ id }) => id)
  const queue = await server.as('guest').watch('channel_folder')
  const order = [...before].reverse()
  assert.deepEqual(await reorder('admin', order), success)
  assert.deepEqual(await reorder('admin', order), success)
  const after = await list()
  assert.deepEqual(
    after.map(({ id }) => id),
    order,
  )
  assert.deepEqual(
    after.map((folder) => folder.order),
    order.map((_, position) => position),
  )
  assert.deepEqual(await queue.drain(), [{ type: 'channel_folder', op: 'reorder', order }])
})

describe('what is refused changes nothing and tells nobody', () => {
  const taken = failure("Channel folder 'ENGINEERING' already exists")
  const badOrder = failure('The order must list each channel folder once.')
  type Call = () => Promise<object>
  const created = (params: CallParams) => () => create('admin', params)
  const edited = (params: CallParams) => () => edit('admin', 2, params)
  const ordered = (order: unknown) => () => reorder('admin', order)
  // biome-ignore format: a matrix reads best in columns
  const rows: [string, Call, object | RegExp][] = [
    ['a name that is empty', created({ name: '' }), failure("Channel folder name can't be empty.")],
    ['a name of blanks', created({ name: ' ' }), failure("Channel folder name can't be empty.")],
    ['a long name', created({ name: 'x'.repeat(61) }), failure('Channel folder name is too long (limit: 60 characters)')],
    ['a name of a megabyte', created({ name: 'x'.repeat(1_000_000) }), /too (long|large)/],
    ['a name with NUL', created({ name: 'a\u0000b' }), /./],
    ['a name with a bell', created({ name: 'a\u0007b' }), failure('Invalid character in channel folder name, at position 2: U+0007.')],
    ['a name that is taken', created({ name: 'ENGINEERING' }), taken],
    ['no name', created({ name: undefined }), failure("Missing 'name' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'name' })],
    ['no description', created({ description: undefined }), failure("Missing 'description' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'description' })],
    ['a long description', created({ description: 'x'.repeat(1025) }), failure('description is too long (limit: 1024 characters)')],
    ['a description with NUL', created({ description: '\u0000' }), /./],
    ['a new name that is empty', edited({ name: '' }), failure("Channel folder name can't be empty.")],
    ['a new name that is taken', edited({ name: 'ENGINEERING' }), taken],
    ['a new name and a long description', edited({ name: 'Fine', description: 'x'.repeat(1025) }), failure('description is too long (limit: 1024 characters)')],
    ['is_archived that is no boolean', edited({ is_archived: '__proto__' }), failure('Argument "is_archived" is not valid JSON.')],
    ['is_archived that is a number', edited({ is_archived: 1 }), failure('is_archived is not a boolean')],
    ['is_archived of a folder in use', edited({ name: 'Fine', is_archived: true }), failure('A folder that contains channels cannot be archived.')],
    ['a folder that is not there', () => edit('admin', 999, { name: 'x' }), unknown],
    ['folder 0', () => edit('admin', 0, { name: 'x' }), unknown],
    ['a folder beyond integers', () => server.as('admin').patch('/channel_folders/99999999999999999999', { name: 'x' }), /channel_folder_id/],
    ['an order that is no list', ordered({ 0: 1 }), failure('order is not a list')],
    ['an order of words', ordered(['1', '2']), /order\[0\]/],
    ['an empty order', ordered([]), badOrder],
    ['an order that misses one', ordered([1]), badOrder],
    ['an order that names one twice', ordered([1, 1]), badOrder],
    ['an order of strangers', ordered([1, 2, -3, 999]), badOrder],
    ['an order of fractions', ordered([1.5, 2]), /order\[0\]/],
    ['no order', ordered(undefined), failure("Missing 'order' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'order' })],
  ]
  for (const [name, call, expected] of rows) {
    test(name, async () => {
      const digest = () => store.db.$client.prepare('SELECT * FROM channel_folders').all()
      const before = digest()
      const queue = await server.as('member').watch('channel_folder')
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
