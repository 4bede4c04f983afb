import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Diff, diffWordsWithSpace } from 'diff'
import {
  differences,
  newDiffBudget,
  type Piece,
} from '#features/messaging/messages/edit-history/differences.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const words = (count: number, word: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => word(i)).join(' ')

/** The texts that a difference was made from. */
const sides = (pieces: readonly Piece[]) => [
  pieces.map(({ text, change }) => (change === 'inserted' ? '' : text)).join(''),
  pieces.map(({ text, change }) => (change === 'deleted' ? '' : text)).join(''),
]

/** How many pairs of words are compared. */
function comparisons(work: () => unknown): number {
  const { equals } = Diff.prototype
  let count = 0
  Diff.prototype.equals = function (...given) {
    count += 1
    return equals.apply(this, given)
  }
  work()
  Diff.prototype.equals = equals
  return count
}

describe('what changed between two texts', () => {
  // biome-ignore format: a table reads best in columns
  const table: [before: string, after: string, shown: string][] = [
    ['',                 '',                    ''],
    ['',                 'new',                 '+new'],
    ['old',              '',                    '-old'],
    ['one two three',    'one 2 three',         'one |-two|+2| three'],
    ['one',              'one more',            'one|+ more'],
    ['foo bar',          'foo barbaz',          'foo |-bar|+barbaz'],
    ['foobaz',           'foo bar foobaz',      '+foo bar |foobaz'],
    ['a\nb\nc',          'a\nc',                'a\n|-b\n|c'],
    ['😀 same 😁',        '😃 same 😁',           '-😀|+😃| same 😁'],
  ]
  for (const [before, later, shown] of table) {
    test(`from ${JSON.stringify(before)} to ${JSON.stringify(later)}`, () => {
      const signs = { none: '', inserted: '+', deleted: '-' }
      const pieces = differences(before, later, newDiffBudget())
      assert.equal(pieces.map(({ text, change }) => signs[change] + text).join('|'), shown)
    })
  }
})

describe('texts that cost too much to compare', () => {
  const hostile: [name: string, before: string, after: string][] = [
    ['5000 changed words', words(5000, () => 'a'), words(5000, () => 'b')],
    ['words that are all different', words(1600, (i) => `a${i}`), words(1600, (i) => `b${i}`)],
    [
      'two words in two orders',
      words(5000, (i) => 'ab'[i % 2] ?? ''),
      words(5000, (i) => 'aab'[i % 3] ?? ''),
    ],
    ['signs without spaces', '.,'.repeat(5000), ',;.'.repeat(3333)],
  ]
  for (const [name, before, later] of hostile) {
    test(`${name}: three hundred versions cost no more than a few ordinary ones`, () => {
      const ordinary = comparisons(() =>
        diffWordsWithSpace(
          words(700, () => 'a'),
          words(700, () => 'b'),
        ),
      )
      const budget = newDiffBudget()
      const spent = comparisons(() => {
        for (let i = 0; i < 300; i++) {
          const pieces =
            i % 2 ? differences(before, later, budget) : differences(later, before, budget)
          assert.deepEqual(sides(pieces), i % 2 ? [before, later] : [later, before])
        }
      })
      assert.ok(budget.steps >= 0)
      assert.ok(spent < 10 * ordinary, `${spent} comparisons, and ${ordinary} of ordinary texts`)
    })
  }

  test('keep what is the same before the first change and after the last', () => {
    const [before, later] = [words(4000, () => 'a'), words(4000, () => 'b')]
    const pieces = differences(`first ${before} last`, `first ${later} last`, { steps: 0 })
    assert.deepEqual(
      pieces.map(({ change }) => change),
      ['none', 'deleted', 'inserted', 'none'],
    )
  })
})

test('a message whose every word changed has a history, with the block that was replaced', async () => {
  const id = await server.say(
    'member',
    'public',
    'plans',
    words(5000, () => 'a'),
  )
  await server.as('member').patch(`/messages/${id}`, { content: words(5000, () => 'b') })
  const { message_history } = await server
    .as('member')
    .get<{ message_history: { content_html_diff?: string }[] }>(`/messages/${id}/history`)
  assert.equal(
    message_history[1]?.content_html_diff,
    `<span class="highlight_text_deleted">${words(5000, () => 'a')}</span>` +
      `<span class="highlight_text_inserted">${words(5000, () => 'b')}</span>`,
  )
})
