import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longerMarks } from '#shared/code-marks.ts'
import { createMarkdownWriter, type MarkdownStyle } from '#shared/markdown-writer.ts'
import { createRandom, seed } from '#test/support/drawing.ts'

type Attributes = Readonly<Record<string, string>>
type Tree = string | Element
/** A tag, with attributes and contents. */
interface Element extends ReadonlyArray<Tree | Attributes> {
  readonly 0: string
}

/** A document as Markdown. */
function markdownOf(document: readonly Tree[], style: MarkdownStyle): string {
  const writer = createMarkdownWriter(style)
  function write(tree: Tree): void {
    if (typeof tree === 'string') {
      writer.text(tree)
      return
    }
    const rest = tree.slice(1)
    const attributes = Object.assign({}, ...rest.filter(isAttributes)) as Attributes
    writer.open(tree[0], (name) => attributes[name] ?? '')
    for (const inner of rest) if (!isAttributes(inner)) write(inner)
    writer.close()
  }
  for (const tree of document) write(tree)
  return writer.finish()
}

const isAttributes = (inner: Tree | Attributes): inner is Attributes =>
  typeof inner === 'object' && !Array.isArray(inner)

const link = (href: string, ...inner: Tree[]): Tree => ['a', { href }, ...inner]
const row = (...cells: Tree[][]): Tree => ['tr', ...cells.map((cell): Tree => ['td', ...cell])]
const picture = { src: 'https://e.com/a.png', alt: 'A cat' }

// biome-ignore format: a table reads best in columns
const either: [what: string, document: Tree[], markdown: string][] = [
  ['keys and output are code',           [['kbd', 'Ctrl'], ' ', ['samp', 'ok'], ' ', ['tt', 'x']], '`Ctrl` `ok` `x`'],
  ['code with backticks has more marks', [['code', 'a `b` ``c``']],                     '``` a `b` ``c`` ```'],
  ['code has its language',              [['pre', ['code', { class: 'hljs language-ts' }, 'a\n', 'b']]], '```ts\na\nb\n```'],
  ['a language is on the block, too',    [['pre', { class: 'lang-c++' }, ['code', 'a']]], '```c++\na\n```'],
  ['lines in code stay',                 [['pre', 'a', ['br'], 'b']],                   '```\na\nb\n```'],
  ['what opens is below its words',      ['a', ['details', ['summary', 'b'], 'c'], 'd'], 'a\n\nb\n\nc\n\nd'],
  ['no mark goes over a line',           [['b', 'a', ['br'], 'b']],                     'a\nb'],
  ['styles are marks',                   [['span', { style: 'font-weight:700;font-style: italic' }, 'a'], ['b', { style: 'font-weight:normal' }, 'b']], '***a***b'],
  ['an address is itself',               [link('mailto:a@e.com', 'a@e.com'), ' ', link('https://e.com/', 'https://e.com')], 'a@e.com https://e.com/'],
  ['a link without words is none',       ['a', link('https://e.com', ' '), 'b'],        'ab'],
  ['nothing is between items',           [['ul', 'x', ['br'], ['li', 'a'], ['hr'], ['li'], ['li', 'b']]], '* a\n* ---\n*\n* b'],
  ['all blocks of code of a row stay',   [['table', row([['pre', 'a']], [['pre', 'b']])]], '```\na\n```\n\n```\nb\n```'],
]

// biome-ignore format: a table reads best in columns
const both: [what: string, document: Tree[], plain: string, rich: string][] = [
  ['a heading',        [['h3', 'a ', ['i', 'b'], ['br'], 'c']], 'a *b*\nc', '### a *b* c'],
  ['an empty heading', ['a', ['h2', ' ']],        'a', 'a'],
  ['a picture',        [['img', picture]],        '', '[A cat](https://e.com/a.png)'],
  ['a picture in a link', [link('https://e.com', ['img', picture])], '', '[A cat](https://e.com)'],
  ['a picture of an emoji', ['a ', ['img', { class: 'emoji', alt: '🐙' }], ['img', { alt: ':octopus:', src: 'https://e.com' }]], 'a', 'a 🐙:octopus:'],
  ['a picture of a page', ['a', ['img', { src: 'data:image/png,', alt: 'b' }]], 'a', 'a'],
  ['a table',          [['table', ['caption', 'All'], ['thead', row(['a'], ['b|c'])], row(['1']), row([['p', '2'], ['p', '3']], ['4'])]], 'All\n\na b|c\n1\n\n2\n\n3\n\n4', 'All\n\n| a | b\\|c |\n| --- | --- |\n| 1 | |\n| 2 3 | 4 |'],
  ['a table of one column', [['table', row(['a']), row(['b'])]], 'a\nb', 'a\nb'],
  ['a row of blocks',  [['table', row([['p', 'a'], ['p', 'b']], ['c'])]], 'a\n\nb\n\nc', '| a b | c |\n| --- | --- |'],
  ['a table around a table', [['table', row(['x'], [['table', row(['a'], ['b'])]])]], 'x\n\na b', 'x\n\n| a | b |\n| --- | --- |'],
  ['a table around code', [['table', row(['1'], [['pre', 'a']])]], '1\n\n```\na\n```', '1\n\n```\na\n```'],
]

test('elements are the same Markdown for mail and pasted text', () => {
  for (const [what, document, markdown] of either) {
    assert.equal(markdownOf(document, {}), markdown, what)
    assert.equal(markdownOf(document, { isRich: true }), markdown, `${what}, rich`)
  }
})

