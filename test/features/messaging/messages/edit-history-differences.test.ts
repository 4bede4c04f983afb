import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Diff } from 'diff'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { newDiffBudget } from '#features/messaging/messages/edit-history/differences.ts'
import { htmlDifference } from '#features/messaging/messages/edit-history/html-difference.ts'
import { authorLookups } from '#features/messaging/messages/lookups.queries.ts'
import { render } from '#platform/markdown/render.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { store } = server.server.context
const lookups = authorLookups(store, findUser(store, server.ids.member) as User, server.url)
const htmlOf = (markdown: string) => render(markdown, lookups).html

const words = (count: number, word: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => word(i)).join(' ')

const deleted = '<span class="highlight_text_deleted">'
const inserted = '<span class="highlight_text_inserted">'

/** The HTML with the spans of one kind replaced: they contain no spans of either kind. */
function withSpans(html: string, opening: string, replace: (inside: string) => string): string {
  const [first = '', ...others] = html.split(opening)
  return others.reduce((done, part) => {
    let depth = 1
    for (const tag of part.matchAll(/<(\/?)span\b[^>]*>/g)) {
      depth += tag[1] ? -1 : 1
      if (depth > 0) continue
      return done + replace(part.slice(0, tag.index)) + part.slice(tag.index + tag[0].length)
    }
    throw new Error(`A span has no end: ${part}`)
  }, first)
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>|\s/g, '')
const side = (html: string, shown: string, gone: string) =>
  withSpans(
    withSpans(html, shown, (inside) => inside),
    gone,
    () => '',
  )

/** Checks that a difference shows the later message in its form, and the words of the earlier. */
function assertShowsBoth(html: string, before: string, later: string): void {
  assert.equal(side(html, inserted, deleted), `<div>${later}</div>`)
  assert.equal(textOf(side(html, deleted, inserted)), textOf(before))
}

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

describe('what changed between two messages', () => {
  // biome-ignore format: a table reads best in columns
  const table: [before: string, after: string, shown: string][] = [
    ['one two three',    'one 2 three',      '<p>one [-two][+2] three</p>'],
    ['one',              'one more',         '<p>one[+ more]</p>'],
    ['one more',         'one',              '<p>one[- more]</p>'],
    ['foo bar',          'foo barbaz',       '<p>foo [-bar][+barbaz]</p>'],
    ['a\nb\nc',          'a\nc',             '<p>a<br>\n[-b<br>\n]c</p>'],
    ['a < b',            'a > b',            '<p>a [-&lt;][+&gt;] b</p>'],
    ['今日は晴れ',        '今日は雨',          '<p>今日は[-晴れ][+雨]</p>'],
    ['so **very** good', 'so very good',     '<p>so [-<strong>very</strong>][+very] good</p>'],
    ['**so very good**', '**so good**',      '<p><strong>so [-very ]good</strong></p>'],
    ['[one](/a) two',    '[one](/b) two',
     '<p>[-<a href="/a">one</a>]<a href="/b">[+one]</a> two</p>'],
    ['a\n\nb',           'a\n\nc',           '<p>a</p>\n<p>[-b][+c]</p>'],
    ['a\n\nb\n\nc',      'a\n\nc',           '<p>a[-<br>b]</p>\n<p>c</p>'],
    ['a\n\nb',           'b',                '<p>[-a<br>]b</p>'],
    ['b',                'a\n\nb',           '<p>[+a]</p>\n<p>b</p>'],
    ['* a\n* b',         '* a\n* c',          '<ul>\n<li>a</li>\n<li>[-b][+c]</li>\n</ul>'],
    ['# Title',          'Title',            '<p>[-Title][+Title]</p>'],
  ]
  for (const [before, later, shown] of table) {
    test(`from ${JSON.stringify(before)} to ${JSON.stringify(later)}`, () => {
      const html = htmlDifference(htmlOf(before), htmlOf(later), newDiffBudget())
      const short = withSpans(html, deleted, (inside) => `[-${inside}]`)
      assert.equal(
        withSpans(short, inserted, (inside) => `[+${inside}]`),
        `<div>${shown}</div>`,
      )
    })
  }

  const parts = [
    'plain words here',
    '**bold** and *slanted* and ~~gone~~',
    '[a link](https://example.org/a) :smile:',
    '@**King Hamlet** in #**Denmark** at <time:2026-03-07T15:00:00Z>',
    '$$x^2$$ & `code < x`',
    '* one\n* two\n  * three',
    '> quoted\n>\n> twice',
    '```python\ndef f(x):\n  return x\n```',
    '| a | b |\n|---|---|\n| c | d |',
    '```spoiler head\ninside\n```',
    '# Title',
    '---',
  ]
  const messages = parts.flatMap((part, i) => [
    part,
    `first\n\n${part}\n\nlast`,
    `${part}\n\n${parts[(i * 5 + 3) % parts.length]}`,
    part.replaceAll(/[aeo]/g, 'u'),
  ])
  test('shows the later one in its form and every word of the earlier, whatever they contain', () => {
    for (const before of messages.map(htmlOf)) {
      for (const later of messages.map(htmlOf)) {
        assertShowsBoth(htmlDifference(before, later, newDiffBudget()), before, later)
      }
    }
  })

  test('never puts a link into a link', () => {
    const [before, later] = ['[one two three](/a)', '[one three four](/b)'].map(htmlOf)
    const html = htmlDifference(before ?? '', later ?? '', newDiffBudget())
    assert.doesNotMatch(html, /<a [^>]*>(?:(?!<\/a>).)*<a /)
  })

  test('takes HTML that is no HTML for text', () => {
    const broken = ['<p>a</b> <', '</p><em>b', '<span class="katex">x', '<pre>\n</pre></pre>']
    for (const before of broken) {
      for (const later of broken) {
        const html = htmlDifference(before, later, newDiffBudget())
        assert.ok(html.startsWith('<div>'))
      }
    }
  })
})

describe('messages that cost too much to compare', () => {
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
    test(`${name}: a hundred versions cost no more than a few ordinary ones`, () => {
      const ordinary = comparisons(() =>
        htmlDifference(
          words(700, () => 'a'),
          words(700, () => 'b'),
          newDiffBudget(),
        ),
      )
      const budget = newDiffBudget()
      const spent = comparisons(() => {
        for (let i = 0; i < 100; i++) {
          const [old, now] = i % 2 ? [before, later] : [later, before]
          assertShowsBoth(htmlDifference(old, now, budget), old, now)
        }
      })
      assert.ok(budget.steps >= 0)
      assert.ok(spent < 10 * ordinary, `${spent} comparisons, and ${ordinary} of ordinary texts`)
    })
  }

  test('keep what is the same before the first change and after the last', () => {
    const [before, later] = [words(4000, () => 'a'), words(4000, () => 'b')]
    assert.equal(
      htmlDifference(`first ${before} last`, `first ${later} last`, { steps: 0 }),
      `<div>first ${deleted}${before}</span>${inserted}${later}</span> last</div>`,
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
    `<div><p>${deleted}${words(5000, () => 'a')}</span>` +
      `${inserted}${words(5000, () => 'b')}</span></p></div>`,
  )
})
