import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isOnlyFences, readFences } from '#client/compose/fences.ts'
import { html } from '#test/platform/markdown/markdown.ts'
import { createRandom, isWhole, seed } from '#test/support/drawing.ts'

describe('a text of nothing but marks of blocks', () => {
  for (const marks of ['```', '````', '~~~']) {
    for (const info of ['', 'js', ' js', 'quote', 'spoiler', 'math', 'js title']) {
      for (const inner of ['', '\n', '\n\n', '\n  \n']) {
        for (const end of [`\n${marks}`, `\n${marks}\n`, '']) {
          const empty = `${marks}${info}${inner}${end}`
          test(`is ${JSON.stringify(empty)}`, () => {
            assert.equal(isOnlyFences(empty), true)
            assert.equal(isOnlyFences(`\n${empty}`), true)
          })
          test(`is ${JSON.stringify(empty)} no more with a word inside or below`, () => {
            assert.equal(isOnlyFences(`${marks}${info}\nword${inner}${end}`), false)
            assert.equal(isOnlyFences(`word\n${empty}`), false)
            if (end !== '') assert.equal(isOnlyFences(`${empty.trimEnd()}\nword`), false)
          })
        }
      }
    }
  }
  for (const text of [
    '',
    ' ',
    'word',
    '```spoiler A title\n```',
    '```js``` in a line',
    '- ```\n  x',
  ]) {
    test(`is not ${JSON.stringify(text)}`, () => assert.equal(isOnlyFences(text), false))
  }
})

/** How many blocks are around each word of what the server makes of a text. */
function depthsIn(shown: string): Map<string, number> {
  const depths = new Map<string, number>()
  const open: boolean[] = []
  for (const [, end, tag, more = '', word] of shown.matchAll(
    /<(\/?)(div|blockquote)\b([^>]*)>|(word\d+)/g,
  )) {
    if (word !== undefined) depths.set(word, open.filter(Boolean).length)
    else if (end) open.pop()
    else open.push(tag === 'blockquote' || /codehilite|spoiler-content/.test(more))
  }
  return depths
}

describe('the blocks that are open at a line', () => {
  const random = createRandom(seed + 7)
  const marks = ['```', '````', '~~~', '~~~~']
  const infos = ['', 'quote', 'quote', 'spoiler', 'js']
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  const lineOf = (row: number) =>
    random() < 0.4 ? `word${row}` : pick(marks) + (random() < 0.5 ? '' : pick(infos))

  test('are as many as the server draws around it', () => {
    for (let round = 0; round < (isWhole ? 10_000 : 1_000); round++) {
      const count = 2 + Math.floor(random() * 12)
      const lines = [...Array.from({ length: count }, (_, row) => lineOf(row)), `word${count}`]
      const depths = depthsIn(html(lines.join('\n')))
      const read = readFences(lines)
      const known = lines.flatMap((line, row): [string, number | undefined][] =>
        line.startsWith('word') ? [[line, read[row]?.open.length]] : [],
      )
      assert.deepEqual(Object.fromEntries(known), Object.fromEntries(depths), lines.join('\n'))
    }
  })

  for (const outer of ['```` quote', '````quote', '```` spoiler Head']) {
    for (const inner of [
      '~~~ quote',
      '``` quote',
      '```',
      '~~~ js',
      '``` spoiler',
      '~~~\n~~~ quote',
    ]) {
      test(`end with ${outer} around ${JSON.stringify(inner)} that nothing ends`, () => {
        const text = [outer, inner, 'word1', '````', 'word2'].join('\n')
        assert.equal(depthsIn(html(text)).get('word2'), 0)
      })
    }
  }
})
