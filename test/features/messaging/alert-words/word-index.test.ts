import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createWordIndex } from '#features/messaging/alert-words/word-index.ts'
import { stepsOf } from '#test/support/limits/steps.ts'

/** Whether a text contains a whole word, by the rule alone. */
function contains(text: string, word: string): boolean {
  const isPart = (character: string | undefined) => /^[\p{L}\p{N}_]$/u.test(character ?? '')
  const [characters, wanted] = [[...text], [...word]]
  return characters.some((_, at) => {
    const end = at + wanted.length
    return (
      characters.slice(at, end).join('') === word &&
      !(isPart(characters[at - 1]) && isPart(wanted[0])) &&
      !(isPart(wanted.at(-1)) && isPart(characters[end]))
    )
  })
}

/** Few characters, so that words overlap and occur: of all kinds, also outside the first plane. */
const characters = fc.constantFrom('a', 'b', 'ß', '7', '_', ' ', '.', '+', '𝐚', '😀', '\n', '́')
const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: characters, minLength, maxLength })
const words = fc.array(text(1, 6), { maxLength: 6 })

test('finds exactly the users with a word that the text contains, whatever they had before', () => {
  const sets = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), words), { maxLength: 12 })
  const property = fc.property(sets, fc.array(text(0, 30)), (changes, texts) => {
    const index = createWordIndex()
    const now = new Map<number, string[]>()
    for (const [userId, list] of changes) {
      index.set(userId, list)
      now.set(userId, list)
    }
    for (const each of texts) {
      const expected = [...now]
        .filter(([, list]) => list.some((word) => contains(each, word)))
        .map(([userId]) => userId)
      assert.deepEqual([...index.usersWithWordIn(each)].sort(), expected.sort())
    }
  })
  fc.assert(property, { numRuns: 500, seed: 7 })
})

describe('whole words', () => {
  // biome-ignore format: a table reads best in columns
  const table: [text: string, word: string, found: boolean][] = [
    ['lunch',           'lunch',  true],
    ['lunches',         'lunch',  false],
    ['brunch',          'runch',  false],
    ['(lunch)',         'lunch',  true],
    ['lunch_time',      'lunch',  false],
    ['lunch-time',      'lunch',  true],
    ['in c++.',         'c++',    true],
    ['in c++11',        'c++',    true],
    ['c+++',            'c++',    true],
    ['xc++',            'c++',    false],
    ['a code review b', 'code review', true],
    ['a code  review',  'code review', false],
    ['ab a',            'a',      true],
    ['𝐚lunch',          'lunch',  false],
    ['😀lunch😀',        'lunch',  true],
    ['',                'lunch',  false],
  ]
  for (const [inText, word, found] of table) {
    test(`'${inText}' ${found ? 'has' : 'does not have'} '${word}'`, () => {
      const index = createWordIndex()
      index.set(1, [word])
      assert.equal(index.usersWithWordIn(inText).has(1), found)
      assert.equal(contains(inText, word), found)
    })
  }
})

/** What it takes to search one text. */
function steps(accounts: number, wordOf: (account: number, i: number) => string): Promise<number> {
  const index = createWordIndex()
  for (let account = 0; account < accounts; account++) {
    index.set(
      account,
      Array.from({ length: 500 }, (_, i) => wordOf(account, i)),
    )
  }
  const long = 'the plan of the day '.repeat(500)
  return stepsOf(() => index.usersWithWordIn(long))
}

test('a text costs no more with the words of a hundred accounts than with those of one', async () => {
  const wordOf = (account: number, i: number) => `the ${i} of ${account}`
  assert.equal(await steps(100, wordOf), await steps(1, wordOf))
})
