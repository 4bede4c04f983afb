import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  channelLocalPart,
  parseMailAddress,
  redactAddress,
} from '#features/notifications/mail-gateway/addresses.ts'
import { contentOf, topicOf, wordsOf } from '#features/notifications/mail-gateway/body.ts'
import { markdownOf } from '#features/notifications/mail-gateway/html-markdown.ts'
import { stripReply } from '#features/notifications/mail-gateway/quotes.ts'
import { assertProportional } from '#test/support/limits/proportional.ts'
import { stepsOf } from '#test/support/limits/steps.ts'

const token = '0123456789abcdef0123456789abcdef'
const pattern = '%s@mail.example.com'

describe('addresses', () => {
  const none = { showSender: false, includeFooter: false, includeQuotes: false, preferHtml: false }
  const table: [string, ReturnType<typeof parseMailAddress>][] = [
    [`design.${token}@mail.example.com`, { kind: 'channel', token, options: none }],
    [`${token}@mail.example.com`, { kind: 'channel', token, options: none }],
    [`Design+${token.toUpperCase()}@MAIL.example.com`, { kind: 'channel', token, options: none }],
    [
      `design.${token}.show-sender+include-quotes@mail.example.com`,
      {
        kind: 'channel',
        token,
        options: { ...none, showSender: true, includeQuotes: true },
      },
    ],
    [
      `show-sender.prefer-html.include-footer.${token}@mail.example.com`,
      {
        kind: 'channel',
        token,
        options: { ...none, showSender: true, includeFooter: true, preferHtml: true },
      },
    ],
    [`mm${token}@mail.example.com`, { kind: 'reply', token }],
    [`a.b.${token}@mail.example.com`, null],
    [`${token}.design@mail.example.com`, null],
    ['postmaster@mail.example.com', null],
    [`mm${token}1@mail.example.com`, null],
    [`${token}@other.example.com`, undefined],
    [`${token}@evil.com@mail.example.com`, undefined],
    ['@mail.example.com', undefined],
  ]
  for (const [address, expected] of table) {
    test(`${address || 'nothing'}`, () => {
      assert.deepEqual(parseMailAddress(pattern, address), expected)
    })
  }

  test('of a channel begin with its name, as far as that can be in an address', () => {
    const names = ['Design', 'Café & bar', '設計', 'show-sender', 'a.b+c']
    assert.deepEqual(
      names.map((name) => channelLocalPart(name, 't')),
      ['design.t', 'cafe-bar.t', 't', 't', 'a-b-c.t'],
    )
  })

  test('are without their secret in the log', () => {
    assert.equal(redactAddress(`mm${token}@x`), 'mm…@x')
  })
})

