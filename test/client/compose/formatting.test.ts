import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { continueList, type Format, format } from '#client/compose/formatting.ts'
import { apply, insertion, type SelectedText } from '#client/compose/text-edits.ts'

/** A text in which `[` and `]` stand around what is selected, and `|` is the caret. */
function selected(marked: string): SelectedText {
  const caret = marked.indexOf('|')
  if (caret >= 0) return { text: marked.replace('|', ''), start: caret, end: caret }
  const start = marked.indexOf('[')
  const end = marked.indexOf(']') - 1
  return { text: marked.replace('[', '').replace(']', ''), start, end }
}

function marked(before: SelectedText, edit: ReturnType<typeof format>): string {
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
  ]
  for (const [kind, before, after] of matrix) {
    test(`${kind} makes ${JSON.stringify(after)} of ${JSON.stringify(before)}`, () => {
      const at = selected(before)
      assert.equal(marked(at, format(at, kind)), after)
    })
  }

  test('a link asks for what is missing: the address, or the text', () => {
    const named = { text: 'see it', start: 4, end: 6 }
    assert.equal(apply(named.text, format(named, 'link')), 'see [it](url)')
    const address = { text: 'https://a.test/', start: 0, end: 15 }
    const edit = format(address, 'link')
    assert.equal(apply(address.text, edit), '[](https://a.test/)')
    assert.deepEqual([edit.start, edit.end], [1, 1])
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
