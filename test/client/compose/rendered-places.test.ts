import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Surroundings, surroundings } from '#client/compose/surroundings.ts'
import { rendered } from '#test/platform/markdown/markdown.ts'

/** Blocks of a message. */
const blocks: readonly string[] = [
  'some words',
  'a `code` b',
  'a ``co ` de`` b',
  'x $$y^2$$ z',
  'see [the label](https://a.test/b) there',
  'a lone ` mark',
  'costs $5 and $6',
  '- one\n- two `x` y\n  - three',
  '1. one\n2. two',
  '# A heading',
  '> quoted `code`\n> and more',
  '| a | b |\n| --- | --- |\n| c | `d` |',
  '```\ncode `x`\n\nmore\n```',
  '```js\nlet a = `b`\n```',
  '~~~\ncode\n```\n~~~',
  '````\n```\ncode\n```\n````',
  '```math\nx^2\n```',
  '```quote\ntext `x` y\n```',
  '```spoiler A title\nhidden `x`\n```',
  '```quote\n~~~\ncode\n~~~\nafter\n```',
  '> ```\n> code\n> ```',
  '- ```\n  code\n  ```',
  '    indented code',
  'over `two\nlines` here',
]

const marked = '**qzx**'

/** What the renderer makes of a mark at an offset: bold words, or the marks as they are. */
function isBold(text: string, offset: number): boolean {
  return rendered(text.slice(0, offset) + marked + text.slice(offset)).html.includes(
    '<strong>qzx</strong>',
  )
}

/** Where a mark is a part of what the place is, or makes another one of it. */
const changing: readonly Surroundings['place'][] = ['fence', 'token', 'address', 'across']

interface Difference {
  readonly text: string
  readonly offset: number
  readonly place: string
}

/** The offsets of a text at which the editor and the renderer differ. */
function differences(text: string): readonly Difference[] {
  return Array.from({ length: text.length + 1 }, (_, offset) => offset).flatMap((offset) => {
    const { place, span, isRich } = surroundings({ text, start: offset, end: offset })
    if (changing.includes(place) || changesMarks(text, offset) || isOpen(text, span)) return []
    return isRich === isBold(text, offset)
      ? []
      : [{ text: `${text.slice(0, offset)}§${text.slice(offset)}`, offset, place }]
  })
}

/** Whether other marks in the middle of those at an offset would make something else of them. */
function changesMarks(text: string, offset: number): boolean {
  const [before, after] = [text.slice(0, offset), text.slice(offset)]
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const isIndentation = line.trim() === '' && /^[ \t]/.test(line + after)
  const isAfterTable = /\|$/.test(line) && /^(?:\n|$)/.test(after)
  const isScheme = /\]\(?(?:https?:?\/?)?$/.test(line) && /^[(\w:/]/.test(after)
  const isBetween = /[`$]$/.test(line) && after[0] === line.at(-1)
  const isQuoteStart = line === '' && /^[>|]/.test(after)
  const isDelimiter =
    /^[|-]/.test(line.trim() + after) && /^[| -]*$/.test(`${line}${after.split('\n')[0]}`)
  return isQuoteStart || isDelimiter || isIndentation || isAfterTable || isScheme || isBetween
}

/** Whether something is still being typed: the editor counts on its end, which the server misses. */
function isOpen(text: string, span: Surroundings['span']): boolean {
  if (span?.place !== 'code' && span?.place !== 'math') return false
  return text.slice(span.to, span.outerTo) !== text.slice(span.outerFrom, span.from)
}

describe('what the editor takes for code, formulas and addresses is what the server makes of them', () => {
  for (const first of blocks) {
    // Lines directly below a table are rows, but for other blocks; below code in an item, blanks count less.
    const isBelow = (next: string) =>
      first.startsWith('|')
        ? /^[`~#]/.test(next)
        : !(first.startsWith('- `') && next.startsWith(' '))
    test(`in ${JSON.stringify(first)}, alone and beside each other block`, () => {
      const texts = [
        first,
        ...blocks.flatMap((next) => [
          ...(isBelow(next) ? [`${first}\n${next}`] : []),
          `${first}\n\n${next}`,
        ]),
      ]
      assert.deepEqual(texts.flatMap(differences).slice(0, 5), [])
    })
  }
})
