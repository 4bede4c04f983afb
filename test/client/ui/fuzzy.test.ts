import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type EmojiData,
  frequentEmoji,
  type NamedEmoji,
  searchEmoji,
  unicodeEmoji,
} from '#client/ui/emoji-search.ts'
import { fold, matchScore, rank } from '#client/ui/fuzzy.ts'
import { emojiData } from '#platform/emoji-data/unicode.ts'
import { emojiText } from '#shared/emoji-text.ts'

describe('how well names match', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, string, number | undefined][] = [
    ['',        'Anything',       1],
    ['ada',     'Ada',            0],
    ['ZOE',     'Zoë',            0],
    ['ad',      'Ada Lovelace',   1],
    ['love',    'Ada Lovelace',   2],
    ['lov ad',  'Ada Lovelace',   2],
    ['velac',   'Ada Lovelace',   3],
    ['core te', 'core team',      1],
    ['team',    'core-team',      2],
    ['o\'b',     'Tim O’Brien',    2],
    ['obrien',  'Tim O\'Brien',   2],
    ['o’brien', 'Tim Obrien',     2],
    ['bob',     'Ada Lovelace',   undefined],
    ['xy',      'x and y',        undefined],
  ]
  for (const [query, name, score] of table) {
    test(`${query || '(nothing)'} in ${name}`, () => assert.equal(matchScore(query, name), score))
  }
  test('scattered characters match worse, the more the further apart they are', () => {
    const close = matchScore('plns', 'plans')
    const far = matchScore('plns', 'places nearby sea')
    assert.ok(close !== undefined && far !== undefined && close >= 4 && far > close)
  })
})

test('the best come first, then by order, as many as are wanted', () => {
  const items = ['banana', 'anna', 'Ann', 'Hannah', 'Joan Ann']
  const order = (a: string, b: string) => (a < b ? -1 : 1)
  const found = rank(items, 'ann', { names: (name) => name, order, worst: 3 })
  assert.deepEqual(found, ['Ann', 'anna', 'Joan Ann', 'Hannah'])
  const two = rank(items, 'an', { names: (name) => name, limit: 2, worst: 1 })
  assert.deepEqual(two, ['anna', 'Ann'])
})

test('the best of many are the same as without a limit', () => {
  const items = Array.from({ length: 1000 }, (_, i) => `item ${(i * 7919) % 1000}`)
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  const all = rank(items, 'item 1', { names: (name) => name, order })
  const few = rank(items, 'item 1', { names: (name) => name, order, limit: 5 })
  assert.deepEqual(few, all.slice(0, 5))
})

test('names are folded without case and diacritics', () => {
  assert.equal(fold('Ångström ÉCOLE'), 'angstrom ecole')
})

describe('emoji', () => {
  const all = unicodeEmoji(emojiData() as EmojiData)
  const custom: NamedEmoji = {
    name: 'octo_cat',
    names: ['octo_cat'],
    code: '7',
    type: 'realm_emoji',
    url: '/cat.png',
  }
  const names = (found: readonly NamedEmoji[]) => found.map(({ name }) => name)

  test('are found by any name, words in any order, with spaces or underscores', () => {
    assert.equal(names(searchEmoji(all, 'octopus'))[0], 'octopus')
    assert.equal(names(searchEmoji(all, 'thumbs_up'))[0], '+1')
    assert.ok(names(searchEmoji(all, 'hear ey')).includes('heart_eyes'))
    assert.ok(names(searchEmoji(all, 'heart ey')).includes('heart_eyes'))
  })
  test('taken often come first among equally good ones, then those of the organization', () => {
    const found = names(searchEmoji([...all, custom], 'oct', { limit: 2 }))
    assert.deepEqual(found, ['octo_cat', 'octopus'])
    const uses = ({ name }: NamedEmoji) => (name === 'octopus' ? 3 : 0)
    assert.equal(names(searchEmoji([...all, custom], 'oct', { uses }))[0], 'octopus')
    assert.deepEqual(names(frequentEmoji([...all, custom], uses, 9)), ['octopus'])
  })
  test('have the characters that draw pictures', () => {
    const table = [
      ['1f600', '😀'],
      ['2764', '❤️'],
      ['0031-20e3', '1️⃣'],
      ['1f1e9-1f1ea', '🇩🇪'],
      ['1f3f3-200d-1f308', '🏳️‍🌈'],
      ['1f937-200d-2640', '🤷‍♀️'],
    ] as const
    for (const [code, text] of table) assert.equal(emojiText(code), text)
  })
})
