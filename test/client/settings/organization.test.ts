import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { customName, nameCheck } from '#client/settings/organization/emoji-names.ts'
import {
  optionsOf,
  optionsToWire,
  siteOf,
  siteToWire,
  withNewOption,
} from '#client/settings/organization/field-data.ts'
import { moved, placeAt, sorted } from '#client/settings/ui/order.ts'

describe('a list with an order', () => {
  // biome-ignore format: a matrix reads best in columns
  const moves: [what: string, key: number, to: number, expected: number[]][] = [
    ['up',                1, 0,  [1, 2, 3]],
    ['down',              2, 1,  [1, 2, 3]],
    ['beyond the top',    3, -1, [3, 2, 1]],
    ['beyond the bottom', 2, 9,  [1, 3, 2]],
    ['nowhere',           1, 1,  [2, 1, 3]],
  ]
  for (const [what, key, to, expected] of moves) {
    test(`moves a row ${what}`, () => assert.deepEqual(moved([2, 1, 3], key, to), expected))
  }

  test('has rows at its end that have come since, and none that have gone', () => {
    const rows = [{ id: 1 }, { id: 4 }, { id: 3 }]
    const ids = sorted(rows, ({ id }) => id, [3, 2, 1]).map(({ id }) => id)
    assert.deepEqual(ids, [3, 1, 4])
  })

  test('knows the place under a pointer', () => {
    const boxes = [0, 40, 100].map((top, index) => ({ top, bottom: [40, 100, 140][index] ?? 0 }))
    assert.deepEqual(
      [-5, 39, 40, 120, 900].map((y) => placeAt(boxes, y)),
      [0, 0, 1, 2, 2],
    )
  })
})

describe('the data of a profile field', () => {
  test('keeps the keys of options, which people have chosen, when their order or text changes', () => {
    const field_data = JSON.stringify({
      b: { text: 'Second', order: '2' },
      a: { text: 'First', order: '1' },
      '7': { text: 'Tenth', order: '10' },
    })
    const options = optionsOf({ field_data })
    assert.deepEqual(
      options.map(({ text }) => text),
      ['First', 'Second', 'Tenth'],
    )
    const more = withNewOption([...options].reverse())
    assert.equal(more.at(-1)?.key, '8')
    const renamed = more.map((each) => (each.key === 'a' ? { key: 'a', text: ' Last ' } : each))
    assert.deepEqual(optionsToWire(renamed), {
      '7': { text: 'Tenth', order: '1' },
      b: { text: 'Second', order: '2' },
      a: { text: 'Last', order: '3' },
    })
  })

  test('is a known site, or the address of another one', () => {
    const known = { subtype: 'github' }
    const own = { subtype: 'custom', url_pattern: 'https://x.org/%(username)s' }
    for (const data of [known, own]) {
      assert.deepEqual(siteToWire(siteOf({ field_data: JSON.stringify(data) })), data)
    }
    assert.deepEqual(siteOf({ field_data: '' }), { subtype: '', urlPattern: '' })
  })
})

describe('the name of a new emoji', () => {
  const facts = { isTaken: false, builtIn: undefined, isAdministrator: false }
  const octopus = { text: '🐙' }

  test('is kept in lower case and without spaces', () => {
    assert.equal(customName(' Party Parrot '), 'party_parrot')
  })

  // biome-ignore format: a matrix reads best in columns
  const table: [what: string, name: string, facts: Parameters<typeof nameCheck>[1], mayBe: boolean][] = [
    ['a new name',                       'parrot',  facts,                                                true],
    ['the name of another',              'parrot',  { ...facts, isTaken: true, isAdministrator: true },   false],
    ['a built-in name',                  'octopus', { ...facts, builtIn: octopus },                       false],
    ['a built-in name by administrators', 'octopus', { ...facts, builtIn: octopus, isAdministrator: true }, true],
  ]
  for (const [what, name, given, mayBe] of table) {
    test(`${mayBe ? 'may' : 'may not'} be ${what}`, () => {
      assert.equal(nameCheck(name, given).problem === undefined, mayBe)
    })
  }
})