describe('an answer, without the mail that it answers', () => {
  const table: [string, string, string][] = [
    [
      'of Gmail',
      'Yes, please.\n\nOn Sun, Nov 22, 2026 at 10:00 AM Ada Lovelace <\nada@example.com> wrote:\n\n> Shall we?\n> Ada\n',
      'Yes, please.',
    ],
    [
      'of Apple Mail',
      'Yes.\n\n> On 22 Nov 2026, at 10:00, Ada <ada@example.com> wrote:\n> \n> Shall we?\n',
      'Yes.',
    ],
    [
      'of Gmail in German',
      'Ja.\n\nAm So., 22. Nov. 2026 um 10:00 Uhr schrieb Ada <ada@example.com>:\n\n> Wollen wir?',
      'Ja.',
    ],
    [
      'of Outlook',
      'Yes.\n\n________________________________\nFrom: Ada <ada@example.com>\nSent: Sunday\nTo: Bob\nSubject: Plans\n\nShall we?',
      'Yes.',
    ],
    [
      'of Outlook on the desktop',
      'Yes.\n\nFrom: Ada <ada@example.com>\nSent: Sunday, November 22, 2026 10:00\nTo: Bob\n\nShall we?',
      'Yes.',
    ],
    ['of old Outlook', 'Yes.\n\n-----Original Message-----\nFrom: Ada\n\nShall we?', 'Yes.'],
    [
      'with words between the quotes stays',
      '> Shall we?\nYes.\n> When?\nNow.',
      '> Shall we?\nYes.\n> When?\nNow.',
    ],
    ['that says From: stays', 'From: here to there\nis far.', 'From: here to there\nis far.'],
    [
      'of Yahoo, which marks no lines',
      'Yes.\n\nOn Sunday, November 22, 2026 10:00 AM, Ada <ada@example.com> wrote:\n\nShall we?\nAda',
      'Yes.',
    ],
    [
      'of Outlook on phones',
      'Yes.\n\nOn 22 Nov 2026, at 10:00, Ada Lovelace\n<ada@example.com<mailto:ada@example.com>>\nwrote:\n\nShall we <b> ?',
      'Yes.',
    ],
    [
      'that quotes the words of others itself stays',
      'On Monday at 10:00 we meet, as she wrote:\n\nAll of you.',
      'On Monday at 10:00 we meet, as she wrote:\n\nAll of you.',
    ],
    [
      'that says who gets what stays',
      'Send these to Ada <ada@example.com>:\n\nThe plans of 2026.',
      'Send these to Ada <ada@example.com>:\n\nThe plans of 2026.',
    ],
    [
      'below the attribution stays',
      'On 22 Nov 2026, Ada <ada@example.com> wrote:\n> Shall we?\n\nYes.',
      'On 22 Nov 2026, Ada <ada@example.com> wrote:\n> Shall we?\n\nYes.',
    ],
    ['with nothing else is empty', '> Shall we?', ''],
    ['that ends with a colon stays', 'My list:\n\n> a\n', 'My list:'],
  ]
  for (const [what, text, expected] of table) {
    test(what, () => assert.equal(stripReply(text), expected))
  }
})

describe('what a mail says', () => {
  const only = { includeQuotes: false, includeFooter: false }
  test('is all of its own above a quote that its last lines follow', () => {
    const text = 'Yes.\n\nOn 22 Nov 2026, Ada <ada@example.com> wrote:\n> Shall we?\n\n-- \nBob\n'
    assert.equal(wordsOf(text, only), 'Yes.')
  })

  test('ends at its only line of two hyphens', () => {
    assert.equal(wordsOf('Hi.\n-- \nAda\nChief', only), 'Hi.')
    assert.equal(wordsOf('Hi.\n--\nAda\n--\nChief', only), 'Hi.\n--\nAda\n--\nChief')
    assert.equal(wordsOf('Hi.\n--\nAda', { ...only, includeFooter: true }), 'Hi.\n--\nAda')
  })

  test('has no NUL and no broken characters', () => {
    assert.equal(wordsOf('a\0b\ud800\r\nc', only), 'ab\ufffd\nc')
  })

  test('is cut where it is too long, before the links', () => {
    const content = contentOf('x'.repeat(100), ['**From:** a@b.c'], ['[f](/u)'], 80)
    assert.equal([...content].length, 80)
    assert.match(content, /^\*\*From:\*\* a@b\.c\nx+\n\[message truncated\]\n\n\[f\]\(\/u\)$/)
    assert.equal(contentOf('', [], [], 80), '(No email body)')
    assert.equal(contentOf('', [], ['[f](/u)'], 80), '[f](/u)')
  })

  const subjects: [string, string][] = [
    ['Re: RE[2]: AW: Fwd: Plans', 'Plans'],
    ['Regarding: plans', 'Regarding: plans'],
    ['a\u0000\u202eb\u200b c', 'a b c'],
    ['  ', 'Email with no subject'],
    ['Re:', 'Email with no subject'],
    [`${'🦑'.repeat(70)}`, '🦑'.repeat(60)],
  ]
  for (const [subject, topic] of subjects) {
    test(`has the topic of ${JSON.stringify(subject.slice(0, 30))}`, () => {
      assert.equal(topicOf(subject, 60), topic)
    })
  }
})

