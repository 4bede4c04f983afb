import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Channel, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server

interface Fetched {
  id: number
  subject: string
  content: string
  content_type: string
  flags: string[]
}
interface Page {
  anchor?: number
  found_anchor: boolean
  found_oldest: boolean
  found_newest: boolean
  history_limited: boolean
  messages: Fetched[]
}

const fetchAs = (actor: Actor, params: CallParams) =>
  server.as(actor).get<Page>('/messages', params)
const newest = { anchor: 'newest', num_before: 100, num_after: 0 }

const first = await server.say('admin', 'shared', 'plans', 'One **bold** word.')
const second = await server.say('admin', 'shared', '', 'Two.')
const earlier = server.clock.now()
server.clock.advance(90_000)
const later = server.clock.now()
const third = await server.say('owner', 'private', 'plans', 'Three.')
const fourth = await server.say('admin', ['member'], '', 'Four.')
const rome = await server.say('zoe', 'webPublic', 'plans', 'Five.')
const own = [first, second, third, fourth]

const iso = (ms: number) => new Date(ms).toISOString()

/** A moment in every form in which it can be written. */
function writtenMoments(ms: number): string[] {
  const utc = iso(ms).slice(0, 19)
  const inIndia = iso(ms + 5.5 * 3600 * 1000).slice(0, 19)
  return [iso(ms), `${utc}Z`, utc, utc.replace('T', ' '), `${utc}.001`, `${inIndia}+05:30`]
}

