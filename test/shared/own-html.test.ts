import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from '#platform/markdown/languages.ts'
import { createMarkdownWriter } from '#shared/markdown-writer.ts'
import { html } from '../platform/markdown/markdown.ts'
import { writeHtml } from '../support/html-tree.ts'
import { combinations, constructs } from '../support/markdown-constructs.ts'

function markdownOf(source: string, style: { isPlain?: boolean } = {}): string {
  const writer = createMarkdownWriter({ bullet: '-', isRich: !style.isPlain, ...style })
  writeHtml(html(source), writer)
  return writer.finish()
}

/** What only the client's copy says, and strong text in strong text, which Markdown does not have. */
const untold = /\b(?:systemGroup|title|loose)\b|strong\((?:\w+\()*strong/

test('the HTML of every construct, nested two deep, becomes Markdown with the same HTML', () => {
  const different: string[] = []
  for (const [name, source] of combinations()) {
    if (untold.test(name)) continue
    const written = markdownOf(source)
    if (html(written) !== html(source)) different.push(`${name}: ${JSON.stringify(written)}`)
  }
  assert.deepEqual(different, [])
})

/** Constructs with several spellings. The writer knows one of them. */
const otherSpellings = new Set(
  `silentInactive emojiCharacter fencedQuote alias tildes badTime pictureAddress systemGroup title
  loose doubleTicks`.split(/\s+/),
)

test('most constructs become exactly the source that they were written as', () => {
  const different = Object.entries(constructs).filter(([, source]) => markdownOf(source) !== source)
  assert.deepEqual(
    different.map(([name]) => name).filter((name) => !otherSpellings.has(name)),
    [],
  )
})

test('plain text keeps the marks of lists and quotes, and no others', () => {
  const plain = (source: string) => markdownOf(source, { isPlain: true })
  assert.equal(plain('**a** `b` [c](https://e.com) @**Desdemona**'), 'a b c @Desdemona')
  assert.equal(plain('- a\n- **b**\n  1. c'), '- a\n- b\n  1. c')
  assert.equal(plain('> a\n> *b*'), '> a\n> b')
  assert.equal(plain('```js\nlet a\n  b()\n```'), 'let a\n  b()')
  assert.equal(plain('so $$x^2$$'), 'so x^2')
})

test('a mail cannot mention anyone by an element of the client', () => {
  const writer = createMarkdownWriter()
  writeHtml('<p><span class="user-mention" data-user-id="8">@Desdemona</span></p>', writer)
  assert.equal(writer.finish(), '@Desdemona')
})

test('the word that begins code names each language that the renderer shows', () => {
  for (const word of [
    'js',
    'py',
    'py2',
    'text',
    'c++',
    'c#',
    'psql',
    'tsql',
    'vim',
    'nginx',
    'bat',
  ]) {
    const written = markdownOf(`\`\`\`${word}\nx\n\`\`\``)
    const [, again = ''] = /^```(\S+)\n/.exec(written) ?? []
    assert.equal(languageOf(again)?.name, languageOf(word)?.name, word)
  }
})