test('headings, tables and pictures stay where they are wanted', () => {
  for (const [what, document, plain, rich] of both) {
    assert.equal(markdownOf(document, {}), plain, what)
    assert.equal(markdownOf(document, { isRich: true }), rich, `${what}, rich`)
  }
})

test('lists begin with the wanted sign, and code in them continues their items', () => {
  const list: Tree = ['ul', ['li', 'a', ['ol', ['li', 'b', ['pre', 'c\nd']]]]]
  const markdown = '- a\n  1. b\n    ```\n    c\n    d\n    ```'
  assert.equal(markdownOf([list], { bullet: '-' }), markdown)
})

test('lists and quotes deeper than eight levels are paragraphs', () => {
  const nest = (levels: number): Tree => (levels === 0 ? 'x' : ['blockquote', nest(levels - 1)])
  assert.equal(markdownOf([nest(8)], {}), `${'> '.repeat(8)}x`)
  assert.equal(markdownOf([nest(9)], {}), `${'> '.repeat(8)}x`)
})

test('items are lines where they are deeper than lists are written, or in none', () => {
  const nest = (level: number): Tree =>
    level === 0 ? '' : ['ul', ['li', `a${level}`], ['li', `b${level}`, nest(level - 1)]]
  for (const levels of [8, 9, 11]) {
    const lines = markdownOf([nest(levels)], { isRich: true }).split('\n')
    const words = Array.from({ length: levels }, (_, i) => [`a${levels - i}`, `b${levels - i}`])
    assert.deepEqual(
      lines.map((line) => line.replace(/[* ]/g, '')),
      words.flat(),
    )
  }
  assert.equal(
    markdownOf(
      [
        ['li', 'a'],
        ['li', 'b'],
      ],
      {},
    ),
    'a\n\nb',
  )
  assert.equal(markdownOf([['menu', ['li', 'a'], ['li', 'b']]], {}), '* a\n* b')
})

test('a cell stands in the column where it begins, whatever cells are merged around it', () => {
  const random = createRandom(seed)
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  for (let round = 0; round < 200; round++) {
    const [height, width] = [1 + upTo(4), 1 + upTo(4)]
    const grid = Array.from({ length: height }, () => Array<string | undefined>(width))
    const rows: Tree[] = []
    for (const [y, line] of grid.entries()) {
      const cells: Tree[] = []
      for (let x = 0; x < width; x++) {
        if (line[x] !== undefined) continue
        const free = [...line.slice(x), ''].findIndex((other) => other !== undefined)
        // With one cell in each row, it would be no table.
        const across = x + y === 0 ? 1 : upTo(free)
        const down = upTo(height - y)
        for (const below of grid.slice(y, y + down)) below.fill('', x, x + across)
        line[x] = `${y}.${x}`
        cells.push(['td', { colspan: String(across), rowspan: String(down) }, `${y}.${x}`])
      }
      rows.push(['tr', ...cells])
    }
    const lines = markdownOf([['table', ...rows]], { isRich: true }).split('\n')
    // Nothing begins in a row that those above fill.
    const written = grid.filter((line) => line.some((words) => words !== ''))
    for (const [y, line] of written.entries()) {
      const cells = (lines[y === 0 ? 0 : y + 1] ?? '').split('|').slice(1, -1)
      for (const [x, words] of line.entries()) {
        assert.equal((cells[x] ?? '').trim(), words, JSON.stringify(rows))
      }
    }
  }
})

test('cells are a tab apart in plain text, and in their columns where some are empty or merged', () => {
  const cell = (words: string, colspan = '1'): Tree => ['td', { colspan }, ['b', words]]
  const table: Tree = [
    'table',
    ['tr', cell('first name'), cell('last name'), cell('sum')],
    ['tr', cell('Ada'), cell(''), cell('1')],
    ['tr', cell(''), cell('King'), cell('2')],
    ['tr', cell('all of them', '2'), cell('3')],
  ]
  const text = 'first name\tlast name\tsum\nAda\t\t1\n\tKing\t2\nall of them\t\t3'
  assert.equal(markdownOf(['a', table, 'b'], { isPlain: true }), `a\n\n${text}\n\nb`)
})

test('text outside code is escaped', () => {
  const style = { plain: (text: string) => text.replaceAll('*', '&#42;') }
  assert.equal(markdownOf(['*a* ', ['code', '*b* `']], style), '&#42;a&#42; `` *b* ` ``')
})

test('marks are longer than any in the text, however many there are', () => {
  assert.equal(longerMarks('a', 1), '`')
  assert.equal(longerMarks('`` ` ```', 1), '````')
  assert.equal(longerMarks('`', 3), '```')
  assert.equal(longerMarks('` '.repeat(300_000), 1), '``')
})

test('a table is not many times as long as its cells, however many they say that they merge', () => {
  const merged: readonly Record<string, string>[] = [
    {},
    { colspan: '50' },
    { rowspan: '50' },
    { colspan: '9', rowspan: '9' },
  ]
  for (const spans of merged) {
    const wide: Tree = ['tr', ...Array.from({ length: 500 }, (): Tree => ['td', spans, 'x'])]
    const tall = Array.from({ length: 500 }, (): Tree => ['tr', ['td', spans, 'y'], ['td', 'z']])
    const text = markdownOf([['table', wide, ...tall]], { isRich: true })
    assert.ok(text.length < 100 * 1500, `${JSON.stringify(spans)}: ${text.length}`)
  }
})
