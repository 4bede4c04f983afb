/** Every construct of the Markdown of messages, as the names of `test/platform/markdown/markdown.ts` allow. */
// biome-ignore format: a table reads best in columns
export const constructs: Readonly<Record<string, string>> = {
  words:          'plain words',
  lines:          'a\nb',
  paragraphs:     'a\n\nb',
  strong:         'a **b** c',
  emphasis:       'a *b* c',
  both:           '***x***',
  deleted:        '~~x~~',
  mixed:          '**a *b* c**',
  code:           'a `b c` d',
  doubleTicks:    '`` a`b ``',
  formula:        'a $$x^2$$ b',
  badFormula:     'a $$\\foo$$ b',
  link:           '[a](https://e.com/x)',
  linkBrackets:   '[a [b]](https://e.com/x)',
  address:        'see https://e.com/x?a=b',
  mail:           'me@e.com',
  title:          '[a](https://e.com/x "tt")',
  mention:        'hi @**Othello** ok',
  silent:         '@_**Desdemona**',
  silentInactive: '@**Old Gobbo**',
  everyone:       '@**all**',
  topicMention:   '@**topic**',
  group:          '@*crew*',
  silentGroup:    '@_*crew*',
  systemGroup:    '@_*role:administrators*',
  channel:        '#**general**',
  topic:          '#**general>plans**',
  awkwardName:    '#**sea & shore>x**',
  awkwardTopic:   '#**general>a.b (c)**',
  noTopic:        '#**general>**',
  message:        '#**general>plans@71**',
  narrow:         '[x](/#narrow/channel/2-general/topic/plans)',
  time:           'at <time:2026-03-07T15:00:00-08:00> x',
  badTime:        '<time:foo>',
  emoji:          'a :octopus: b',
  spacedEmoji:    ':thumbs_up:',
  customEmoji:    ':blob:',
  emojiCharacter: '🐙',
  picture:        '![cat](/user_uploads/2/ab/Kq/cat.png)',
  sound:          '![song](/user_uploads/2/ab/Kq/song.mp3)',
  film:           '[film](/user_uploads/2/ab/Kq/film.mp4)',
  file:           '[paper.pdf](/user_uploads/2/ab/Kq/paper.pdf)',
  pictureLink:    '[cat.png](/user_uploads/2/ab/Kq/cat.png)',
  namedPicture:   '[my cat](/user_uploads/2/ab/Kq/cat.png)',
  pictureAddress: 'https://e.com/a.png',
  pictures:       '[x](https://e.com/a.png) and https://e.com/b.png',
  video:          'https://www.youtube.com/watch?v=abcdefghijk',
  rule:           'a\n\n---\n\nb',
  heading:        '## head',
  bullets:        '- a\n- b',
  numbers:        '3. a\n4. b',
  nested:         '- a\n  - b\n    1. c\n- d',
  loose:          '- a\n\n- b',
  quote:          '> a\n> b',
  fencedQuote:    '```quote\na\n\nb\n```',
  fence:          '```javascript\nlet a = 1\n\n  b()\n```',
  alias:          '```py2\nprint x\n```',
  noLanguage:     '```\na\n```',
  ownLanguage:    '```foolang\nx\n```',
  tildes:         '~~~\n```\n~~~',
  block:          '```math\nx^2\n```',
  blocks:         '```math\nx^2\n\ny\n```',
  badBlock:       '```math\n\\foo\n```',
  spoiler:        '```spoiler Head **x**\nbody\n\nmore\n```',
  noHead:         '```spoiler\nbody\n```',
  table:          '| a | b | c |\n| :--- | :---: | ---: |\n| 1 | 2 | **3** |',
  pipes:          '| a | b |\n| --- | --- |\n| `x\\|y` | p\\|q |',
}

function fence(info: string): (source: string) => string {
  return (source) => {
    const runs = [...source.matchAll(/`{3,}/g)].map(([marks]) => marks.length + 1)
    const marks = '`'.repeat(Math.max(3, ...runs))
    return `${marks}${info}\n${source}\n${marks}`
  }
}

const indented = (source: string, by = '  ') => source.replace(/\n(?=[^\n])/g, `\n${by}`)
const isLine = (source: string) => !/\n|^(?:```|[-#>|]|\d\.)/.test(source)
const inLine = (wrap: (source: string) => string) => (source: string) =>
  isLine(source) ? wrap(source) : source

/** What constructs can be in. */
const boxes: Readonly<Record<string, (source: string) => string>> = {
  bullet: (source) => `- one\n- ${indented(source)}`,
  number: (source) => `1. one\n2. ${indented(source)}`,
  inner: (source) => `- one\n  - ${indented(source, '    ')}`,
  quoted: (source) => source.replace(/^/gm, '> ').replace(/ $/gm, ''),
  quoteBlock: fence('quote'),
  hidden: fence('spoiler T'),
  strong: inLine((source) => `**${source}**`),
  deleted: inLine((source) => `~~${source}~~`),
  cell: inLine((source) => `| h | i |\n| --- | --- |\n| ${source.replaceAll('|', '\\|')} | k |`),
  between: (source) => `before\n\n${source}\n\nafter`,
}

/** The names and sources of all constructs, of each in each box, and in two boxes. */
export function* combinations(): Generator<readonly [name: string, source: string]> {
  for (const [name, source] of Object.entries(constructs)) {
    yield [name, source]
    for (const [inner, wrap] of Object.entries(boxes)) {
      yield [`${inner}(${name})`, wrap(source)]
      for (const outer of ['bullet', 'quoted', 'hidden', 'strong'] as const) {
        const source2 = boxes[outer]?.(wrap(source)) ?? ''
        yield [`${outer}(${inner}(${name}))`, source2]
      }
    }
  }
}
