import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { breaksLine, continueList, type Format, format } from '#client/compose/formatting.ts'
import { apply, type Edit, insertion, type SelectedText } from '#client/compose/text-edits.ts'

/** A text in which `[` and `]` stand around what is selected, and `|` is the caret. */
function selected(marked: string): SelectedText {
  const caret = marked.indexOf('|')
  if (caret >= 0) return { text: marked.replace('|', ''), start: caret, end: caret }
  const start = marked.indexOf('[')
  const end = marked.indexOf(']') - 1
  return { text: marked.replace('[', '').replace(']', ''), start, end }
}

function marked(before: SelectedText, edit: Edit): string {
  const text = apply(before.text, edit)
  const { start, end } = edit
  if (start === end) return `${text.slice(0, start)}|${text.slice(start)}`
  return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`
}

describe('a format', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Format, string, string][] = [
    ['bold',          'a [b] c',            'a **[b]** c'],
    ['bold',          'a **[b]** c',        'a [b] c'],
    ['bold',          '[**b**]',            '[b]'],
    ['bold',          'a |',                'a **|**'],
    ['italic',        '[b]',                '*[b]*'],
    ['italic',        '**[b]**',            '***[b]***'],
    ['italic',        '***[b]***',          '**[b]**'],
    ['strikethrough', '[b]',                '~~[b]~~'],
    ['code',          '[b]',                '`[b]`'],
    ['code',          'x [a\nb]',           'x \n```\n[a\nb]\n```'],
    ['quote',         '[a]\nb',             '```quote\n[a]\n```\nb'],
    ['bullets',       'a\n[b\nc]',          'a\n[- b\n- c]'],
    ['bullets',       '[- b\n- c]',         '[b\nc]'],
    ['numbers',       '[b\nc]',             '[1. b\n2. c]'],
    ['math',          '[x]',                '$$[x]$$'],
    ['math',          '$$[x]$$',            '[x]'],
    ['math',          '$$a|b$$',            'a|b'],
    ['code',          '`a|b`',              'a|b'],
    ['code',          'x [a`b`c] y',        'x `` [a`b`c] `` y'],
    ['code',          '`` a`[b] ``',        'a`[b]'],
    ['code',          'x[ word ]y',         'x `[word]` y'],
    ['bold',          'x[ word ]y',         'x **[word]** y'],
    ['bold',          'x [word  ]',         'x **[word]**  '],
    ['bold',          '[one\n\ntwo]',       '[**one**\n\n**two**]'],
    ['bold',          '[**one**\n\n**two**]', '[one\n\ntwo]'],
    ['italic',        '[one \ntwo]',        '[*one* \n*two*]'],
    ['strikethrough', '[- one\n  1. two]',  '[- ~~one~~\n  1. ~~two~~]'],
    ['bold',          '[> one\n## two]',    '[> **one**\n## **two**]'],
    ['link',          'x[ word ]y',         'x [word]([url]) y'],
  ]
  for (const [kind, before, after] of matrix) {
    test(`${kind} makes ${JSON.stringify(after)} of ${JSON.stringify(before)}`, () => {
      const at = selected(before)
      const edit = format(at, kind)
      assert.equal(edit && marked(at, edit), after)
    })
  }

  test('a link asks for what is missing: the address, or the text', () => {
    const named = { text: 'see it', start: 4, end: 6 }
    const naming = format(named, 'link')
    assert.equal(naming && apply(named.text, naming), 'see [it](url)')
    const address = { text: 'https://a.test/', start: 0, end: 15 }
    const edit = format(address, 'link')
    assert.equal(edit && apply(address.text, edit), '[](https://a.test/)')
    assert.deepEqual([edit?.start, edit?.end], [1, 1])
  })
})

describe('Enter in a list', () => {
  const matrix: [string, string | undefined][] = [
    ['- a|', '- a\n- |'],
    ['  * a|', '  * a\n  * |'],
    ['9. a|', '9. a\n10. |'],
    ['1) a|b', '1) a\n2) |b'],
    ['- a\n- |', '- a\n|'],
    ['a|', undefined],
    ['-a|', undefined],
    ['|- a', undefined],
    ['12. a|', '12. a\n13. |'],
    ['2026. What a year|', undefined],
    ['100. a|', undefined],
    ['99. a\n  - b\n\n100. c|', '99. a\n  - b\n\n100. c\n101. |'],
    ['- a\n2026. b|', undefined],
    ['1. April kommt|', undefined],
    ['24. december er|', undefined],
    ['1. Aprilscherz|', '1. Aprilscherz\n2. |'],
    ['40. April|', '40. April\n41. |'],
    ['1. eggs\n2. April|', '1. eggs\n2. April\n3. |'],
    ['```\n- a|', undefined],
    ['~~~yaml\n- a|\n~~~', undefined],
    ['````\n```\n1. a|', undefined],
    ['    - a|', undefined],
    ['- b\n    - a|', '- b\n    - a\n    - |'],
    ['```\na\n```\n- a|', '```\na\n```\n- a\n- |'],
    ['```quote\n- a|', '```quote\n- a\n- |'],
    ['> ```\n> a|', '> ```\n> a\n> |'],
    ['> ```|', '> ```\n> |'],
  ]
  for (const [before, after] of matrix) {
    test(`${JSON.stringify(before)} goes on as ${JSON.stringify(after)}`, () => {
      const at = selected(before)
      const edit = continueList(at)
      assert.equal(edit && marked(at, edit), after)
    })
  }
})

test('a block that is inserted stands on lines of its own', () => {
  const at = selected('a|b')
  assert.equal(apply(at.text, insertion(at, '> q', true)), 'a\n> q\nb')
})

describe('Enter where it sends', () => {
  const matrix: [string, boolean][] = [
    ['```|', true],
    ['```js|', true],
    ['|```js', false],
    ['~~~|', true],
    ['````|', true],
    ['Look:\n```|', true],
    ['- ```|', true],
    ['> ```|', true],
    ['```spoiler Who|', true],
    ['```quote|', true],
    ['```\ncode|', true],
    ['```\n```|', false],
    ['```\ncode|\n```', true],
    ['````\n```|', true],
    ['~~~\n```|', true],
    ['> ```\nafter|', false],
    ['```\ncode\n```|', false],
    ['```\ncode\n```\nafter|', false],
    ['```quote\nsaid|', true],
    ['```quote\nsaid|\n```', false],
    ['```quote\n```js\ncode|\n```\n```', true],
    ['```quote\nsaid\n```\nanswer|', false],
    ['```code```|', false],
    ['a ```|', false],
    ['    code|', false],
    ['text|', false],
  ]
  for (const [before, expected] of matrix) {
    test(`${JSON.stringify(before)} ${expected ? 'makes a line' : 'sends'}`, () => {
      assert.equal(breaksLine(selected(before)), expected)
    })
  }
})
