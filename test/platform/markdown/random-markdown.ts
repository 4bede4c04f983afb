import fc from 'fast-check'

const addresses = [
  'https://example.com/a_(b)?c=d&e#f',
  'http://localhost:9991/x.png',
  'example.org/x.mp4',
  '/user_uploads/2/ab/Kq/cat.png',
  '/user_uploads/2/ab/Kq/new.png',
  '/user_uploads/2/ab/Kq/song.mp3',
  '/user_uploads/2/ab/Kq/film.mp4',
  '/user_uploads/2/ab/Kq/%00%zz"',
  'https://youtu.be/aqz-KE-bpKQ',
  '#narrow/channel/2-general/topic/plans',
  'desdemona@example.com',
  'tel:+14155551234',
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript&#58;alert(1)',
  '&#106;avascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  '//evil.example/x.png',
  '\\\\evil.example',
  'https://"onmouseover="alert(1)"',
  'x" onerror="alert(1).png',
  'http://',
  '<>',
  '',
]

const words = [
  ...addresses,
  'word',
  'two words',
  ' ',
  '  ',
  'é日本👍🏽🤷‍♀️❤️1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  ':tada:',
  ':blob:',
  ':zulip:',
  ':nothing:',
  ':)',
  '<3',
  '@**Desdemona**',
  '@_**Othello|31**',
  '@**Old Gobbo**',
  '@**Nobody<b>**',
  '@*crew*',
  '@*council*',
  '@_*role:administrators*',
  '@**all**',
  '@_**topic**',
  '#**general**',
  '#**sea & shore>a <b> "c"**',
  '#**general>@14**',
  '<time:2026-03-07T15:00:00-08:00>',
  '<time:"<b>>',
  '$$x^2$$',
  '$$\\frac{a}{b$$',
  '$$\\href{javascript:alert(1)}{x}\\includegraphics{http://x/y}\\htmlClass{a}{b}$$',
  '$$\\sqrt{\\overbrace{\\color{red}x}}\\begin{matrix}a&b\\\\c\\end{matrix}$$',
  '#1234',
  '/me',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</p></li></blockquote></div></code></pre>',
  '<!-- ',
  '&lt;b&gt; &copy; &#0; &#x110000; &amp;amp;',
  '`code`',
  '**',
  '*',
  '~~',
  '`',
  '|',
  '>',
  '[',
  ']',
  '(',
  ')',
  '\\',
  '"',
  "'",
  '\u0000\u0002\u0003',
  '\u00020',
  '\u2028',
]

const pieces = [
  ...words,
  '\n',
  '\n\n',
  '\r\n',
  '\t',
  '    ',
  '\n* ',
  '\n  - ',
  '\n1. ',
  '\n> ',
  '\n# ',
  '\n---\n',
  '\n```\n',
  '\n```quote\n',
  '\n~~~spoiler x\n',
  '\n~~~\n',
  '\n```math\n',
  '\n```php\n',
  '\n|a|b|\n|-|-|\n',
  '](',
  '![',
  '$$',
  '@**',
  '#**',
  '<time:',
]

const fences = [
  '',
  'quote',
  ' spoiler *head* | @**all**',
  'math',
  'python',
  '{.js}',
  'text',
  '"<b>',
]

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...words),
    fc.array(tie('inline'), { maxLength: 4 }).map((parts) => parts.join(' ')),
    fc
      .tuple(fc.constantFrom('*', '**', '***', '~~', '`', '``', '$$', '"', '_'), tie('inline'))
      .map(([mark, text]) => mark + text + mark),
    fc
      .tuple(fc.constantFrom('', '!'), tie('inline'), fc.constantFrom(...addresses))
      .map(([bang, label, address]) => `${bang}[${label}](${address})`),
    fc.tuple(tie('inline'), tie('inline')).map(([label, target]) => `[${label}](${target} "t")`),
    tie('inline').map((text) => `@**${text}**`),
    tie('inline').map((text) => `#**general>${text}**`),
    tie('inline').map((text) => `<time:${text}>`),
  ),
}))

const { block } = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    inline,
    fc
      .array(tie('block'), { minLength: 1, maxLength: 4 })
      .chain((parts) => fc.constantFrom('\n', '\n\n', '\n\n\n').map((by) => parts.join(by))),
    tie('block').map((text) => `> ${indent(text, '> ')}`),
    fc
      .tuple(fc.constantFrom('```', '~~~~', '`````'), fc.constantFrom(...fences), tie('block'))
      .map(([marks, info, text]) => `${marks}${info}\n${text}\n${marks}`),
    fc
      .tuple(
        fc.constantFrom('* ', '- ', '1. ', '12. ', '  * '),
        fc.array(tie('block'), { maxLength: 3 }),
      )
      .map(([marker, items]) =>
        items.map((item) => marker + indent(item, ' '.repeat(marker.length))).join('\n'),
      ),
    tie('block').map((text) => `    ${indent(text, '    ')}`),
    fc.tuple(fc.nat(7), inline).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
    fc
      .array(fc.array(inline, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map(([head = [], ...rows]) =>
        [head, head.map((_, column) => [':-:', '-', '--:'][column] ?? '-'), ...rows]
          .map((cells) => `| ${cells.join(' | ')} |`)
          .join('\n'),
      ),
    fc.constantFrom('---', '***', '- - -'),
  ),
}))

const edit = fc.record({
  at: fc.nat(10_000),
  removed: fc.nat(12),
  inserted: fc.constantFrom('', '', ...pieces),
})

/** Documents with every construct in every other, cut and mixed up in a few places. */
export const randomMarkdown: fc.Arbitrary<string> = fc
  .tuple(block, fc.array(edit, { maxLength: 5 }))
  .map(([source, edits]) => {
    let text = source
    for (const { at, removed, inserted } of edits) {
      const place = at % (text.length + 1)
      text = text.slice(0, place) + inserted + text.slice(place + removed)
    }
    return text.toWellFormed()
  })

/** Whatever stands next to whatever. */
export const randomPieces: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...pieces), { maxLength: 25 })
  .map((parts) => parts.join(''))
