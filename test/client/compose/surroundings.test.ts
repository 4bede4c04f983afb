import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Format, format } from '#client/compose/formatting.ts'
import { type Surroundings, surroundings } from '#client/compose/surroundings.ts'

type Place = Surroundings['place']

/** What holds `§` inside of it, and what the place is called there. */
// biome-ignore format: a table reads best in columns
const holders: [what: string, around: string, place: Place, isRich: boolean][] = [
  ['plain text',               'a § b',                          'text',    true],
  ['bold words',               'a **§** b',                      'text',    true],
  ['a list item',              '- a\n- §',                       'text',    true],
  ['a heading',                '# a §',                          'text',    true],
  ['a quotation',              '> a §',                          'text',    true],
  ['a block of code',          '```\n§\n```',                    'block',   false],
  ['one with a language',      '```js\na § b\n```',              'block',   false],
  ['one without an end',       'a\n```\n§',                      'block',   false],
  ['one of tildes',            '~~~\n§\n~~~',                    'block',   false],
  ['tildes with backticks',    '~~~\n```\n§\n```\n~~~',          'block',   false],
  ['one of four marks',        '````\n```\n§\n```\n````',        'block',   false],
  ['a quoted block',           '```quote\n~~~\n§\n~~~\n```',     'block',   false],
  ['one within `>`',           '> ```\n> §\n> ```',              'block',   false],
  ['one in a list',            '- ```\n  §\n  ```',              'block',   false],
  ['one deep in a list',       '- a\n  - ```\n    §\n    ```',   'block',   false],
  ['one with an indentation',  '  ```\n  §\n  ```',              'block',   false],
  ['a formula of lines',       '```math\n§\n```',                'block',   false],
  ['indented code',            'a\n\n    §',                     'block',   false],
  ['code after code',          '```\na\n```\n`§`',               'code',    false],
  ['text in a quote',          '```quote\na §\n```',             'text',    true],
  ['text in a spoiler',        '```spoiler a\n§\n```',           'text',    true],
  ['text after code',          '```\na\n```\n§',                 'text',    true],
  ['text after a quoted block', '> ```\n> a\n§',                 'text',    true],
  ['text below an item',       '- a\n\n    §',                   'text',    true],
  ['the title of a spoiler',   '```spoiler a §\nb\n```',         'title',   true],
  ['code in a title',          '```spoiler `§`\nb\n```',         'code',    false],
  ['the head of a block',      '```j§s\na\n```',                 'fence',   false],
  ['code in a line',           'a `§` b',                        'code',    false],
  ['code that has words',      'a `b § c` d',                    'code',    false],
  ['code of two marks',        'a `` ` § `` b',                  'code',    false],
  ['code over two lines',      'a `b\n§` c',                     'code',    false],
  ['code without an end',      'a `b §',                         'code',    false],
  ['text after code in a line', 'a `b` §',                       'text',    true],
  ['text between code',        '`a` § `b`',                      'text',    true],
  ['text after a lone mark',   'a ` b\n§',                       'text',    true],
  ['a formula',                'a $$x §$$ b',                    'math',    false],
  ['money',                    '$5 § $6',                        'text',    true],
  ['the target of a link',     'a [b](§) c',                     'target',  false],
  ['a target with parentheses', '[b](http://c(d)§) e',           'target',  false],
  ['a target without an end',  'a [b](§',                        'target',  false],
  ['the text of a link',       'a [b §](c)',                     'label',   true],
  ['a mention',                'a @**b § c** d',                 'token',   false],
  ['a silent mention',         '@_**b§c**',                      'token',   false],
  ['a group',                  '@*b§c*',                         'token',   false],
  ['a channel',                'a #**b§c** d',                   'token',   false],
  ['a topic',                  '#**b>c § d**',                   'token',   false],
  ['a time',                   '<time:2026§>',                   'token',   false],
  ['an address',               'a https://b.test/§/c d',         'address', false],
]

const at = (around: string, place: number, selected = ''): Parameters<typeof surroundings>[0] => {
  const text = around.slice(0, place) + selected + around.slice(place + 1)
  return { text, start: place, end: place + selected.length }
}

const markOf = (around: string) => around.indexOf('§')

/** What may be around a text without changing what is in it. */
const frames: [what: string, before: string, after: string][] = [
  ['alone', '', ''],
  ['below a paragraph', 'Before `code` and @**King Hamlet**.\n\n', ''],
  ['below code', '```js\nlet a = `b\n```\n', ''],
  ['above code', '', '\n\n```\ncode\n```\n'],
]

describe('what surrounds the caret', () => {
  for (const [what, around, place, isRich] of holders) {
    for (const [where, before, after] of frames) {
      const whole = before + around + after
      const offset = before.length + markOf(around)
      for (const selected of ['', 'word', place === 'address' ? 'w' : 'two words']) {
        test(`${what}, ${where}, is ${place}${selected && ` around "${selected}"`}`, () => {
          const found = surroundings(at(whole, offset, selected))
          assert.deepEqual([found.place, found.isRich], [place, isRich])
        })
      }
    }
  }

  test('a selection that begins or ends within something is across it', () => {
    const text = 'a `code` [b](c) $$x$$\n```\nblock\n```\nend'
    const [code, target, math, block] = [4, 13, 18, 28]
    const outside = [0, 9, text.length]
    for (const inner of [code, target, math, block]) {
      for (const outer of outside) {
        const selection = { start: Math.min(inner, outer), end: Math.max(inner, outer) }
        const found = surroundings({ text, ...selection })
        assert.deepEqual([found.place, found.isRich], ['across', false], `${inner} to ${outer}`)
      }
    }
    assert.equal(surroundings({ text, start: 0, end: text.length }).place, 'text')
  })

  test('the end of an address goes on with it for what is typed, and ends it for what is pasted', () => {
    const found = surroundings(at('https://a.test§', 14))
    assert.deepEqual([found.place, found.isRich], ['address', true])
  })

  test('texts of nothing but marks are read to their end', () => {
    for (const piece of [
      '`',
      '[',
      '](',
      '$$x ',
      '@**a',
      '> ',
      '- ```\n',
      '``` ',
      '<time:',
      'www.',
      '\\',
    ]) {
      const text = piece.repeat(40_000 / piece.length)
      surroundings({ text, start: text.length, end: text.length })
      surroundings({ text, start: text.length / 2, end: text.length })
    }
  })
})

describe('formats', () => {
  // biome-ignore format: a list
  const formats: readonly Format[] = ['bold', 'italic', 'strikethrough', 'link', 'code', 'quote', 'bullets', 'numbers', 'spoiler', 'math']
  for (const [what, around, place, isRich] of holders) {
    if (isRich) continue
    test(`change nothing in ${what}`, () => {
      for (const kind of formats.filter((each) => each !== place)) {
        assert.equal(format(at(around, markOf(around), 'word'), kind), undefined, kind)
      }
    })
  }
})
