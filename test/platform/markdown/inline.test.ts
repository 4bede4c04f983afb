import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { html, rendered } from './markdown.ts'

type Row = [what: string, source: string, expected: string]

/** Compares the inside of the one paragraph that each source gives. */
function each(rows: readonly Row[]): void {
  for (const [what, source, expected] of rows) {
    test(what, () => assert.equal(html(source), `<p>${expected}</p>`))
  }
}

describe('emphasis', () => {
  each([
    ['is one star', 'a *b c* d', 'a <em>b c</em> d'],
    ['strong is two', '**a b**', '<strong>a b</strong>'],
    ['three are both', '***a***', '<strong><em>a</em></strong>'],
    ['two tildes delete', '~~a b~~', '<del>a b</del>'],
    ['underscores are text', '_a_ __b__', '_a_ __b__'],
    ['stars between spaces are text', '2 * 3 * 4', '2 * 3 * 4'],
    ['emphasis does not begin or end with a space', '*a * * b*', '*a * * b*'],
    ['strong and deleted text may', '** a ** ~~ b ~~', '<strong> a </strong> <del> b </del>'],
    ['within a word', 'un*believ*able', 'un<em>believ</em>able'],
    [
      'nests',
      '*a **b** c* **d *e* ~~f~~**',
      '<em>a <strong>b</strong> c</em> <strong>d <em>e</em> <del>f</del></strong>',
    ],
    ['ends with its line', '*a\nb* **c\nd**', '*a<br>\nb* **c<br>\nd**'],
    ['is not three tildes', 'a ~~~b~~~', 'a ~~~b~~~'],
    ['cannot be empty', 'a **** ~~~~', 'a **** ~~~~'],
    ['a backslash escapes nothing', '\\*a\\*', '\\<em>a\\</em>'],
    [
      'goes around other constructs, never through them',
      '*a `b*` [c*](x.org)*',
      '<em>a <code>b*</code> <a href="http://x.org">c*</a></em>',
    ],
  ])
})

describe('code', () => {
  each([
    ['is between backticks', 'a `b` c', 'a <code>b</code> c'],
    ['keeps its spaces', '` a  b `', '<code> a  b </code>'],
    ['holds backticks within more of them', '`` a ` b ``', '<code> a ` b </code>'],
    [
      'is not rendered',
      '`*a* <b> &amp; :tada: @**all**`',
      '<code>*a* &lt;b&gt; &amp;amp; :tada: @**all**</code>',
    ],
    ['may run over a line end', '`a\nb`', '<code>a\nb</code>'],
    ['needs its end', '`a', '`a'],
    ['is not opened after a backslash', '\\`a`', '\\`a`'],
  ])
})

describe('HTML in the source', () => {
  each([
    [
      'is text',
      '<b onclick="x">a</b><!-- c -->',
      '&lt;b onclick="x"&gt;a&lt;/b&gt;&lt;!-- c --&gt;',
    ],
    [
      'except for its entities',
      '&copy; &lt; &#169; &#xA9; & &; &a b;',
      '&copy; &lt; &#169; &#xA9; &amp; &amp;; &amp;a b;',
    ],
  ])
})

describe('emoji', () => {
  const span = (code: string, name: string, title = name) =>
    `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`
  const octopus = span('1f419', 'octopus')
  each([
    ['by name', ':octopus:', octopus],
    [
      'by another name keep it',
      ':thumbs_up: :+1:',
      `${span('1f44d', 'thumbs_up', 'thumbs up')} ${span('1f44d', '+1')}`,
    ],
    ['by characters have the canonical name', '🐙👍', octopus + span('1f44d', '+1')],
    [
      'with or without a variation selector',
      '❤ ❤️',
      `${span('2764', 'heart')} ${span('2764', 'heart')}`,
    ],
    [
      'of several characters',
      '🤷‍♀️ 1️⃣',
      `${span('1f937-200d-2640', 'woman_shrugging', 'woman shrugging')} ${span('0031-20e3', 'one')}`,
    ],
    ['that are unknown stay whole', '🐙‍🐙 👍🏽 ©', '🐙‍🐙 👍🏽 ©'],
    ['next to text', 'a:octopus:b:octopus::octopus:', `a${octopus}b${octopus}${octopus}`],
    ['unknown names are text', ':nothing: 10:30:45 a::b', ':nothing: 10:30:45 a::b'],
    [
      'not in addresses',
      'x.org/:octopus:/a',
      '<a href="http://x.org/:octopus:/a">x.org/:octopus:/a</a>',
    ],
    [
      'of the organization',
      ':blob:',
      '<img alt=":blob:" class="emoji" src="/user_avatars/2/emoji/images/1.png" title="blob">',
    ],
    [
      'of this server',
      ':zulip:',
      '<img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip">',
    ],
  ])

  const smile = span('1f642', 'smile')
  const emoticons: Row[] = [
    ['emoticons', ':)', smile],
    ['beside punctuation', '!:)? ":)"', `!${smile}? "${smile}"`],
    ['in emphasis', '**:)**', `<strong>${smile}</strong>`],
    [
      'not in words, addresses or code',
      'a:) http://x.org `:)`',
      'a:) <a href="http://x.org">http://x.org</a> <code>:)</code>',
    ],
  ]
  for (const [what, source, expected] of emoticons) {
    test(`${what}, for who wants them translated`, () => {
      assert.equal(html(source, { translateEmoticons: true }), `<p>${expected}</p>`)
    })
  }
  each([['emoticons are text for who does not', ':) <3', ':) &lt;3']])
})

