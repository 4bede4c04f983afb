import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { digestOf } from '#test/support/stored.ts'

const server = await startServer()
after(server.close)
const digest = digestOf(server)
const { ids } = server

interface Field {
  id: number
  name: string
  order: number
  field_data: string
  [member: string]: unknown
}

const path = '/realm/profile_fields'
const create = (actor: Actor, params: object) =>
  server.as(actor).post<{ id: number }>(path, params as Record<string, unknown>)
const edit = (id: number | string, params: object) =>
  server.as('admin').patch(`${path}/${id}`, params as Record<string, unknown>)
async function fields(): Promise<Field[]> {
  return (await server.as('guest').get<{ custom_fields: Field[] }>(path)).custom_fields
}
const fill = (actor: Actor, id: number, value: unknown) =>
  server.as(actor).patch('/users/me/profile_data', { data: [{ id, value }] })
async function profileOf(userId: number): Promise<Record<string, object>> {
  const reply = await server
    .as('guest')
    .get<{ user: { profile_data: Record<string, object> } }>(`/users/${userId}`, {
      include_custom_profile_fields: true,
    })
  return reply.user.profile_data
}
const told = (userId: number, custom_profile_field: object) => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: userId, custom_profile_field },
})

const administrator = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')

describe('who may change the fields', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['owner', success], ['admin', success],
    ['moderator', administrator], ['member', administrator], ['guest', administrator], ['bot', administrator],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === success ? 'may' : 'may not'}`, async () => {
      const call = server.as(actor)
      const before = digest()
      const { id, ...created } = await create(actor, { name: `By ${actor}`, field_type: 1 })
      assert.deepEqual(created, expected)
      const one = `${path}/${id ?? 1}`
      assert.deepEqual(await call.patch(one, { hint: 'Say it.' }), expected)
      const order = (await fields()).map((field) => field.id).reverse()
      assert.deepEqual(await call.patch(path, { order }), expected)
      assert.deepEqual(await call.del(one), expected)
      if (expected !== success) assert.equal(digest(), before)
      else await call.patch(path, { order: order.filter((other) => other !== id).reverse() })
    })
  }
})

test('every change is told to everyone, with all fields in order', async () => {
  const queue = await server.as('guest').watch('custom_profile_fields')
  const event = async () => [{ type: 'custom_profile_fields', fields: await fields() }]
  const options = { py: { text: 'Python', order: '1' }, ts: { text: 'TypeScript', order: '2' } }
  const { id } = await create('admin', {
    name: ' Language ',
    hint: 'Which one?',
    field_type: 3,
    field_data: options,
    display_in_profile_summary: true,
    required: true,
    editable_by_user: false,
  })
  assert.deepEqual((await fields()).at(-1), {
    id,
    type: 3,
    order: 10,
    name: 'Language',
    hint: 'Which one?',
    field_data: JSON.stringify(options),
    display_in_profile_summary: true,
    required: true,
    editable_by_user: false,
  })
  assert.deepEqual(await queue.drain(), await event())
  assert.deepEqual(await edit(id, { hint: '', required: false, editable_by_user: true }), success)
  assert.deepEqual(await queue.drain(), await event())
  assert.deepEqual(await edit(id, { required: false }), success)
  assert.deepEqual(await queue.drain(), [], 'what stays as it is causes no event')
  const order = [id, ...(await fields()).map((field) => field.id).filter((other) => other !== id)]
  assert.deepEqual(await server.as('admin').patch(path, { order }), success)
  assert.deepEqual(await queue.drain(), await event())
  assert.deepEqual(
    (await fields()).map((field) => field.id),
    order,
  )

  await fill('member', id, 'ts')
  const people = await server.as('guest').watch('realm_user')
  assert.deepEqual(await edit(id, { field_data: { py: options.py } }), success)
  const lost = told(ids.member, { id, value: null })
  assert.deepEqual(await people.drain(), [lost], 'an option that goes away leaves no value')
  await queue.drain()
  await fill('member', id, 'py')
  assert.deepEqual(await server.as('admin').del(`${path}/${id}`), success)
  assert.deepEqual(await queue.drain(), await event())
  assert.equal((await profileOf(ids.member))[id], undefined)
})

test('a site that everyone knows brings its name, and no hint', async () => {
  const { id } = await create('admin', { field_type: 7, field_data: { subtype: 'gitlab' } })
  const field = (await fields()).at(-1)
  assert.deepEqual([field?.name, field?.hint], ['GitLab username', ''])
  const own = { subtype: 'custom', url_pattern: 'https://example.com/~%(username)s' }
  const other = await create('admin', { name: 'Home', field_type: 7, field_data: own })
  assert.equal(JSON.parse((await fields()).at(-1)?.field_data ?? '').subtype, 'custom')
  for (const gone of [id, other.id]) await server.as('admin').del(`${path}/${gone}`)
})

test('a short profile shows two fields at most, and no long ones', async () => {
  const refused = failure('Only 2 custom profile fields can be displayed in the profile summary.')
  const unfit = failure('Field type not supported for display in profile summary.')
  const shown = { display_in_profile_summary: true }
  assert.deepEqual(await edit(2, shown), unfit)
  assert.deepEqual(await edit(7, shown), unfit)
  assert.deepEqual(await edit(1, shown), success)
  assert.deepEqual(await edit(3, shown), success)
  assert.deepEqual(await edit(3, shown), success)
  assert.deepEqual(await edit(4, shown), refused)
  assert.deepEqual(await create('admin', { name: 'One more', field_type: 1, ...shown }), refused)
  for (const id of [1, 3]) await edit(id, { display_in_profile_summary: false })
})

describe('values, by the type of their field', () => {
  // Fields 1 to 9 of the fixture have the types 1 2 1 3 4 5 6 7 8.
  // biome-ignore format: a table reads best in columns
  const good: [string, number, unknown, object][] = [
    ['short text',       1, '+1 *555*',              { value: '+1 *555*', rendered_value: '<p>+1 <em>555</em></p>' }],
    ['long text',        2, 'x'.repeat(500),         { value: 'x'.repeat(500), rendered_value: `<p>${'x'.repeat(500)}</p>` }],
    ['list of options',  4, '1',                     { value: '1' }],
    ['date',             5, '2024-02-29',            { value: '2024-02-29' }],
    ['link',             6, 'https://example.com/a', { value: 'https://example.com/a' }],
    ['people',           7, [10, 11],                { value: '[10,11]' }],
    ['people as text',   7, '[8]',                   { value: '[8]' }],
    ['external account', 8, 'octocat',               { value: 'octocat' }],
    ['pronouns',         9, 'they/them',             { value: 'they/them' }],
  ]
  for (const [name, id, value, expected] of good) {
    test(`${name}: stored, told, cleared`, async () => {
      const queue = await server.as('guest').watch('realm_user')
      assert.deepEqual(await fill('zoe', id, value), success)
      assert.deepEqual(await queue.drain(), [told(ids.zoe, { id, ...expected })])
      assert.deepEqual((await profileOf(ids.zoe))[id], expected)
      assert.deepEqual(await fill('zoe', id, value), success)
      assert.deepEqual(await queue.drain(), [])
      const clear = server.as('zoe').del('/users/me/profile_data', { data: [id] })
      assert.deepEqual(await clear, success)
      assert.deepEqual(await queue.drain(), [told(ids.zoe, { id, value: null })])
      assert.equal((await profileOf(ids.zoe))[id], undefined)
    })
  }

  // biome-ignore format: a table reads best in columns
  const bad: [string, number, unknown, string][] = [
    ['short text too long',    1, 'x'.repeat(51),            'Phone number is too long (limit: 50 characters)'],
    ['a list as text',         1, [1, 2],                    'Phone number is not a string'],
    ['long text too long',     2, 'x'.repeat(501),           'Biography is too long (limit: 500 characters)'],
    ['no option',              4, '2',                       "Favorite editor has no choice '2'"],
    ['a prototype option',     4, '__proto__',               "Favorite editor has no choice '__proto__'"],
    ['an inherited option',    4, 'toString',                "Favorite editor has no choice 'toString'"],
    ['a day that is none',     5, '2023-02-29',              'Birthday is not a date'],
    ['another form of date',   5, '1.2.2003',                'Birthday is not a date'],
    ['a script',               6, 'javascript:alert(1)',     'Favorite website is not a URL'],
    ['no address',             6, 'https://',                'Favorite website is not a URL'],
    ['text for people',        7, 'hamlet',                  'Mentor is not a list of user IDs'],
    ['unknown people',         7, [9999],                    'Invalid user ID: 9999'],
    ['words as people',        7, '["10"]',                  'Invalid user ID: 10'],
    ['a bot as mentor',        7, [16],                      'User with ID 16 is a bot'],
    ['an account too long',    8, 'x'.repeat(51),            'GitHub username is too long (limit: 50 characters)'],
    ['pronouns too long',      9, 'x'.repeat(51),            'Pronouns is too long (limit: 50 characters)'],
    ['an unknown field',      99, 'x',                       'Field id 99 not found.'],
    ['NUL',                    1, 'a\0',                     'Argument "data" holds characters that are not allowed.'],
    ['a number',               1, 7,                         'data[0]["value"] is not a profile value'],
  ]
  for (const [name, id, value, message] of bad) {
    test(`${name} changes nothing`, async () => {
      const before = digest()
      assert.deepEqual(await fill('zoe', id, value), failure(message))
      assert.equal(digest(), before)
    })
  }

  test('of a field that users may not edit, only administrators fill in', async () => {
    await edit(1, { editable_by_user: false })
    const refused =
      'You are not allowed to change this field. Contact an administrator to update it.'
    assert.deepEqual(await fill('zoe', 1, '7'), failure(refused))
    assert.deepEqual(await fill('admin', 1, '7'), failure(refused))
    const data = { profile_data: [{ id: 1, value: '7' }] }
    assert.deepEqual(await server.as('admin').patch(`/users/${ids.zoe}`, data), success)
    assert.deepEqual((await profileOf(ids.zoe))[1], { value: '7', rendered_value: '<p>7</p>' })
    await edit(1, { editable_by_user: true })
  })
})

describe('bad input changes nothing', () => {
  const option = { a: { text: 'A', order: '1' } }
  // biome-ignore format: a table reads best in columns
  const table: [string, object, object][] = [
    ['no type',             { name: 'X' },                                  failure("Missing 'field_type' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'field_type' })],
    ['an unknown type',     { name: 'X', field_type: 9 },                   failure('Invalid field_type')],
    ['a word as type',      { name: 'X', field_type: 'text' },              failure('Argument "field_type" is not valid JSON.')],
    ['no name',             { field_type: 1 },                              failure('Label cannot be blank.')],
    ['a long name',         { name: 'x'.repeat(41), field_type: 1 },        failure('name is too long (limit: 40 characters)')],
    ['a taken name',        { name: 'Biography', field_type: 1 },           failure('A field with that label already exists.')],
    ['NUL in a name',       { name: 'a\0', field_type: 1 },                 failure('Argument "name" holds characters that are not allowed.')],
    ['a long hint',         { name: 'X', hint: 'x'.repeat(81), field_type: 1 }, failure('hint is too long (limit: 80 characters)')],
    ['a list of nothing',   { name: 'X', field_type: 3 },                   failure('Field must have at least one choice.')],
    ['a prototype option',  { name: 'X', field_type: 3, field_data: '{"__proto__":{"text":"A","order":"1"}}' }, failure('Field must have at least one choice.')],
    ['options alike',       { name: 'X', field_type: 3, field_data: { ...option, b: option.a } }, failure('Field must not have duplicate choices.')],
    ['an order as number',  { name: 'X', field_type: 3, field_data: { a: { text: 'A', order: 1 } } }, failure('Invalid field_data["a"]')],
    ['options of a text',   { name: 'X', field_type: 1, field_data: option }, failure('Fields of this type have no field_data.')],
    ['an unknown site',     { name: 'X', field_type: 7, field_data: { subtype: 'myspace' } }, failure('Invalid external account type')],
    ['a script as site',    { name: 'X', field_type: 7, field_data: { subtype: 'custom', url_pattern: 'javascript:%(username)s' } }, failure('Invalid external account type')],
    ['an array as data',    { name: 'X', field_type: 3, field_data: [] },   failure('Invalid field_data')],
  ]
  for (const [name, params, expected] of table) {
    test(name, async () => {
      const queue = await server.as('member').watch()
      const before = digest()
      assert.deepEqual(await create('owner', params), expected)
      assert.equal(digest(), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }

  test('an order that is not whole, and fields that do not exist', async () => {
    const before = digest()
    const all = (await fields()).map(({ id }) => id)
    for (const order of [[], all.slice(1), [...all, 99], [...all.slice(1), all[1]]]) {
      const reply = await server.as('admin').patch(path, { order })
      assert.deepEqual(reply, failure('Invalid order mapping.'))
    }
    for (const id of [99, -1, 9007199254740991]) {
      const unknown = failure(`Field id ${id} not found.`)
      assert.deepEqual(await edit(id, { hint: 'x' }), unknown)
      assert.deepEqual(await server.as('admin').del(`${path}/${id}`), unknown)
    }
    assert.equal((await edit('__proto__', { hint: 'x' })).result, 'error')
    assert.equal(digest(), before)
  })
})
