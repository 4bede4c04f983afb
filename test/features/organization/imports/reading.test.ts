import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseCsv } from '#features/organization/imports/reading/csv.ts'
import { emojiCharacters } from '#features/organization/imports/reading/emoji-names.ts'
import { jsonRows } from '#features/organization/imports/reading/json-rows.ts'
import { jsonLines } from '#features/organization/imports/reading/lines.ts'
import { unicodeNames } from '#platform/emoji-data/unicode-names.cjs'

/** The bytes of a text, in pieces of this size. */
async function* inPieces(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

async function rowsOf(text: string | Uint8Array, size = 7, longest = 1000) {
  const rows: unknown[] = []
  const found: string[] = []
  const bad = (reason: string) => found.push(reason)
  for await (const row of jsonRows(inPieces(text, size), { bad, longest })) rows.push(row)
  return { rows, bad: found }
}

describe('rows of a JSON file', () => {
  const list = (value: unknown) => ({ list: '', value })

  test('are those of its list, or of the lists in its object, or its other members', async () => {
    const text =
      '\uFEFF{"a": [ {"x":"[,]\\"}"} , 2,[3] ], "n":null,"o":{"p":[1,2]}, "b":[], "c":["s"]}'
    const value = (name: string, row: unknown) => ({ list: name, value: row })
    const rows = [
      value('a', { x: '[,]"}' }),
      value('a', 2),
      value('a', [3]),
      value('n', null),
      value('o', { p: [1, 2] }),
      value('c', 's'),
    ]
    for (const size of [1, 2, 3, 1000])
      assert.deepEqual(await rowsOf(text, size), { rows, bad: [] })
    assert.deepEqual(await rowsOf(' [1, "a" ,[[]]] '), { rows: [1, 'a', [[]]].map(list), bad: [] })
    assert.deepEqual(await rowsOf('[]'), { rows: [], bad: [] })
    assert.deepEqual(await rowsOf('{}'), { rows: [], bad: [] })
  })

  test('are what JSON.parse finds, however the file is cut into pieces', async () => {
    const members = fc.dictionary(fc.string(), fc.array(fc.jsonValue()), { noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(members, fc.integer({ min: 1, max: 40 }), async (object, size) => {
        const expected = Object.entries(object).flatMap(([name, values]) =>
          values.map((value) => ({ list: name, value: JSON.parse(JSON.stringify(value)) })),
        )
        assert.deepEqual(await rowsOf(JSON.stringify(object), size, 1e6), {
          rows: expected,
          bad: [],
        })
      }),
      { numRuns: 200 },
    )
  })

  test('of lists that nobody wants are not parsed', async () => {
    const rows: unknown[] = []
    const source = inPieces('{"a":[nonsense],"b":[1]}', 5)
    const options = { wanted: (name: string) => name === 'b', bad: assert.fail }
    for await (const row of jsonRows(source, options)) rows.push(row)
    assert.deepEqual(rows, [{ list: 'b', value: 1 }])
  })

  const long = `"${'x'.repeat(5000)}"`
  const deep = '['.repeat(500) + ']'.repeat(500)
  const cases: readonly [string, string | Uint8Array, unknown[], string[]][] = [
    ['one that is too long', `[1,${long},2]`, [1, 2], ['too-long']],
    ['one that is too deep', `[1,${deep},2]`, [1, 2], ['bad-value']],
    ['one that is not JSON', '[1,nonsense,2]', [1, 2], ['not-json']],
    ['a file that is cut off', '[1,{"a":2},{"b', [1, { a: 2 }], ['not-json']],
    ['a file that goes on after its end', '[1] [2]', [1], ['not-json']],
    ['a file that is no JSON', '<html>', [], ['not-json']],
    ['an empty file', '', [], ['not-json']],
    [
      'bytes that are not UTF-8',
      Buffer.from('["\xe9t\xe9"]', 'latin1'),
      ['\uFFFDt\uFFFD'],
      ['bad-encoding'],
    ],
    ['a file in UTF-16', Buffer.from('\uFEFF[1]', 'utf16le'), [], ['not-json']],
  ]
  for (const [name, text, values, bad] of cases) {
    test(`are left out with a reason: ${name}`, async () => {
      for (const size of [3, 10_000]) {
        assert.deepEqual(await rowsOf(text, size), { rows: values.map(list), bad })
      }
    })
  }
})

test('JSON Lines are read one by one; those that cannot be used are left out', async () => {
  const text = `{"a":1}\n\n  \nnonsense\r\n{"b":"${'x'.repeat(2000)}"}\n{"c":"ü"}`
  for (const size of [1, 7, 10_000]) {
    const found: unknown[] = []
    const reasons: string[] = []
    const options = { bad: (reason: string) => void reasons.push(reason), longest: 1000 }
    for await (const value of jsonLines(inPieces(text, size), options)) found.push(value)
    assert.deepEqual(found, [{ a: 1 }, { c: 'ü' }])
    assert.deepEqual(reasons, ['not-json', 'too-long'])
  }
})

test('a table of values is read as spreadsheets write it', () => {
  const rows = [
    ['name', 'address'],
    ['Zoë, "the" one', 'zoe@example.com'],
    ['two\nlines', ''],
  ]
  const quoted = '"Zoë, ""the"" one"'
  assert.deepEqual(
    parseCsv(`\uFEFFname,address\r\n${quoted}, zoe@example.com \r\n\r\n"two\nlines",\r\n`),
    rows,
  )
  assert.deepEqual(parseCsv(`name;address\n${quoted};zoe@example.com\n"two\nlines";`), rows)
  assert.deepEqual(parseCsv(`name\taddress\n${quoted}\tzoe@example.com\n"two\nlines"\t`), rows)
  assert.deepEqual(parseCsv(''), [])
})

test('each name of an emoji is known with hyphens too, as Slack writes it in texts', () => {
  const all = Object.values(unicodeNames()).flatMap((names = []) => names)
  const names = all.filter((name) => !name.includes('-'))
  const unknown = names.filter((name) => emojiCharacters(name.replaceAll('_', '-')) === undefined)
  assert.deepEqual(unknown, [])
  assert.equal(emojiCharacters('man-shrugging'), '🤷\u200d♂')
})
