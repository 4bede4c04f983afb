import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { html } from './markdown.ts'

type Row = [what: string, source: string, expected: string]

function each(rows: readonly Row[]): void {
  for (const [what, source, expected] of rows) {
    test(what, () => assert.equal(html(source), expected))
  }
}

describe('paragraphs', () => {
  each([
    ['nothing gives nothing', '', ''],
    ['blank lines give nothing', ' \n\t\n', ''],
    ['a line break stays a line break', 'a\nb', '<p>a<br>\nb</p>'],
    ['line ends of any system are the same', 'a\r\nb\rc', '<p>a<br>\nb<br>\nc</p>'],
    ['blank lines part paragraphs', 'a\n\n \nb', '<p>a</p>\n<p>b</p>'],
    ['space before the first line goes, before later ones stays', '  a\n  b', '<p>a<br>\n  b</p>'],
    ['a tab is as wide as four columns', 'a\tb', '<p>a   b</p>'],
    ['control characters go', 'a\u0000\u0002b', '<p>ab</p>'],
    ['/me is text', '/me waves', '<p>/me waves</p>'],
  ])
})

describe('headings and rules', () => {
  each([
    ['of six levels', '# a\n###### b', '<h1>a</h1>\n<h6>b</h6>'],
    ['not of seven', '####### a', '<p>####### a</p>'],
    ['need a space', '#a', '<p>#a</p>'],
    ['begin the line', ' # a', '<p># a</p>'],
    ['may be closed', '## a ##', '<h2>a</h2>'],
    ['keep a sharp that belongs to a word', '# C#', '<h1>C#</h1>'],
    ['end a paragraph', 'a\n# b\nc', '<p>a</p>\n<h1>b</h1>\n<p>c</p>'],
    ['underlining makes no heading', 'a\n---\nb\n===', '<p>a</p>\n<hr>\n<p>b<br>\n===</p>'],
    ['three of a kind are a rule', '***\n- - -\n___', '<hr>\n<hr>\n<hr>'],
    ['two are none', '--', '<p>--</p>'],
  ])
})

describe('lists', () => {
  each([
    ['of bullets of any kind', '* a\n- b\n+ c', '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>'],
    ['follow text without a blank line', 'a\n* b', '<p>a</p>\n<ul>\n<li>b</li>\n</ul>'],
    [
      'start with the first number, whatever follows',
      '3. a\n9. b',
      '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>',
    ],
    ['start at 1 without saying so', '01. a', '<ol>\n<li>a</li>\n</ol>'],
    ['a year in a paragraph begins none', 'it was\n1986. A', '<p>it was<br>\n1986. A</p>'],
    ['nor does a number of two digits', 'it was\n12. A', '<p>it was<br>\n12. A</p>'],
    ['need a space', '*a\n1.b', '<p>*a<br>\n1.b</p>'],
    [
      'of both kinds are two lists',
      '* a\n1. b',
      '<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>',
    ],
    [
      'nest by two spaces or more',
      '1. a\n  * b\n    c\n2. d\n    * e',
      '<ol>\n<li>a<ul>\n<li>b<br>\n  c</li>\n</ul>\n</li>\n<li>d<ul>\n<li>e</li>\n</ul>\n</li>\n</ol>',
    ],
    ['begin in a list item', '* 1. a', '<ul>\n<li>\n<ol>\n<li>a</li>\n</ol>\n</li>\n</ul>'],
    [
      'blank lines make paragraphs of the items around them',
      '* a\n* b\n\n* c\n* d',
      '<ul>\n<li>a</li>\n<li>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n<li>d</li>\n</ul>',
    ],
    [
      'items go on after a blank line, indented',
      '* a\n\n  b\n* c',
      '<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>',
    ],
    [
      'indentation names the level',
      '* a\n  * b\n\n    c\n\n  d',
      '<ul>\n<li>\n<p>a</p>\n<ul>\n<li>\n<p>b</p>\n<p>c</p>\n</li>\n</ul>\n<p>d</p>\n</li>\n</ul>',
    ],
    ['end before a paragraph', '* a\n\nb', '<ul>\n<li>a</li>\n</ul>\n<p>b</p>'],
    ['items may be empty', '* \n* a', '<ul>\n<li></li>\n<li>a</li>\n</ul>'],
    ['a bullet alone is text', '*', '<p>*</p>'],
    [
      'hold quotes and headings',
      '* > a\n* # b',
      '<ul>\n<li>\n<blockquote>\n<p>a</p>\n</blockquote>\n</li>\n<li>\n<h1>b</h1>\n</li>\n</ul>',
    ],
    [
      'hold fenced code between their items',
      '* a\n  ```\n  b\n\n    c\n  ```\n* d',
      '<ul>\n<li>a<div class="codehilite"><pre><span></span><code>b\n\n  c\n</code></pre></div>\n</li>\n<li>d</li>\n</ul>',
    ],
    [
      'hold code that begins with an item',
      '1. ```\n   a\n   ```',
      '<ol>\n<li>\n<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>\n</li>\n</ol>',
    ],
    [
      'hold code by indentation',
      '* a\n\n      b',
      '<ul>\n<li>\n<p>a</p>\n<div class="codehilite"><pre><span></span><code>b\n</code></pre></div>\n</li>\n</ul>',
    ],
    [
      'hold spoilers',
      '* a\n  ```spoiler b\n  c\n  ```',
      '<ul>\n<li>a<div class="spoiler-block"><div class="spoiler-header">\n<p>b</p>\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>c</p>\n</div></div>\n</li>\n</ul>',
    ],
  ])
})