describe('a page of messages', () => {
  const all = { found_oldest: true, found_newest: true, history_limited: false }
  const rows: [title: string, params: CallParams, ids: number[], rest: object][] = [
    ['the newest', newest, own, { anchor: fourth, found_anchor: true, ...all }],
    [
      'as many as may be asked for',
      { ...newest, num_before: 5000 },
      own,
      { anchor: fourth, found_anchor: true, ...all },
    ],
    [
      'the newest two',
      { ...newest, num_before: 2 },
      [third, fourth],
      { anchor: fourth, found_anchor: true, ...all, found_oldest: false },
    ],
    [
      'one newest, for bots that take the first of the list',
      { ...newest, num_before: 1 },
      [fourth],
      { anchor: fourth, found_anchor: true, ...all, found_oldest: false },
    ],
    [
      'the oldest two',
      { anchor: 'oldest', num_before: 5, num_after: 2 },
      [first, second],
      { anchor: first, found_anchor: true, ...all, found_newest: false },
    ],
    [
      'an anchor in JSON quotes',
      { anchor: '"oldest"', num_before: 0, num_after: 1 },
      [first],
      { anchor: first, found_anchor: true, ...all, found_newest: false },
    ],
    [
      'around a message',
      { anchor: second, num_before: 1, num_after: 1 },
      [first, second, third],
      { anchor: second, found_anchor: true, ...all, found_newest: false },
    ],
    [
      'behind a message without it',
      { anchor: second, include_anchor: false, num_before: 0, num_after: 9 },
      [third, fourth],
      { anchor: second, found_anchor: false, ...all, found_oldest: false },
    ],
    [
      'anchor 0',
      { anchor: 0, num_before: 0, num_after: 1 },
      [first],
      { anchor: 0, found_anchor: false, ...all, found_newest: false },
    ],
    [
      'an anchor above all ids',
      { anchor: '10000000000000000', num_before: 1, num_after: 0 },
      [fourth],
      { anchor: 10_000_000_000_000_000, found_anchor: false, ...all, found_oldest: false },
    ],
    [
      'an anchor outside the narrow',
      { anchor: rome, num_before: 9, num_after: 9 },
      own,
      { anchor: rome, found_anchor: false, ...all },
    ],
    [
      'the first unread message',
      { anchor: 'first_unread', num_before: 9, num_after: 0 },
      [first, second],
      { anchor: second, found_anchor: true, ...all, found_newest: false },
    ],
    [
      'the first unread message, in the deprecated way, with an anchor beside it',
      { anchor: 0, use_first_unread_anchor: true, num_before: 0, num_after: 0 },
      [second],
      { anchor: second, found_anchor: true, ...all, found_oldest: false, found_newest: false },
    ],
    [
      'first_unread where all is read lies after the newest',
      {
        anchor: 'first_unread',
        num_before: 9,
        num_after: 9,
        narrow: [
          ['topic', 'plans'],
          ['channel', 'Verona'],
        ],
      },
      [first],
      { anchor: 10_000_000_000_000_000, found_anchor: false, ...all },
    ],
    [
      'the first message of a date',
      { anchor: 'date', anchor_date: iso(later), num_before: 1, num_after: 0 },
      [second, third],
      { anchor: third, found_anchor: true, ...all, found_oldest: false, found_newest: false },
    ],
    [
      'the newest message where nothing was sent since the date',
      { anchor: 'date', anchor_date: iso(later + 1), num_before: 1, num_after: 1 },
      [fourth],
      { anchor: fourth, found_anchor: true, ...all, found_oldest: false },
    ],
    [
      'an empty narrow',
      { ...newest, narrow: [['topic', 'nothing']] },
      [],
      { anchor: 0, found_anchor: false, ...all },
    ],
    [
      'messages by id, of whatever may be read',
      { message_ids: [rome, 9999, first, first] },
      [first, rome],
      { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false },
    ],
    [
      'messages by id in a narrow',
      { message_ids: own, narrow: [['is', 'dm']] },
      [fourth],
      { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false },
    ],
  ]
  for (const [title, params, expected, rest] of rows) {
    test(title, async () => {
      await server
        .as('member')
        .post('/messages/flags', { messages: [first], op: 'add', flag: 'read' })
      const { messages, ...reply } = await fetchAs('member', params)
      assert.deepEqual(
        messages.map(({ id }) => id),
        expected,
      )
      assert.deepEqual({ ...reply }, { result: 'success', msg: '', ...rest })
    })
  }

  test('a date may be written with and without time, fraction and offset', async () => {
    const day = iso(earlier).slice(0, 10)
    const expected: [string, number][] = [
      ...writtenMoments(earlier).map((date): [string, number] => [date, first]),
      ...writtenMoments(earlier + 1000).map((date): [string, number] => [date, third]),
      [day, first],
      ['0001-01-01', first],
      ['9999-12-31', fourth],
    ]
    for (const [anchor_date, anchor] of expected) {
      const params = { anchor: 'date', anchor_date, num_before: 0, num_after: 0 }
      const page = await fetchAs('member', params)
      const isFraction = anchor === first && anchor_date.endsWith('.001')
      assert.equal(page.anchor, isFraction ? third : anchor, anchor_date)
    }
  })

  test('in Markdown, and with the empty topic as such', async () => {
    const params = { ...newest, apply_markdown: false, allow_empty_topic_name: true }
    const { messages } = await fetchAs('member', params)
    assert.deepEqual(
      messages.map(({ content, content_type, subject }) => [content, content_type, subject]),
      [
        ['One **bold** word.', 'text/x-markdown', 'plans'],
        ['Two.', 'text/x-markdown', ''],
        ['Three.', 'text/x-markdown', 'plans'],
        ['Four.', 'text/x-markdown', ''],
      ],
    )
  })

  test('in HTML, and with the name of the empty topic', async () => {
    const { messages } = await fetchAs('member', newest)
    assert.deepEqual(
      messages.map(({ content, content_type, subject }) => [content, content_type, subject]),
      [
        ['<p>One <strong>bold</strong> word.</p>', 'text/html', 'plans'],
        ['<p>Two.</p>', 'text/html', 'general chat'],
        ['<p>Three.</p>', 'text/html', 'plans'],
        ['<p>Four.</p>', 'text/html', ''],
      ],
    )
  })

  test('what was never received is read and historical', async () => {
    const { messages } = await fetchAs('member', { ...newest, narrow: [['channel', 'Rome']] })
    assert.deepEqual(
      messages.map(({ id, flags }) => [id, flags]),
      [[rome, ['read', 'historical']]],
    )
  })
})

