import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { draw } from '#test/support/drawing.ts'
import { boundedPatterns, madePatterns, rarelyTried } from '#test/support/patterns/bounded.ts'
import { type FoundPattern, listPatterns } from '#test/support/patterns/listing.ts'
import { superlinearOn, worstCost } from '#test/support/patterns/work.ts'

const source = fileURLToPath(new URL('../../../src/', import.meta.url))
const { patterns: written, made } = listPatterns(source)
const patterns: FoundPattern[] = [
  ...written,
  ...Object.entries(madePatterns).map(([file, [pattern, flags]]) => {
    return { file, line: 0, pattern, flags, isRepeated: false }
  }),
]

/** The length of the texts, in UTF-16 code units: less would leave squares too quick to be measured. */
const length = 12_000

const isSame = (a: { file: string; pattern: string }, b: { file: string; pattern: string }) =>
  a.file === b.file && a.pattern === b.pattern
const placeOf = ({ file, line }: FoundPattern) => `${file}:${line}`
const name = (each: FoundPattern) => `${placeOf(each)} /${each.pattern}/${each.flags}`

/** With escapes for what does not show which blank or sign it is. */
const visible = (text: string) =>
  text.replace(/[^ -~]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)

test('every regular expression of the sources is found, also one that is made of constants', () => {
  assert.ok(written.length > 800, `${written.length} patterns`)
  assert.ok(written.some(({ file }) => file === 'platform/store/search-text.ts'))
  assert.deepEqual([...new Set(made)].sort(), Object.keys(madePatterns).sort())
})

test('a pattern whose work grows faster than its text is told from one that only takes long', () => {
  const found = (pattern: string, flags = '', isRepeated = flags.includes('g')) => {
    const each = { file: '', line: 1, pattern, flags, isRepeated }
    // Higher powers are over sooner with short texts.
    return superlinearOn(each, 1500) ?? superlinearOn(each, length)
  }
  // biome-ignore format: a table reads best in columns
  const slow: [pattern: string, flags?: string][] = [
    ['\\s+$'], ['\\s+(?=:)', 'g'], ['<[^>]*>', 'g'], ['^(\\s*)>', 'gm'], ['(a+)+$'],
    ['(`+)(?!`).*?(?<!`)\\1(?!`)', 'g'], ['begin.*end', 's'], ['^x\\w*y\\w*z'], ['\\d+-\\d+-\\d+'],
  ]
  for (const [pattern, flags] of slow) {
    // A busy machine makes a measurement of growth unsure, which then counts as none.
    const attack = found(pattern, flags) ?? found(pattern, flags) ?? found(pattern, flags)
    assert.ok(attack, `/${pattern}/${flags}`)
  }
  // biome-ignore format: a table reads best in columns
  const linear: [pattern: string, flags?: string][] = [
    ['(?<!\\s)\\s+$'], ['<[^<>]*>', 'g'], ['^\\s+'], ['[^a]|\\p{L}|.', 'gu'], ['(?:a|b)*'], ['"[^"]*"?', 'g'],
  ]
  for (const [pattern, flags] of linear) {
    assert.equal(found(pattern, flags), undefined, `/${pattern}/${flags}`)
  }
})

describe('no regular expression takes more than time in proportion to its text', () => {
  const places = [...new Set(patterns.map(placeOf))]
  for (const place of draw(places, 1 / 12)) {
    test(place, () => {
      const slow = patterns
        .filter((each) => placeOf(each) === place)
        .filter((each) => !boundedPatterns.some((bounded) => isSame(bounded, each)))
        .map((each) => {
          const most = rarelyTried.find((rare) => isSame(rare, each))?.most
          return { each, attack: superlinearOn(each, length, most) }
        })
        .filter(({ attack }) => attack !== undefined)
      assert.deepEqual(
        slow.map(({ each, attack }) => `${name(each)} on ${visible(JSON.stringify(attack))}`),
        [],
      )
    })
  }
})

describe('a text is short, or tried rarely, where a pattern takes more', () => {
  for (const bounded of [...boundedPatterns, ...rarelyTried]) {
    test(`/${bounded.pattern}/ of ${bounded.file}`, () => {
      const found = patterns.find((each) => isSame(each, bounded))
      assert.ok(found, 'the pattern is gone')
      const [words, file] = bounded.because
      assert.ok(readFileSync(join(source, file), 'utf8').includes(words), `${file}: ${words}`)
      if ('longest' in bounded) {
        const ms = worstCost(found, bounded.longest)
        assert.ok(ms < 50, `${ms} ms of CPU for ${bounded.longest} characters`)
      }
    })
  }
})