describe('quotes', () => {
  each([
    ['of one paragraph', '> a\n> b', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    ['of several', '> a\n>\n> b', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
    ['need no space', '>a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['take in lines that go on', '> a\nb', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    ['end at a blank line', '> a\n\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
    ['follow text', 'a\n> b', '<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>'],
    [
      'nest',
      '>> a\n> b',
      '<blockquote>\n<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n</blockquote>',
    ],
    ['are none when empty', '>\n> ', '<p>&gt;<br>\n&gt; </p>'],
    [
      'hold lists and code',
      '> * a\n> ```\n> b\n> ```',
      '<blockquote>\n<ul>\n<li>a</li>\n</ul>\n<div class="codehilite"><pre><span></span><code>b\n</code></pre></div>\n</blockquote>',
    ],
    [
      'may be fenced',
      '```quote\na\n\nb\n```\nc',
      '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n<p>c</p>',
    ],
    [
      'fenced ones hold each other and code',
      '````quote\n~~~ quote\na\n~~~\n```\nb\n```\n````',
      '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<div class="codehilite"><pre><span></span><code>b\n</code></pre></div>\n</blockquote>',
    ],
    ['not closed, reach to the end', '```quote\na', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ])
})

describe('spoilers', () => {
  const spoiler = (header: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div>` +
    `<div class="spoiler-content" aria-hidden="true">\n${content}</div></div>`
  each([
    ['with a header', '```spoiler *a* b\nc\n```', spoiler('<p><em>a</em> b</p>\n', '<p>c</p>\n')],
    ['without', '~~~spoiler\nc\n~~~', spoiler('', '<p>c</p>\n')],
    [
      'may have blocks in the header',
      '```spoiler # a\nb\n```',
      spoiler('<h1>a</h1>\n', '<p>b</p>\n'),
    ],
    [
      'hold spoilers',
      '````spoiler a\n```spoiler b\nc\n```\n````',
      spoiler('<p>a</p>\n', `${spoiler('<p>b</p>\n', '<p>c</p>\n')}\n`),
    ],
  ])
})

describe('tables', () => {
  const table = (head: string, body: string) =>
    `<table>\n<thead>\n<tr>\n${head}</tr>\n</thead>\n<tbody>\n<tr>\n${body}</tr>\n</tbody>\n</table>`
  each([
    [
      'align their columns',
      '| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | 2 | 3 | 4 |',
      table(
        '<th>a</th>\n<th style="text-align: left;">b</th>\n<th style="text-align: center;">c</th>\n<th style="text-align: right;">d</th>\n',
        '<td>1</td>\n<td style="text-align: left;">2</td>\n<td style="text-align: center;">3</td>\n<td style="text-align: right;">4</td>\n',
      ),
    ],
    [
      'need no outer pipes',
      'a | b\n- | -\n1 | 2',
      table('<th>a</th>\n<th>b</th>\n', '<td>1</td>\n<td>2</td>\n'),
    ],
    [
      'rows are as wide as the header',
      '|a|b|\n|-|-|\n|1|',
      table('<th>a</th>\n<th>b</th>\n', '<td>1</td>\n<td></td>\n'),
    ],
    ['have a row even without any', '|a|\n|-|', table('<th>a</th>\n', '<td></td>\n')],
    [
      'cells hold inline text, and pipes in code or escaped',
      '|**a**|\n|-|\n|`1|2` \\| 3|',
      table('<th><strong>a</strong></th>\n', '<td><code>1|2</code> | 3</td>\n'),
    ],
    ...(
      [
        [
          'a mention with an ID',
          '@**Othello|31**',
          '<span class="user-mention" data-user-id="31">@Othello</span>',
        ],
        [
          'a silent one',
          '@_**|8**',
          '<span class="user-mention silent" data-user-id="8">Desdemona</span>',
        ],
        ['a link to a topic', '#**general>a|b**', html('#**general>a|b**').slice(3, -4)],
        ['math', '$$|x|$$', html('$$|x|$$').slice(3, -4)],
        ['more math', '$$a|b$$', html('$$a|b$$').slice(3, -4)],
      ] as const
    ).map(([what, cell, made]): [string, string, string] => [
      `a cell holds the pipes of ${what}`,
      `|a|b|\n|-|-|\n|${cell}|2|`,
      table('<th>a</th>\n<th>b</th>\n', `<td>${made}</td>\n<td>2</td>\n`),
    ]),
    ...['$$|$$', ' $$ | $$ ', '$|$$$', '@**x|y**', '#**a|b', '@**8|'].map(
      (cells): [string, string, string] => [
        `${cells} are two cells`,
        `|a|b|\n|-|-|\n|${cells}|`,
        table(
          '<th>a</th>\n<th>b</th>\n',
          cells
            .split('|')
            .map((cell) => `<td>${cell.trim()}</td>\n`)
            .join(''),
        ),
      ],
    ),
    ...(
      [
        [
          'code',
          '```\ncode\n```',
          '<div class="codehilite"><pre><span></span><code>code\n</code></pre></div>',
        ],
        ['a quote', '```quote\nwords\n```', '<blockquote>\n<p>words</p>\n</blockquote>'],
        ['a heading', '# words', '<h1>words</h1>'],
        ['a rule', '***', '<hr>'],
      ] as const
    ).map(([what, source, made]): [string, string, string] => [
      `end where ${what} begins`,
      `|a|\n|-|\n|1|\n${source}`,
      `${table('<th>a</th>\n', '<td>1</td>\n')}\n${made}`,
    ]),
    ['follow text', 'x\n|a|\n|-|\n|1|', `<p>x</p>\n${table('<th>a</th>\n', '<td>1</td>\n')}`],
    ['are none when the dashes do not fit', '|a|b|\n|-|', '<p>|a|b|<br>\n|-|</p>'],
  ])
})

test('the head of a spoiler may have code and emphasis, and hides the rest nevertheless', () => {
  for (const head of ['see `config`', '`a` and ``b`c``', '~~old~~ new', '`', '~']) {
    for (const fence of ['```', '~~~', '````']) {
      const made = html(`${fence}spoiler ${head}\nsecret\n${fence}`)
      assert.match(made, /^<div class="spoiler-block">.*aria-hidden="true">\n<p>secret<\/p>/s, made)
    }
  }
  assert.doesNotMatch(html('```spoiler a```'), /spoiler-block/)
})