describe('times', () => {
  const time = (moment: string, text: string) => `<time datetime="${moment}">${text}</time>`
  const moments: [source: string, moment: string][] = [
    ['2026-03-07T15:00:00-08:00', '2026-03-07T23:00:00Z'],
    ['2026-03-07 15:00', '2026-03-07T15:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['1496774552', '2017-06-06T18:42:32Z'],
    ['Jun 5th 2017, 10:30PM IST', '2017-06-05T17:00:00Z'],
    ['Sunday, 31 December 2017 at 12 am', '2017-12-31T00:00:00Z'],
  ]
  each(moments.map(([text, moment]) => [text, `<time:${text}>`, time(moment, text)]))
  const wrong = [
    'tomorrow',
    '2023-02-29',
    '2024-01-01T25:00',
    '99999999999999',
    '**a**',
    '1 Foo 2020',
  ]
  each(
    wrong.map((text) => [
      `${text} is none`,
      `<time:${text}>`,
      `<span class="timestamp-error">Invalid time format: ${text}</span>`,
    ]),
  )
  each([['not closed are text', '<time:2024-02-29', '&lt;time:2024-02-29']])
})

describe('math', () => {
  test('is typeset, with its source for clients that typeset themselves', () => {
    const shown = html('a $$x^2$$ b')
    assert.match(shown, /^<p>a <span class="katex"><span class="katex-mathml"><math /)
    assert.match(shown, /<annotation encoding="application\/x-tex">x\^2<\/annotation>/)
  })
  test('in a fence, each part after a blank line by itself', () => {
    const shown = html('```math\nx\n\ny\n```')
    assert.match(
      shown,
      /^<p><span class="katex-display">.*<\/span>\n\n<span class="katex-display">.*<\/p>$/,
    )
  })
  test('loads, links and runs nothing', () => {
    const shown = html('$$\\href{javascript:alert(1)}{x} \\includegraphics{http://x.org/y.png}$$')
    assert.doesNotMatch(shown, /href=|src=/)
  })
  each([
    [
      'with an error is shown as it is',
      '$$\\frac{"<b>$$',
      '<span class="tex-error">$$\\frac{"&lt;b&gt;$$</span>',
    ],
    ['money is none', '$5 and $$6, a$$b$$', '$5 and $$6, a$$b$$'],
    ['does not begin with _ or run over a line end', '$$_$$ $$a\nb$$', '$$_$$ $$a<br>\nb$$'],
  ])
})

test('what people read is collected without code blocks and math', () => {
  const source =
    '# Head\n*a*`code`b [link](x.org) @**Desdemona** $$x$$ https://y.org\n\n> quoted\n```\ncode\n```\n|c|\n|-|\n|d|'
  const words = rendered(source).text.match(/[\w:/.]+/g)
  assert.deepEqual(words, [
    'Head',
    'a',
    'code',
    'b',
    'link',
    'Desdemona',
    'https://y.org',
    'quoted',
    'c',
    'd',
  ])
})

test('a status message begins with /me and has only paragraphs', () => {
  assert.equal(rendered('/me waves').isMe, true)
  assert.equal(rendered('/me').isMe, false)
  assert.equal(rendered('I /me').isMe, false)
  assert.equal(rendered('/me waves\n* a').isMe, false)
})
