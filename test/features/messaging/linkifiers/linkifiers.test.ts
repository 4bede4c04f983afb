import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, administrators, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { store } = server.server.context
const capable = {
  event_types: ['realm_linkifiers'],
  client_capabilities: { linkifier_url_template: true, extended_members: true },
}

interface Linkifier {
  id: number
  pattern: string
  url_template: string
  example_input: string | null
  reverse_template: string | null
  alternative_url_templates: string[]
}

const plain = { example_input: null, reverse_template: null, alternative_url_templates: [] }

let made = 0
/** A linkifier that no other test has. */
function fresh(): { pattern: string; url_template: string } {
  made += 1
  return { pattern: `L${made}-(?P<id>[0-9]+)`, url_template: `https://l${made}.org/{id}` }
}

const add = (actor: Actor, params: CallParams) =>
  server.as(actor).post<{ id: number }>('/realm/filters', params)
const edit = (actor: Actor, id: number, params: CallParams) =>
  server.as(actor).patch(`/realm/filters/${id}`, params)
const remove = (actor: Actor, id: number) => server.as(actor).del(`/realm/filters/${id}`)
const reorder = (actor: Actor, ordered_linkifier_ids: unknown) =>
  server.as(actor).patch('/realm/linkifiers', { ordered_linkifier_ids })
const list = async () =>
  (
    await server
      .as('guest')
      .get<{ linkifiers: Linkifier[] }>('/realm/linkifiers', { extended_members: true })
  ).linkifiers
const find = async (id: number) => (await list()).find((linkifier) => linkifier.id === id)

async function added(params: CallParams = fresh()): Promise<number> {
  const reply = await add('admin', params)
  assert.deepEqual(reply, { ...success, id: reply.id })
  return reply.id
}

const adminsOnly = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
const notFound = failure('Linkifier not found.')

describe('who may', () => {
  for (const [actor, may] of administrators) {
    test(`${actor} ${may ? 'can' : 'cannot'} add, change, order and remove linkifiers`, async () => {
      const id = await added()
      const before = await list()
      const order = before.map((linkifier) => linkifier.id).reverse()
      const expected = may ? success : adminsOnly
      assert.deepEqual(await edit(actor, id, fresh()), expected)
      assert.deepEqual(await reorder(actor, order), expected)
      assert.deepEqual(await remove(actor, id), expected)
      const reply = await add(actor, fresh())
      if (may) assert.equal(reply.result, 'success')
      else {
        assert.deepEqual(reply, adminsOnly)
        assert.deepEqual(await list(), before)
      }
    })
  }

  test('nobody without credentials', async () => {
    assert.equal((await server.anonymous.post('/realm/filters', fresh())).status, 401)
    assert.equal((await server.anonymous.del('/realm/filters/1')).status, 401)
  })
})

test('everyone hears of all linkifiers in their order after each change, and of none when nothing changed', async () => {
  const queue = await server.as('guest').watchWith(capable)
  const before = await list()
  const text = fresh()
  const id = await added({
    ...text,
    example_input: 'L-7',
    alternative_url_templates: ['https://alt.org/{id}'],
  })
  const one = {
    id,
    ...text,
    example_input: 'L-7',
    reverse_template: null,
    alternative_url_templates: ['https://alt.org/{id}'],
  }
  assert.deepEqual(await find(id), one)
  const changed = { ...text, url_template: 'https://other.org/{id}' }
  assert.deepEqual(await edit('admin', id, changed), success)
  assert.deepEqual(await edit('admin', id, changed), success)
  const order = [id, ...before.map((linkifier) => linkifier.id)]
  assert.deepEqual(await reorder('admin', order), success)
  assert.deepEqual(await reorder('admin', order), success)
  assert.deepEqual(await list(), [{ ...one, ...changed }, ...before])
  const { state } = await server.as('member').watchWith(capable)
  assert.deepEqual(state.realm_linkifiers, await list())
  assert.deepEqual(await remove('admin', id), success)
  const event = (...realm_linkifiers: Linkifier[]) => ({
    type: 'realm_linkifiers',
    realm_linkifiers,
  })
  assert.deepEqual(await queue.drain(), [
    event(...before, one),
    event(...before, { ...one, ...changed }),
    event({ ...one, ...changed }, ...before),
    event(...before),
  ])
  assert.deepEqual(await remove('admin', id), notFound)
})

test('clients that do not know URL templates hear nothing', async () => {
  const queue = await server.as('member').watch('realm_linkifiers', 'realm_filters')
  await added()
  assert.deepEqual(await queue.drain(), [])
})

test('a linkifier added between two others comes behind them, also after a new order', async () => {
  const before = (await list()).map(({ id }) => id)
  await reorder('admin', [...before].reverse())
  const id = await added()
  assert.deepEqual(
    (await list()).map((linkifier) => linkifier.id),
    [...before.reverse(), id],
  )
})