describe('HTML as Markdown', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, string, string][] = [
    ['paragraphs and lines', '<html><head><title>t</title></head><body><p>One<br>two</p><div>Three</div></body>', 'One\ntwo\n\nThree'],
    ['marks', '<b> bold </b><i>it</i> <s>x</s> <code>c</code><h1>Head</h1>', '**bold** *it* ~~x~~ `c`\n\n**Head**'],
    ['links', '<a href="https://e.com/(x) y">it</a> <a href="https://e.com">https://e.com</a> <a href="javascript:x()">j</a>', '[it](https://e.com/%28x%29%20y) https://e.com j'],
    ['lists', '<ol start="3"><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '3. a\n  * b\n4. c'],
    ['quotes and code', '<blockquote><p>q</p></blockquote><pre>a\n  b</pre>', '> q\n\n```\na\n  b\n```'],
    ['tables', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['nothing that runs, no pictures', '<style>x</style>a<script>alert(1)</script><img src="https://t/p.gif" alt="x"><p style="display:none">no</p>', 'a'],
    ['elements without their ends', '<ul><li>a<li>b</ul><p>c<p>d<table><tr><td>e<td>f<tr><td>g</table>h', '* a\n* b\n\nc\n\nd\n\ne f\ng\n\nh'],
    ['ends that nothing began', 'a</div></p></b></li></td></blockquote>b<br></br>c', 'ab\n\nc'],
    ['ends in another order', '<div><span><div>a</span>b</div>c</div><b>d<i>e</b>f</i>', 'ab\n\nc\n\n**d*e***f'],
    ['a list between items', '<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>', '* a\n  * b\n* c'],
    ['code in quotes and lists', '<blockquote>q<pre>a\n\nb ``` c</pre></blockquote><ul><li>x<pre>y\nz</pre></li></ul>', '> q\n>\n> ````\n> a\n>\n> b ``` c\n> ````\n\n* x\n  ```\n  y\n  z\n  ```'],
    ['nothing in pictures and formulas', 'a<svg><style>p<b/></style><text>b</text></svg>c<math><mi>x</mi></math><svg/>d', 'acd'],
    ['text after a picture without an end', '<svg><path><p>a', 'a'],
    ['no hidden text, however it ends', '<p style="DISPLAY : none">no<p>a<div hidden style="x:y;display:none"><div>no</div>no</div>b', 'a\n\nb'],
    ['character references', '&lt;b&gt; &amp;amp; &eacute;&#8364;&nbsp;&unknown;', '<b> &amp; é€ &unknown;'],
    ['comments and doctypes', '<!DOCTYPE html><!-- <p>no</p> -->a<!--[if mso]><p>no</p><![endif]-->b<?xml x?>', 'ab'],
    ['text where only rows may be', '<table>a<tr><td>b</td></tr></table>', 'ab'],
    ['two documents', '<html><body>a</body></html>\n<html><head><title>t</title></head><body>b</body></html>', 'a b'],
    ['not what Gmail quotes', '<div>Yes</div><div class="gmail_quote"><div class="gmail_attr">On … wrote:</div><blockquote>Old</blockquote></div>', 'Yes'],
    ['not what Outlook quotes', '<p>Yes</p><div id="divRplyFwdMsg">From</div><p>Old</p>', 'Yes'],
    ['not what Apple Mail quotes', '<div>Yes<br><blockquote type="cite">Old</blockquote></div>', 'Yes'],
  ]
  for (const [what, html, expected] of table) {
    test(what, async () => assert.equal(await markdownOf(html, false), expected))
  }

  test('is read in pieces, wherever these end', async () => {
    for (let start = 16_384 - 40; start < 16_384; start++) {
      const before = 'x'.repeat(start)
      const html = `${before}<p title="&amp;">a &eacute; \u{1f991}<b>c</b></p><!-- d -->`
      assert.equal(await markdownOf(html, false), `${before}\n\na é \u{1f991}**c**`)
    }
  })

  test('with quotes, if they are wanted', async () => {
    assert.equal(await markdownOf('a<blockquote type="cite">b</blockquote>', true), 'a\n\n> b')
  })

  const formattedParagraphs = (count: number) => {
    const formatting = Array.from({ length: count }, (_, i) => `<b a=${i}>`)
    return `<p>${formatting.join('')}${'<p>x'.repeat(count)}`
  }
  const manyNames = (count: number) =>
    Array.from({ length: count }, (_, i) => i.toString(36)).join(' ')
  const hostile = (share: number): [string, () => unknown][] => {
    const of = (most: number) => Math.ceil(share * most)
    return [
      ['very deep', () => markdownOf('<div><b>'.repeat(of(20_000)), false)],
      [
        'formatting that every paragraph opens again',
        () => markdownOf(formattedParagraphs(of(40_000)), false),
      ],
      ['many attributes', () => markdownOf(`<p ${manyNames(of(40_000))}>x`, false)],
      [
        'ends without a beginning',
        () => markdownOf(`${'<div>'.repeat(of(20_000))}${'</p>'.repeat(of(25_000))}`, false),
      ],
      ['cells in cells', () => markdownOf('<table><tr><td>a'.repeat(of(12_000)), false)],
      ['links in links', () => markdownOf('<a href="https://e.com">a'.repeat(of(8000)), false)],
      [
        'backticks in a block of code',
        () => markdownOf(`<pre>${'` '.repeat(of(90_000))}x</pre>`, false),
      ],
      ['entities', () => markdownOf('&amp;&notin;&#x41;'.repeat(of(11_000)), false)],
      [
        'many quotes in each other',
        () => markdownOf(`${'<blockquote>a<br>'.repeat(of(20_000))}`, false),
      ],
      [
        'many lists in each other',
        () => markdownOf(`${'<ul><li>a<br>b'.repeat(of(20_000))}`, false),
      ],
      ['blanks in code', () => markdownOf(`<code>${' '.repeat(of(300_000))}x</code>`, false)],
      [
        'blanks in a block of code',
        () => markdownOf(`<pre>a${' '.repeat(of(300_000))}x</pre>`, false),
      ],
      ['deep blanks', () => markdownOf(`${'<b>'.repeat(200)}a${' '.repeat(of(300_000))}x`, false)],
      ['lines before a bold word', () => markdownOf(`<b>${'<br>'.repeat(of(70_000))}x</b>`, false)],
      ['fences without an end', () => markdownOf('a```<br>'.repeat(of(40_000)), false)],
      [
        'headers, each with other lines after it',
        () => stripReply('From: a\nb\n'.repeat(of(100_000))),
      ],
      ['headers before empty lines', () => stripReply(`${'From: a\n\n\n\n'.repeat(of(100_000))}`)],
      [
        'rules before empty lines',
        () => stripReply(`${'_'.repeat(20)}\n`.repeat(of(10_000)) + '\n'.repeat(of(100_000))),
      ],
      ['empty lines', () => stripReply(`x${'\n'.repeat(of(200_000))}x`)],
      ['blanks between headers', () => stripReply(`From: a\n${'\n'.repeat(of(100_000))}b`)],
      ['many short lines', () => stripReply('a\n'.repeat(of(100_000)))],
      ['many quotes', () => stripReply('> a\n'.repeat(of(100_000)))],
      ['a subject of blanks', () => topicOf(`${' '.repeat(of(1000))}re`, 60)],
    ]
  }
  const halves = new Map(hostile(1 / 40))
  for (const [what, whole] of hostile(1 / 20)) {
    test(`is not endless work: ${what}`, async () => {
      const half = halves.get(what)
      assert.ok(half)
      assertProportional(what, await stepsOf(half), await stepsOf(whole))
    })
  }
})
