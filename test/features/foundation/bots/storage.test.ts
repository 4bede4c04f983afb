import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { workOf } from '#test/support/limits/work.ts'
import { failure, success } from '#test/support/replies.ts'
import { type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const path = '/bot_storage'
const bot = server.as('bot')
const noKey = failure('Key does not exist.')

/** Starts with nothing but these. */
async function keep(storage: Record<string, string>): Promise<void> {
  assert.deepEqual(await bot.del(path), success)
  assert.deepEqual(await bot.put(path, { storage }), success)
}

const kept = async (params: CallParams = {}) =>
  (await bot.get<{ storage: object }>(path, params)).storage

test('a bot keeps texts under keys, changes and removes them', async () => {
  await keep({ a: '1', b: '"two"' })
  assert.deepEqual(await bot.get(path), { ...success, storage: { a: '1', b: '"two"' } })
  assert.deepEqual(await kept({ keys: ['b'] }), { b: '"two"' })
  assert.deepEqual(await bot.put(path, { storage: { b: '', c: '3' } }), success)
  assert.deepEqual(await kept(), { a: '1', b: '', c: '3' })
  assert.deepEqual(await bot.del(path, { keys: ['a', 'c'] }), success)
  assert.deepEqual(await kept(), { b: '' })
  assert.deepEqual(await bot.del(path), success)
  assert.deepEqual(await kept(), {})
})

test('a key that is not there is an error, and nothing happens', async () => {
  await keep({ a: '1' })
  assert.deepEqual(await bot.get(path, { keys: ['a', 'b'] }), noKey)
  assert.deepEqual(await bot.del(path, { keys: ['a', 'b'] }), noKey)
  assert.deepEqual(await kept(), { a: '1' })
})

test('keys that mean something to the language are keys like all others', async () => {
  const storage = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c"}') as object
  assert.deepEqual(await bot.put(path, { storage }), success)
  const keys = ['__proto__', 'constructor', 'toString']
  assert.equal(JSON.stringify(await kept({ keys })), JSON.stringify(storage))
  assert.deepEqual(await bot.del(path, { keys }), success)
})

test('people have no storage', async () => {
  const refused = failure('This endpoint is only available to bots.')
  for (const actor of ['owner', 'member', 'guest'] as const) {
    const person = server.as(actor)
    assert.deepEqual(await person.get(path), refused)
    assert.deepEqual(await person.put(path, { storage: { a: '1' } }), refused)
    assert.deepEqual(await person.del(path), refused)
  }
})

test('one bot does not see what another keeps', async () => {
  await keep({ a: 'mine' })
  const made = await server
    .as('member')
    .post<{ api_key: string }>('/bots', { full_name: 'Other', short_name: 'other' })
  const basic = Buffer.from(`other-bot@zulipdev.com:${made.api_key}`).toString('base64')
  const reply = await fetch(`${server.url}/api/v1${path}`, {
    headers: { authorization: `Basic ${basic}` },
  })
  assert.deepEqual(await reply.json(), { ...success, storage: {} })
})

test('ten million characters fit, counted as people count them, and not one more', async () => {
  await keep({})
  for (const key of '123456789') {
    assert.deepEqual(await bot.put(path, { storage: { [key]: 'x'.repeat(999_999) } }), success)
  }
  assert.deepEqual(await bot.put(path, { storage: { a: 'x'.repeat(999_989) } }), success)
  assert.deepEqual(await bot.put(path, { storage: { b: '😎'.repeat(9) } }), success)
  const full = failure('The bot has too many characters in its storage (limit: 10000000)')
  assert.deepEqual(await bot.put(path, { storage: { c: '' } }), full)
  assert.deepEqual(await bot.put(path, { storage: { a: 'y', b: 'z'.repeat(999_999) } }), full)
  assert.deepEqual(await kept({ keys: ['b'] }), { b: '😎'.repeat(9) })
  assert.deepEqual(await bot.put(path, { storage: { a: 'x', c: '' } }), success, 'room again')
})

describe('refused', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, CallParams, RegExp][] = [
    ['nothing',            {},                                         /Missing 'storage'/],
    ['a list',             { storage: [] },                            /storage is not an object/],
    ['null',               { storage: null },                          /storage is not an object/],
    ['a number as value',  { storage: { a: 1 } },                      /storage is not an object whose values are strings/],
    ['a NUL',              { storage: { a: '\u0000' } },               /not allowed/],
    ['a NUL in a key',     { storage: { '\u0000': '' } },              /not allowed/],
    ['a long key',         { storage: { ['k'.repeat(1001)]: '' } },    /too long/],
    ['no JSON',            { storage: 'a=b' },                         /not valid JSON/],
  ]
  for (const [what, params, message] of matrix) {
    test(what, async () => {
      await keep({ a: '1' })
      const reply = await bot.put(path, params)
      assert.match(reply.msg, message)
      assert.deepEqual(await kept(), { a: '1' })
    })
  }
})

test('a thousand keys for which there is no room are not written before they are refused', async () => {
  await keep({})
  for (const key of '0123456789') {
    assert.deepEqual(await bot.put(path, { storage: { [key]: 'x'.repeat(999_000) } }), success)
  }
  const keys = Array.from({ length: 1000 }, (_, i) => `${i} ${'k'.repeat(300)}`)
  const storage = Object.fromEntries(keys.map((key) => [key, '']))
  const full = failure('The bot has too many characters in its storage (limit: 10000000)')
  const refused = async () => assert.deepEqual(await bot.put(path, { storage }), full)
  // Each of them is looked up, and gives no row.
  const work = await workOf(server, refused)
  assert.ok(work < 1100, String(work))
  await keep({})
})
