import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bindings,
  type Context,
  chordLabels,
  commandOf,
  type KeyPress,
  keyHint,
} from '#client/commands/key-bindings.ts'

const plain: KeyPress = {
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
}
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({ ...plain, key, ...more })

test('no key means two things in the same place', () => {
  const together: readonly (readonly Context[])[] = [
    ['anywhere', 'view', 'messages'],
    ['anywhere', 'view', 'list'],
    ['anywhere', 'compose'],
  ]
  for (const contexts of together) {
    const chords = bindings.filter((b) => contexts.includes(b.context)).flatMap((b) => b.keys)
    const twice = chords.filter((chord, i) => chords.indexOf(chord) !== i)
    assert.deepEqual(twice, [], contexts.join(' '))
  }
})

test('every command and description occurs once', () => {
  for (const members of [bindings.map((b) => b.command), bindings.map((b) => b.description)]) {
    assert.equal(new Set<string>(members).size, members.length)
  }
})

// biome-ignore format: a table reads best in columns
const cases: [string, KeyPress, readonly Context[], string | undefined][] = [
  ['n', press('n'), ['view'], 'next-unread-topic'],
  ['N with Shift', press('N', { shiftKey: true }), ['view'], 'next-unread-followed'],
  ['N by Caps Lock', press('N'), ['view'], 'next-unread-topic'],
  ['? with Shift', press('?', { shiftKey: true }), ['view'], 'show-keys'],
  ['? without Shift', press('?'), ['view'], 'show-keys'],
  ['a Cyrillic letter by its place', press('т', { code: 'KeyN' }), ['view'], 'next-unread-topic'],
  ['a Latin letter on another layout by itself', press('a', { code: 'KeyQ' }), ['view'], 'go-feed'],
  ['Ctrl+K', press('k', { ctrlKey: true }), ['anywhere', 'compose'], 'switch'],
  ['Command+K', press('k', { metaKey: true }), ['anywhere', 'compose'], 'switch'],
  ['Alt+P on a Mac', press('π', { code: 'KeyP', altKey: true }), ['compose'], 'preview'],
  ['@ by AltGr', press('@', { ctrlKey: true, altKey: true, getModifierState: () => true }), ['messages'], 'reply-mention'],
  ['Ctrl+[', press('[', { ctrlKey: true }), ['anywhere'], 'escape'],
  ['Space', press(' '), ['messages'], 'page-down'],
  ['Shift+Space', press(' ', { shiftKey: true }), ['messages'], 'page-up'],
  ['Shift with an arrow', press('ArrowDown', { shiftKey: true }), ['messages'], undefined],
  ['Ctrl+N of the browser', press('n', { ctrlKey: true }), ['view', 'messages'], undefined],
  ['n while typing', press('n'), ['anywhere', 'compose'], undefined],
]
for (const [name, pressed, contexts, expected] of cases) {
  test(`${name} ${expected ? `means ${expected}` : 'means nothing'}`, () => {
    assert.equal(commandOf(pressed, contexts), expected)
  })
}

test('chords have labels as on keyboards', () => {
  assert.deepEqual(chordLabels('Ctrl+Shift+L'), ['Ctrl', 'Shift', 'L'])
  assert.deepEqual(chordLabels('+'), ['+'])
  assert.deepEqual(chordLabels('ArrowLeft'), ['←'])
})

test('a menu names the first key of a command', () => {
  assert.equal(keyHint('reply'), 'R')
  assert.equal(keyHint('mark-unread'), 'Shift U')
  assert.equal(keyHint('star'), 'Ctrl S')
})
