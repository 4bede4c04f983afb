import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { shared, private: coreTeam } = server.channels
const { member, cordelia } = server.ids
const now = Math.floor(server.clock.now() / 1000)
const toChannel = { type: 'stream', to: [shared], topic: 'plans', content: 'Not yet' }

interface Draft {
  id: number
  type: string
  to: number[]
  topic: string
  content: string
  timestamp: number
}

async function create(actor: Actor, ...drafts: object[]): Promise<number[]> {
  const reply = await server.as(actor).post<{ ids: number[] }>('/drafts', { drafts })
  assert.deepEqual(reply, { ...success, ids: reply.ids })
  return reply.ids
}

async function list(actor: Actor): Promise<Draft[]> {
  const reply = await server.as(actor).get<{ count: number; drafts: Draft[] }>('/drafts')
  assert.equal(reply.count, reply.drafts.length)
  return reply.drafts
}

describe('creating drafts', () => {
  test('answers their ids in order, and tells the other clients', async () => {
    const queue = await server.as('member').watch('drafts')
    const toPeople = { type: 'private', to: [cordelia], topic: 'dropped', content: 'Hi' }
    const [first, second] = await create(
      'member',
      { ...toChannel, timestamp: 1_700_000_000 },
      toPeople,
    )
    const drafts = [
      { ...toChannel, id: first, timestamp: 1_700_000_000 },
      { ...toPeople, id: second, topic: '', timestamp: now },
    ]
    assert.deepEqual(await queue.drain(), [{ type: 'drafts', op: 'add', drafts }])
    assert.deepEqual(await list('member'), drafts)
    const { state } = await server.as('member').watch('drafts')
    assert.deepEqual(state.drafts, drafts.toReversed())
  })

  test('rounds the fraction of a time', async () => {
    const [id] = await create('cordelia', { ...toChannel, timestamp: 1_595_479_019.63 })
    assert.deepEqual(await list('cordelia'), [{ ...toChannel, id, timestamp: 1_595_479_020 }])
  })

  test('keeps nothing of whom an unaddressed draft is to', async () => {
    const [id] = await create('owner', { type: '', to: [3], topic: 'x', content: 'For nobody' })
    const kept = { id, type: '', to: [], topic: '', content: 'For nobody', timestamp: now }
    assert.deepEqual(await list('owner'), [kept])
  })

  test('takes the display name of the empty topic for the empty topic', async () => {
    const [id] = await create('admin', { ...toChannel, topic: 'general chat' })
    assert.equal((await list('admin')).find((draft) => draft.id === id)?.topic, '')
  })

  test('cuts what is too long, as sending does', async () => {
    const long = { ...toChannel, topic: 'x'.repeat(61), content: 'y'.repeat(10_001) }
    const [id] = await create('zoe', long)
    const { topic, content } = (await list('zoe')).find((draft) => draft.id === id) ?? {}
    assert.equal(topic, `${'x'.repeat(57)}...`)
    assert.equal(content, `${'y'.repeat(9_980)}\n[message truncated]`)
    assert.deepEqual(await server.as('zoe').del(`/drafts/${id}`), success)
  })

  test('of none at all answers no ids and tells nobody', async () => {
    const queue = await server.as('member').watch('drafts')
    assert.deepEqual(await create('member'), [])
    const { code } = await server.as('member').post('/drafts')
    assert.equal(code, 'REQUEST_VARIABLE_MISSING')
    assert.deepEqual(await queue.drain(), [])
  })

  const one = 'Must specify exactly 1 channel ID for channel messages'
  const unknown = 'Invalid channel ID'
  // biome-ignore format: a table reads best in columns
  const refused: [string, object, RegExp | string][] = [
    ['no channel',                 { ...toChannel, to: [] },                 one],
    ['two channels',               { ...toChannel, to: [3, 4] },             one],
    ['a channel that is not there',{ ...toChannel, to: [999] },              unknown],
    ['a negative channel',         { ...toChannel, to: [-1] },               unknown],
    ['an unknown person',          { ...toChannel, type: 'private', to: [999] }, 'Invalid user ID 999'],
    ['an id',                      { ...toChannel, id: 7 },                  /id/],
    ['an unknown type',            { ...toChannel, type: 'channel' },        /type/],
    ['no content',                 { type: '', to: [], topic: '' },          /content/],
    ['no topic',                   { type: '', to: [], content: 'x' },       /topic/],
    ['no addressee',               { type: 'stream', topic: 'x', content: 'x' }, /to/],
    ['a name for a channel',       { ...toChannel, to: 'Verona' },           /to/],
    ['a NUL in the content',       { ...toChannel, content: 'a\u0000b' },    /not allowed/],
    ['a NUL in the topic',         { ...toChannel, topic: 'a\u0000b' },      /not allowed/],
    ['a negative time',            { ...toChannel, timestamp: -1 },          /timestamp/],
    ['a prototype',                JSON.parse('{"__proto__": {"type": ""}}'),/./],
  ]
  for (const [what, draft, message] of refused) {
    test(`refuses ${what}, and keeps none of the drafts beside it`, async () => {
      const reply = await server.as('moderator').post('/drafts', { drafts: [toChannel, draft] })
      assert.equal(reply.code, 'BAD_REQUEST')
      if (typeof message === 'string') assert.equal(reply.msg, message)
      else assert.match(reply.msg, message)
      assert.deepEqual(await list('moderator'), [])
    })
  }

  test('a private channel is as good as none to those who may not know of it', async () => {
    const draft = { ...toChannel, to: [coreTeam] }
    const reply = await server.as('outsider').post('/drafts', { drafts: [draft] })
    assert.deepEqual(reply, failure(unknown))
  })
})