test('new messages are linked by the linkifiers of their time, topics by those of now', async () => {
  const { pattern, url_template } = fresh()
  const prefix = `L${made}`
  const before = await server.say('member', 'public', `${prefix}-12`, `see ${prefix}-34`)
  const id = await added({ pattern, url_template })
  const after = await server.say('member', 'public', `${prefix}-12`, `see ${prefix}-34`)
  const links = async (message: number) => {
    const reply = await server
      .as('member')
      .get<{ message: { content: string; topic_links: object[] } }>(`/messages/${message}`)
    return [reply.message.content, reply.message.topic_links]
  }
  const topicLinks = [{ text: `${prefix}-12`, url: `https://l${made}.org/12` }]
  const linked = `<p>see <a href="https://l${made}.org/34">${prefix}-34</a></p>`
  assert.deepEqual(await links(before), [`<p>see ${prefix}-34</p>`, topicLinks])
  assert.deepEqual(await links(after), [linked, topicLinks])
  await remove('admin', id)
  assert.deepEqual(await links(after), [linked, []])
})

test('where two match, the order says which one links', async () => {
  const first = await added({ pattern: 'both(?P<id>\\d+)', url_template: 'https://first.org/{id}' })
  await added({ pattern: 'bo(?P<rest>th\\d+)', url_template: 'https://second.org/{rest}' })
  const render = async () =>
    (await server.as('member').post('/messages/render', { content: 'both1' })).rendered
  assert.equal(await render(), '<p><a href="https://first.org/1">both1</a></p>')
  const others = (await list()).map(({ id }) => id).filter((id) => id !== first)
  await reorder('admin', [...others, first])
  assert.equal(await render(), '<p><a href="https://second.org/th1">both1</a></p>')
})

test('an example stays while it fits, and an empty text takes it away (feature level 471)', async () => {
  const { pattern, url_template } = fresh()
  const example_input = `L${made}-5`
  const reverse_template = `L${made}-{id}`
  const id = await added({ pattern, url_template, example_input, reverse_template })
  const bare = { id, pattern, url_template, alternative_url_templates: [] }
  assert.deepEqual(await find(id), { ...bare, example_input, reverse_template })
  assert.deepEqual(await edit('admin', id, { pattern, url_template }), success)
  assert.deepEqual(await find(id), { ...bare, example_input, reverse_template })
  const other = { pattern: 'M-(?P<id>[0-9]+)', url_template }
  const broken = failure('The reverse template does not reproduce the example input.')
  assert.deepEqual(await edit('admin', id, other), broken)
  const alone = failure('A reverse template needs an example input.')
  assert.deepEqual(await edit('admin', id, { pattern, url_template, example_input: '' }), alone)
  const cleared = { ...other, reverse_template: '', example_input: '' }
  assert.deepEqual(await edit('admin', id, cleared), success)
  assert.deepEqual(await find(id), { id, ...other, ...plain })
})

