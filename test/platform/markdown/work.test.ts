import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { topicLinks } from '#platform/markdown/topic-links.ts'
import { pathological } from '#test/bench/pathological.ts'
import { assertProportional } from '#test/support/limits/proportional.ts'
import { stepsOf } from '#test/support/limits/steps.ts'
import { html } from './markdown.ts'

const lengths = [2000, 4000]
const linkifiers = [
  { id: 1, pattern: '(a+)+#(?P<id>[0-9]+)', urlTemplate: 'https://x.example/{id}' },
]

/** Renders a repetition, and one that is twice as long. */
async function assertLinear(part: string, source = (text: string) => text): Promise<void> {
  const steps: number[] = []
  for (const length of lengths) {
    const text = source(part.repeat(Math.ceil(length / part.length)).slice(0, length))
    const show = () => html(text, { linkifiers, translateEmoticons: true })
    steps.push(await stepsOf(show))
  }
  const [half = 0, whole = 0] = steps
  assertProportional(source(part), half, whole)
}

test('no repetition makes the renderer look at the same place over and over', async () => {
  for (const part of pathological) await assertLinear(part)
})

test('code in any language is marked up without searching far ahead', async () => {
  const languages = ['c++', 'csharp', 'java', 'js', 'ts', 'sql', 'markdown', 'haskell', 'ini']
  for (const language of languages) {
    for (const part of ['a', '$', '(', '"', 'a b ', '\n', '{', '<a>', '0x']) {
      await assertLinear(part, (text) => `\`\`\`${language}\n${text}\n\`\`\``)
    }
  }
})

test('what formulas define does not grow without bound', () => {
  const grow =
    '\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c\\c\\c'
  assert.match(html(`$$${grow}$$`), /tex-error/)
  assert.match(html(`$$${'{'.repeat(200)}x${'}'.repeat(200)}$$`), /tex-error/)
  assert.match(html('$$\\def\\half{\\frac{1}{2}}\\half+\\half$$'), /class="katex"/)
})

test('linkifiers that do not match cost a page of topics next to nothing', async () => {
  const unused = Array.from({ length: 1000 }, (_, i) => ({
    ...{ id: i, pattern: `unused${i}-(?P<id>[0-9]+)`, urlTemplate: 'https://x.example/{id}' },
  }))
  const topics = Array.from({ length: 100 }, (_, i) => `about ${i}`)
  const steps = await stepsOf(() =>
    topics.map((topic) => topicLinks(topic, { linkifiers: unused })),
  )
  // One look through each topic for each linkifier.
  const signs = topics.join('').length * unused.length
  assert.ok(steps < 1.5 * signs, `${steps} steps for ${signs} signs`)
})

test('a message with more math than one message needs shows the rest as code', () => {
  const shown = html('$$\\frac{1}{2}+a$$ '.repeat(300))
  assert.match(shown, /^<p><span class="katex">/)
  assert.match(shown, /<code>\$\$\\frac\{1\}\{2\}\+a\$\$<\/code> *<\/p>$/)
})

describe('what is short to write and long to show stays text beyond what one message may have', () => {
  const numbers = [
    { id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://x.example/a/long/way/{id}' },
  ]
  for (const [what, source] of Object.entries({
    'emoji as characters': '🎉',
    'emoji by name': ':a: ',
    emoticons: ':) ',
    'custom emoji': ':green_tick: ',
    linkifiers: '#1 ',
    formulas: '$$\\frac{a}{b}$$ ',
    'cells of a table': `|a|b|\n|:-:|:-:|\n${'|a|b|\n'.repeat(60)}\n`,
    'bits of a fence': '```js\n(){}[];\n```\n',
    'links without a scheme': 'a.co ',
    mentions: '@**Othello|10** ',
    'spoilers and quotes': '> * *a*\n\n',
    times: '<time:2026-01-01T10:00:00Z> ',
  })) {
    test(what, () => {
      const long = [...source.repeat(10_000)].slice(0, 10_000).join('')
      const shown = html(long, { linkifiers: numbers, translateEmoticons: true })
      assert.ok(shown.length <= 120_000, String(shown.length))
    })
  }

  test('the rest of the text is there', () => {
    assert.match(html('🎉'.repeat(10_000)), /^<p><span aria-label.*<\/span>🎉{9000,}<\/p>$/u)
    assert.match(
      html('#1 '.repeat(3000), { linkifiers: numbers }),
      /^<p><a .*<\/a>( #1){500,} *<\/p>$/,
    )
  })
})

test('text nested deeper than anyone writes stays text', () => {
  assert.match(html(`${'>'.repeat(100)}a`), /<p>(?:&gt;)+a<\/p>/)
  assert.match(html(`${'* '.repeat(100)}a`), /\* \* a<\/li>/)
})
