import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { html } from './markdown.ts'

/** An item of a list, and the items in it. */
interface Item {
  name: string
  items: Item[]
}

const leaf = (name: string): Item => ({ name, items: [] })

const outlines: Record<string, Item[]> = {
  'beside each other': [leaf('a'), leaf('b'), leaf('c')],
  'in one': [{ name: 'a', items: [leaf('b'), leaf('c')] }, leaf('d')],
  'in two': [
    { name: 'a', items: [{ name: 'b', items: [leaf('c'), leaf('d')] }, leaf('e')] },
    leaf('f'),
  ],
  'two levels up': [{ name: 'a', items: [{ name: 'b', items: [leaf('c')] }] }, leaf('d')],
  'in the last': [leaf('a'), { name: 'b', items: [{ name: 'c', items: [leaf('d')] }] }],
}

/** How an outline is written: the columns to the first marker and to each further level. */
interface Style {
  marker: string
  base: string
  step: string
  /** Blank lines between items. */
  apart: boolean
}

const styles: Style[] = ['-', '*', '1.'].flatMap((marker) =>
  ['', ' ', '  ', '   '].flatMap((base) =>
    ['  ', '   ', '    ', ...(base === '' ? ['\t'] : [])].flatMap((step) =>
      [false, true].map((apart) => ({ marker, base, step, apart })),
    ),
  ),
)

/** What each item has besides its name: lines below it, and how `shapeOf` shows them. */
const contents: Record<string, { lines: string[]; shape: string }> = {
  nothing: { lines: [], shape: '' },
  'a quote': { lines: ['> x'], shape: '(x)' },
  'a quote after a blank line': { lines: ['', '> x'], shape: '(x)' },
  'a paragraph': { lines: ['', 'x'], shape: 'x' },
  code: { lines: ['```', 'x', '```'], shape: '{x}' },
  'code after a blank line': { lines: ['', '```', 'x', '```'], shape: '{x}' },
}

function write(items: Item[], style: Style, lines: string[], indent = style.base): string[] {
  return items.flatMap((item) => [
    ...(style.apart ? [''] : []),
    `${indent}${style.marker} ${item.name}`,
    ...lines.map((line) => line && `${indent}${style.step}${line}`),
    ...write(item.items, style, lines, indent + style.step),
  ])
}

const expected = (items: Item[], shape: string): string =>
  items.map((item) => `[${item.name}${shape}${expected(item.items, shape)}]`).join('')

/** The structure of HTML: `[]` for an item, `()` for a quote, `{}` for code, and the letters. */
function shapeOf(rendered: string): string {
  const marks: Record<string, string> = { li: '[]', blockquote: '()', pre: '{}' }
  return rendered
    .replace(/<(\/?)(\w+)[^>]*>/g, (_, slash, tag) => marks[tag]?.[slash ? 1 : 0] ?? '')
    .replace(/\s/g, '')
}

describe('an outline nests as it is indented', () => {
  for (const [place, outline] of Object.entries(outlines)) {
    for (const [what, { lines, shape }] of Object.entries(contents)) {
      test(`items ${place} that hold ${what}`, () => {
        for (const style of styles) {
          const source = write(outline, style, lines).join('\n')
          assert.equal(shapeOf(html(source)), expected(outline, shape), source)
        }
      })
    }
  }
})