describe('what is refused changes nothing and tells nobody', async () => {
  const id = await added()
  const ok = fresh()
  const badPattern = failure('Invalid filter pattern, or one that this server does not support.')
  const badTemplate = failure('Invalid URL template.')
  const names = failure('The pattern and the URL template must have the same group names.')
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  const badOrder = failure('The ordered list must enumerate all existing linkifiers once.')
  // biome-ignore format: a table reads best in columns
  const texts: [string, CallParams, object | RegExp][] = [
    ['no pattern',                 { pattern: undefined },                    missing('pattern')],
    ['no template',                { url_template: undefined },               missing('url_template')],
    ['an empty pattern',           { pattern: '' },                           badPattern],
    ['a broken pattern',           { pattern: '((?P<id>x)' },                 badPattern],
    ['a pattern that looks ahead', { pattern: '(?P<id>a(?=b))' },             badPattern],
    ['a pattern that goes back',   { pattern: '(?P<id>a)(?P=id)' },           badPattern],
    ['a pattern of a megabyte',    { pattern: 'x'.repeat(1_000_000) },        /too (long|large)/],
    ['a pattern with NUL',         { pattern: 'a\u0000(?P<id>b)' },           /not allowed/],
    ['a pattern that is there',    { pattern: '#D(?P<id>[0-9]{2,8})' },       failure('A linkifier with this pattern already exists.')],
    ['a broken template',          { url_template: 'https://x.org/{id' },     badTemplate],
    ['a template that runs code',  { url_template: 'javascript:alert({id})' }, badTemplate],
    ['an empty template',          { url_template: '' },                      names],
    ['a name too few',             { url_template: 'https://x.org/' },        names],
    ['a name too many',            { url_template: 'https://x.org/{id}/{b}' }, names],
    ['__proto__ as a name',        { url_template: 'https://x.org/{__proto__}' }, names],
    ['a bad alternative',          { alternative_url_templates: ['https://x.org/{a}'] }, names],
    ['alternatives that are text', { alternative_url_templates: 'https://x.org/{id}' }, /alternative_url_templates/],
    ['numbers as alternatives',    { alternative_url_templates: [1] },        /alternative_url_templates\[0\]/],
    ['too many alternatives',      { alternative_url_templates: Array(51).fill(ok.url_template) }, /too many/],
    ['a way back without example', { reverse_template: 'L{id}' },             failure('A reverse template needs an example input.')],
    ['an example that is no match', { example_input: 'x', reverse_template: 'L{id}' }, failure('The reverse template does not reproduce the example input.')],
  ]
  const calls: [string, () => Promise<object>, object | RegExp][] = [
    ...texts
      .flatMap(([what, params, expected]) => [
        [`adding ${what}`, () => add('admin', { ...ok, ...params }), expected] as const,
        [
          `changing it to ${what}`,
          () => edit('admin', id, { ...ok, ...params }),
          expected,
        ] as const,
      ])
      .map(([what, call, expected]): [string, () => Promise<object>, object | RegExp] => [
        what,
        call,
        expected,
      ]),
    ['changing one that is not there', () => edit('admin', 99_999, ok), notFound],
    ['changing linkifier 0', () => edit('admin', 0, ok), notFound],
    ['removing one that is not there', () => remove('admin', 99_999), notFound],
    [
      'removing one beyond integers',
      () => server.as('admin').del('/realm/filters/99999999999999999999'),
      /filter_id/,
    ],
    ['no order', () => reorder('admin', undefined), missing('ordered_linkifier_ids')],
    ['an empty order', () => reorder('admin', []), badOrder],
    ['an order that names one twice', () => reorder('admin', [id, id]), badOrder],
    ['an order of strangers', () => reorder('admin', [-1, 1, 2, 3]), badOrder],
    ['an order of words', () => reorder('admin', ['a']), /ordered_linkifier_ids\[0\]/],
    ['an order that is no list', () => reorder('admin', { 0: 1 }), /not a list/],
  ]
  for (const [name, call, expected] of calls) {
    test(name, async () => {
      const digest = () => store.db.$client.prepare('SELECT * FROM linkifiers').all()
      const before = digest()
      const queue = await server.as('member').watchWith(capable)
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

describe('a preview', () => {
  const preview = (actor: Actor, params: CallParams) =>
    server
      .as(actor)
      .post<{ result: string; problem: string | null; links: object[] }>(
        '/realm/linkifiers/preview',
        params,
      )
  const example_input = 'See PRE-7, not PRE-x.'
  const pattern = 'PRE-(?P<id>[0-9]+)'
  const url_template = 'https://x.org/{id}'

  test('says what becomes a link, and saves nothing', async () => {
    const before = store.db.$client.prepare('SELECT * FROM linkifiers').all()
    const { problem, links } = await preview('admin', { pattern, url_template, example_input })
    assert.equal(problem, null)
    assert.deepEqual(links, [{ start: 4, end: 9, text: 'PRE-7', url: 'https://x.org/7' }])
    assert.deepEqual(store.db.$client.prepare('SELECT * FROM linkifiers').all(), before)
  })

  test('says why it would be refused, in the same words', async () => {
    const linkifier = fresh()
    const { id } = await server.as('admin').post<{ id: number }>('/realm/filters', linkifier)
    const other = 'A linkifier with this pattern already exists.'
    const names = 'The pattern and the URL template must have the same group names.'
    // biome-ignore format: a matrix reads best in columns
    const table: [CallParams, string | null][] = [
      [{ ...linkifier },                                   other],
      [{ ...linkifier, filter_id: id },                    null],
      [{ pattern, url_template: 'https://x.org/{other}' }, names],
      [{ pattern: '(', url_template },                     'Invalid filter pattern, or one that this server does not support.'],
      [{ pattern, url_template: 'https://x.org/{' },       'Invalid URL template.'],
    ]
    for (const [params, expected] of table) {
      const reply = await preview('admin', { ...params, example_input })
      assert.deepEqual([reply.result, reply.problem], ['success', expected])
    }
  })

  test('of a linkifier that is not there is refused', async () => {
    const reply = await preview('admin', { pattern, url_template, filter_id: 99_999 })
    assert.deepEqual(reply, failure('Linkifier not found.'))
  })

  test('is for administrators', async () => {
    const reply = await preview('member', { pattern, url_template })
    assert.equal(reply.result, 'error')
  })
})