describe('requests that make no sense', () => {
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  const rows: [params: CallParams, expected: object][] = [
    [{}, missing('num_before')],
    [{ num_before: 1, num_after: 1 }, missing('anchor')],
    [{ anchor: 1, num_after: 1 }, missing('num_before')],
    [{ anchor: 1, num_before: 1 }, missing('num_after')],
    [
      { ...newest, num_before: 5000, num_after: 1 },
      failure('Too many messages requested (maximum 5000).'),
    ],
    [{ ...newest, num_before: 9_000_000 }, failure('Too many messages requested (maximum 5000).')],
    [{ ...newest, num_before: -1 }, failure('num_before is too small')],
    [{ ...newest, num_after: -1 }, failure('num_after is too small')],
    [{ ...newest, num_before: 'many' }, failure('Argument "num_before" is not valid JSON.')],
    [{ ...newest, num_before: 1.5 }, failure('num_before is not an integer')],
    [{ ...newest, anchor: 'middle' }, failure('Invalid anchor')],
    [{ ...newest, anchor: 1.5 }, failure('Invalid anchor')],
    [{ ...newest, anchor: [1] }, failure('Invalid anchor')],
    [{ ...newest, anchor: '1e999' }, failure('Invalid anchor')],
    [{ ...newest, anchor: 'date' }, missing('anchor_date')],
    ...[
      '',
      'now',
      '2026',
      '2026-02-30',
      '2026-02-01T25:00',
      '1767312000',
      '2026-02-01T10:00+2',
    ].map((anchor_date): [CallParams, object] => [
      { ...newest, anchor: 'date', anchor_date },
      failure('anchor_date is not an ISO 8601 date or time'),
    ]),
    [{ ...newest, narrow: '[' }, failure('Argument "narrow" is not valid JSON.')],
    [{ ...newest, message_ids: 'x' }, failure('Argument "message_ids" is not valid JSON.')],
  ]
  for (const [params, expected] of rows) {
    test(JSON.stringify(params), async () => {
      assert.deepEqual(await fetchAs('member', params), expected)
    })
  }

  test('a range on both sides needs its anchor', async () => {
    const around = { anchor: second, include_anchor: false, num_before: 1, num_after: 1 }
    const expected = failure('The anchor can only be excluded at an end of the range')
    assert.deepEqual(await fetchAs('member', around), expected)
    const flags = { ...around, narrow: [], op: 'add', flag: 'starred' }
    assert.deepEqual(await server.as('member').post('/messages/flags/narrow', flags), expected)
  })

  const given: CallParams[] = [
    { anchor: 1 },
    { anchor_date: '2026-01-01' },
    { include_anchor: true },
    { num_before: 0 },
    { num_after: 0 },
    { use_first_unread_anchor: true },
  ]
  for (const params of given) {
    test(`message_ids with ${Object.keys(params)}`, async () => {
      const { result, ...error } = await fetchAs('member', { message_ids: [first], ...params })
      assert.equal(result, 'error')
      assert.ok('code' in error && error.code === 'BAD_REQUEST')
    })
  }
})

