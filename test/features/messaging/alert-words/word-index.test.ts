import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createWordIndex } from '#features/messaging/alert-words/word-index.ts'
import { rendered } from '#test/platform/markdown/markdown.ts'
import { stepsOf } from '#test/support/limits/steps.ts'

/** The same in one way of writing, for the characters below. */
function plain(text: string): string {
  const letters = text.replaceAll('\u0301', '').replaceAll('ß', 'ss').replaceAll('𝐚', 'a')
  return letters
    .replace(/\s+/g, ' ')
    .replaceAll(/ ?([会😀]) ?/gu, '$1')
    .replaceAll('’', "'")
}

/** Whether a text contains a whole word, by the rule alone. */
function contains(text: string, word: string): boolean {
  const isPart = (character: string | undefined) => /^[a-z0-9_]$/.test(character ?? '')
  const [characters, wanted] = [[...plain(text)], [...plain(word)]]
  return characters.some((_, at) => {
    const end = at + wanted.length
    return (
      wanted.length > 0 &&
      characters.slice(at, end).join('') === wanted.join('') &&
      !(isPart(characters[at - 1]) && isPart(wanted[0])) &&
      !(isPart(wanted.at(-1)) && isPart(characters[end]))
    )
  })
}

/** Few characters, so that words overlap and occur: of all kinds, also outside the first plane. */
const characters = fc.constantFrom(
  'a',
  'b',
  'ß',
  '7',
  '_',
  ' ',
  '.',
  '+',
  '𝐚',
  '😀',
  '\n',
  '́',
  '会',
  '’',
  "'",
)
const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: characters, minLength, maxLength })
const words = fc.array(
  text(1, 6).filter((word) => plain(word) === plain(word).trim()),
  { maxLength: 6 },
)

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
    ['a code  review',  'code review', true],
    ['code\nreview',     'code review', true],
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

describe('a word is found however it is written and whatever surrounds it', () => {
  const words = ['deploy.sh', 'backup failed', "don't", 'spot-check', 'café', 'c++', 'Ärger']
  const more = ['会議', 'かいぎ', 'ประชุม', '회의', 'ошибка', 'μήνυμα', 'بيان', 'भाषा', 'ＯＰＳ']
  const writings: Record<string, (word: string) => string> = {
    'as it is': (word) => word,
    'in capitals': (word) => word.toUpperCase(),
    'in decomposed letters': (word) => word.normalize('NFD'),
    'in compatible letters': (word) => word.normalize('NFKC'),
    'over two lines': (word) => word.replace(' ', '\n'),
    'with two blanks': (word) => word.replace(' ', ' \u00a0 '),
    'with the marks of phones': (word) => word.replace("'", '’').replace('-', '‑'),
  }
  const places: Record<string, (word: string) => string> = {
    'in a code span': (word) => `run \`${word}\` now`,
    'in bold text': (word) => `now **${word}** now`,
    'in a quotation': (word) => `“${word}”`,
    'in a list': (word) => `- ${word}\n- other`,
    'in a link': (word) => `[${word}](https://example.com)`,
    'between Han characters': (word) => `今日の${word}は`,
    'between Thai letters': (word) => `วัน${word}นี้`,
    'between emoji': (word) => `❤️${word}🎉`,
  }
  for (const [how, written] of Object.entries(writings)) {
    for (const [where, placed] of Object.entries(places)) {
      test(`${how}, ${where}`, () => {
        for (const word of [...words, ...more]) {
          const index = createWordIndex()
          index.set(1, [word])
          index.set(2, [`${word}x`, `x${word}`])
          const { text } = rendered(placed(written(word)))
          assert.deepEqual([...index.usersWithWordIn(text)], [1], word)
        }
      })
    }
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