describe('a draft', () => {
  test('is replaced as a whole', async () => {
    const [id] = await create('othello', toChannel)
    const queue = await server.as('othello').watch('drafts')
    const draft = { type: 'private', to: [member], topic: '', content: 'Better so' }
    assert.deepEqual(await server.as('othello').patch(`/drafts/${id}`, { draft }), success)
    const edited = { ...draft, id, timestamp: now }
    assert.deepEqual(await queue.drain(), [{ type: 'drafts', op: 'update', draft: edited }])
    assert.deepEqual(await list('othello'), [edited])
  })

  test('is removed', async () => {
    const [id] = await create('prospero', toChannel)
    const queue = await server.as('prospero').watch('drafts')
    assert.deepEqual(await server.as('prospero').del(`/drafts/${id}`), success)
    assert.deepEqual(await queue.drain(), [{ type: 'drafts', op: 'remove', draft_id: id }])
    assert.deepEqual(await list('prospero'), [])
  })

  test('is as good as none to everyone but its author', async () => {
    const [id] = await create('zoe', toChannel)
    const none = failure('Draft does not exist', 'NOT_FOUND')
    for (const path of [`/drafts/${id}`, '/drafts/999999']) {
      const edited = await server.as('owner').patch(path, { draft: toChannel })
      assert.deepEqual([edited, edited.status], [none, 404])
      assert.deepEqual(await server.as('owner').del(path), none)
    }
    assert.equal((await list('zoe')).length, 1)
  })
})

test('a user who turns synchronization off has no drafts here, nor when it is on again', async () => {
  const bot = server.as('bot')
  await create('bot', toChannel)
  const queue = await bot.watch('drafts')
  await bot.patch('/settings', { enable_drafts_synchronization: false })
  const off = failure('You have turned off draft synchronization.')
  assert.deepEqual(await bot.get('/drafts'), off)
  assert.deepEqual(await bot.post('/drafts', { drafts: [toChannel] }), off)
  assert.deepEqual(await bot.patch('/drafts/1', { draft: toChannel }), off)
  assert.deepEqual(await bot.del('/drafts/1'), off)
  await bot.patch('/settings', { enable_drafts_synchronization: true })
  assert.deepEqual(await list('bot'), [])
  assert.deepEqual(await queue.drain(), [], 'clients keep their own')
})