describe('one message', () => {
  const hidden = failure('Invalid message(s)')
  const places: Record<string, number> = {
    shared: first,
    private: third,
    direct: fourth,
    webPublic: rome,
  }
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, Channel | 'direct', boolean][] = [
    ['member',    'shared',    true],
    ['guest',     'shared',    true],
    ['member',    'private',   true],
    ['admin',     'private',   true],
    ['moderator', 'private',   false],
    ['outsider',  'private',   false],
    ['guest',     'private',   false],
    ['member',    'direct',    true],
    ['admin',     'direct',    true],
    ['owner',     'direct',    false],
    ['guest',     'direct',    false],
    ['member',    'webPublic', true],
    ['guest',     'webPublic', true],
  ]
  for (const [actor, place, allowed] of matrix) {
    test(`${actor} ${allowed ? 'gets' : 'does not get'} one of ${place}`, async () => {
      const reply = await server.as(actor).get<{ message: Fetched }>(`/messages/${places[place]}`)
      if (allowed) assert.equal(reply.message.id, places[place])
      else assert.deepEqual(reply, hidden)
    })
  }

  test('comes with its source, in the form asked for', async () => {
    type Reply = { message: Fetched; raw_content: string }
    const html = await server.as('member').get<Reply>(`/messages/${first}`)
    assert.equal(html.message.content, '<p>One <strong>bold</strong> word.</p>')
    assert.equal(html.raw_content, 'One **bold** word.')
    const params = { apply_markdown: false, allow_empty_topic_name: true }
    const source = await server.as('member').get<Reply>(`/messages/${second}`, params)
    assert.equal(source.message.content, 'Two.')
    assert.equal(source.message.subject, '')
  })

  for (const id of [0, -1, 9999, '99999999999999999999']) {
    test(`number ${id} is not there`, async () => {
      const reply = await server.as('member').get(`/messages/${id}`)
      assert.equal(reply.code, 'BAD_REQUEST')
    })
  }
})

test('flags of a whole narrow are changed in its windows', async () => {
  const change = { op: 'add', flag: 'starred', anchor: 'oldest', num_before: 0 }
  const hamlet = server.as('member')
  const narrow = [['stream', channels.shared]]
  const one = await hamlet.post('/messages/flags/narrow', { ...change, narrow, num_after: 1 })
  assert.deepEqual(
    { ...one, ignored_because_not_subscribed_channels: undefined },
    {
      result: 'success',
      msg: '',
      processed_count: 1,
      updated_count: 1,
      first_processed_id: first,
      last_processed_id: first,
      found_oldest: true,
      found_newest: false,
      ignored_because_not_subscribed_channels: undefined,
    },
  )
  const rest = { ...change, narrow, anchor: first, include_anchor: false, num_after: 1000 }
  const { updated_count, found_newest } = await hamlet.post('/messages/flags/narrow', rest)
  assert.deepEqual({ updated_count, found_newest }, { updated_count: 1, found_newest: true })
  const { messages } = await fetchAs('member', { ...newest, narrow: [['is', 'starred']] })
  assert.deepEqual(
    messages.map(({ id }) => id),
    [first, second],
  )
})

describe('protected history', () => {
  test('shows newcomers only what they were there for', async () => {
    const made = await server.as('owner').post('/users/me/subscriptions', {
      subscriptions: [{ name: 'vault' }],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    assert.equal(made.result, 'success', made.msg)
    const say = async (content: string) => {
      const params = { type: 'channel', to: 'vault', topic: 'gold', content }
      return (await server.as('owner').post<{ id: number }>('/messages', params)).id
    }
    const join = (method: 'post' | 'del') =>
      server.as('owner')[method]('/users/me/subscriptions', {
        subscriptions: method === 'post' ? [{ name: 'vault' }] : ['vault'],
        principals: [ids.member],
      })
    const narrow = [
      ['channel', 'vault'],
      ['topic', 'gold'],
    ]
    const seen = async () => {
      const reply = await fetchAs('member', { ...newest, narrow })
      return reply.result === 'success' ? reply.messages.map(({ id }) => id) : reply.result
    }
    const before = await say('Before.')
    assert.equal(await seen(), 'error')
    await join('post')
    const during = await say('During.')
    assert.deepEqual(await seen(), [during])
    await join('del')
    const between = await say('Between.')
    assert.equal(await seen(), 'error')
    await join('post')
    const again = await say('Again.')
    assert.deepEqual(await seen(), [during, again])
    for (const id of [before, between]) {
      assert.deepEqual(
        await server.as('member').get(`/messages/${id}`),
        failure('Invalid message(s)'),
      )
    }
    const { messages } = await fetchAs('member', { message_ids: [before, during, between, again] })
    assert.deepEqual(
      messages.map(({ id }) => id),
      [during, again],
    )
  })
})
