import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import * as v from 'valibot'
import { boundsOf } from '#platform/http/bounds.ts'
import { decode } from '#platform/http/decode.ts'
import { json, jsonOrWord, type Param, recordOf, text } from '#platform/http/params.ts'
import { bodyLimitOf } from '#platform/http/request.ts'
import { listEndpoints } from '#program/features.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const withParams = listEndpoints()
  .map(({ endpoint }) => endpoint)
  .filter(({ params }) => Object.keys(params).length > 0)

describe('every parameter of every endpoint has limits', () => {
  for (const endpoint of withParams) {
    test(`${endpoint.method.toUpperCase()} ${endpoint.path}`, () => {
      for (const [name, param] of Object.entries(endpoint.params)) {
        assert.deepEqual(param.bounds, boundsOf(param.schema), name)
        for (const size of Object.values(param.size)) assert.ok(Number.isFinite(size), name)
      }
      const isFile = endpoint.file !== undefined || endpoint.rawBody !== undefined
      assert.ok(isFile || bodyLimitOf(endpoint) <= 1024 * 1024)
    })
  }
})

describe('a schema without a limit cannot be declared', () => {
  const unlimited: [string, v.GenericSchema][] = [
    ['a text', v.string()],
    ['a list', v.array(v.number())],
    ['a text in a list', v.pipe(v.array(v.string()), v.maxLength(2))],
    ['a text in an object', v.object({ a: v.optional(v.string()) })],
    ['a record', v.record(v.pipe(v.string(), v.maxLength(1)), v.boolean())],
    ['a key', v.pipe(v.record(v.string(), v.boolean()), v.maxEntries(1))],
    ['anything', v.unknown()],
    ['one of two', v.union([v.number(), v.string()])],
    ['a text before it is cut', v.pipe(v.string(), v.trim(), v.maxLength(2))],
    ['a kind that nobody thought of', v.date()],
  ]
  for (const [what, schema] of unlimited) {
    test(what, () => void assert.throws(() => json(schema)))
  }
})

describe('decoding stops before it costs', () => {
  const ids = json(v.pipe(v.array(v.number()), v.maxLength(3)))
  const pairs = json(recordOf(v.pipe(v.string(), v.maxLength(2)), 2, 3))
  const either = jsonOrWord(v.union([v.number(), v.pipe(v.string(), v.maxLength(400))]))
  // biome-ignore format: a table reads best in columns
  const table: [string, Param<unknown>, string, RegExp | undefined][] = [
    ['as many as there may be',   ids,     '[1,2,3]',                        undefined],
    ['one more',                  ids,     '[1,2,3,4]',                      /^x has too many items \(limit: 3\)$/],
    ['very many',                 ids,     `[${'1,'.repeat(400)}1]`,         /^x has too many items \(limit: 3\)$/],
    ['many that are empty',       ids,     `[${'{},'.repeat(100)}{}]`,       /^x has too many items/],
    ['a long source',             ids,     `[1${' '.repeat(3000)}]`,         /^x is too long/],
    ['deep lists',                ids,     '['.repeat(50),                   /nested too deeply/],
    ['commas in a string',        ids,     `["${','.repeat(500)}"]`,         /^Invalid x\[0\]$/],
    ['an escaped quote',          ids,     `["\\"${','.repeat(500)}"]`,      /^Invalid x\[0\]$/],
    ['a record',                  pairs,   '{"a":"b","c":"d"}',              undefined],
    ['a member more',             pairs,   '{"a":"b","c":"d","e":""}',       /^x has too many items \(limit: 2\)$/],
    ['a long key',                pairs,   '{"abcd":""}',                    /^x\["abcd"\] is too long \(limit: 3 characters\)$/],
    ['a long member',             pairs,   '{"abc":"abc"}',                  /^x\["abc"\] is too long \(limit: 2 characters\)$/],
    ['a word with commas',        either,  ','.repeat(400),                  undefined],
    ['a longer word',             either,  ','.repeat(401),                  /^x is too long \(limit: 400 characters\)$/],
    ['a text',                    text(3), 'abc',                            undefined],
    ['a longer text',             text(3), 'abcd',                           /^x is too long \(limit: 3 characters\)$/],
  ]
  for (const [what, param, source, message] of table) {
    test(what, () => {
      const run = () => decode({ x: param }, new Map([['x', source]]))
      if (message) assert.throws(run, { message })
      else assert.doesNotThrow(run)
    })
  }
})

describe('a whole request', () => {
  const post = async (body: string | FormData) => {
    const { email, apiKey } = server.as('member')
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
    const request = new Request(`${server.url}/api/v1/typing`, {
      method: 'POST',
      headers: { authorization },
      body,
    })
    return (await (await server.server.fetch(request)).json()) as Record<string, unknown>
  }
  const valid = 'op=start&to=[9]'

  test('has at most 500 parameters, of one name or several', async () => {
    const many = { msg: 'The request has too many parameters (limit: 500).', code: 'BAD_REQUEST' }
    for (const pair of ['&a', '&']) {
      assert.deepEqual(await post(valid + pair.repeat(500)), { result: 'error', ...many })
    }
    const parts = new FormData()
    for (let i = 0; i < 502; i++) parts.append('a', '')
    assert.deepEqual(await post(parts), { result: 'error', ...many })
  })

  test('names what was ignored, within reason', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `n${i}${'x'.repeat(190)}`)
    const reply = await post(`${valid}&${names.join('&')}`)
    const ignored = reply.ignored_parameters_unsupported as string[]
    assert.deepEqual(
      ignored,
      names.slice(0, 50).map((name) => name.slice(0, 100)),
    )
  })

  test('has no names that are longer than any', async () => {
    const { msg } = await post(`${valid}&${'x'.repeat(201)}=1`)
    assert.equal(msg, 'The name of a parameter is too long (limit: 200 characters)')
  })
})
