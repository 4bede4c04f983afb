import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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

/** What layouts type at the places of American letters and symbols, without and with Shift. */
const places = 'QWERTYUIOPASDFGHJKLZXCVBNM'
// biome-ignore format: a table reads best in columns
const layouts: Readonly<Record<string, { readonly plain: string; readonly shifted: string; readonly marks: Readonly<Record<string, string>> }>> = {
  American:  { plain: 'qwertyuiopasdfghjklzxcvbnm', shifted: 'QWERTYUIOPASDFGHJKLZXCVBNM', marks: { Period: '.', Quote: "'", BracketLeft: '[' } },
  Cyrillic:  { plain: 'йцукенгшщзфывапролдячсмить', shifted: 'ЙЦУКЕНГШЩЗФЫВАПРОЛДЯЧСМИТЬ', marks: { Period: 'ю', Quote: 'э', BracketLeft: 'х' } },
  Greek:     { plain: ';ςερτυθιοπασδφγηξκλζχψωβνμ', shifted: ':΅ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ', marks: { Period: '.', Quote: "'", BracketLeft: '[' } },
  Arabic:    { plain: 'ضصثقفغعهخحشسيبلاتنمئءؤرﻻىة', shifted: 'َُِّإ‘÷×؛ٍ][لأـ،/~ْ}{لآ’أ', marks: { Period: 'ز', Quote: 'ط', BracketLeft: 'ج' } },
  AZERTY:    { plain: 'azertyuiopqsdfghjklmwxcvbn', shifted: 'AZERTYUIOPQSDFGHJKLMWXCVBN', marks: {} },
  Dvorak:    { plain: "',.pyfgcrlaoeuidhtn;qjkxbm", shifted: '"<>PYFGCRLAOEUIDHTN:QJKXBM', marks: {} },
}
const ctrlChords = bindings.flatMap(({ command, context, keys }) =>
  keys.flatMap((chord) => {
    const [, shift, letter] = /^(?:Ctrl|Alt)\+(Shift\+)?([A-Z])$/.exec(chord) ?? []
    return letter ? [{ command, context, chord, isShifted: shift !== undefined, letter }] : []
  }),
)
describe('keys with Ctrl or Alt on keyboards of other scripts', () => {
  for (const [layout, { plain: typed, shifted, marks }] of Object.entries(layouts)) {
    for (const { command, context, chord, isShifted, letter } of ctrlChords) {
      test(`${chord} means ${command} on a keyboard that is ${layout}`, () => {
        const own = typed.toUpperCase().indexOf(letter)
        const place = own < 0 ? places.indexOf(letter) : own
        // Dvorak has S beside the letters of others.
        const isBeside = own < 0 && layout === 'Dvorak'
        const key = isBeside ? letter : String((isShifted ? shifted : typed)[place])
        const pressed = press(key, {
          code: isBeside ? 'Semicolon' : `Key${places[place]}`,
          ctrlKey: chord.startsWith('Ctrl'),
          altKey: chord.startsWith('Alt'),
          shiftKey: isShifted,
        })
        assert.equal(commandOf(pressed, [context]), command)
      })
    }
    for (const [code, key] of Object.entries(marks)) {
      const commands: Record<string, string> = {
        Period: 'go-to-target',
        Quote: 'snippet',
        BracketLeft: 'escape',
      }
      test(`Ctrl and ${code} mean ${commands[code]} on a keyboard that is ${layout}`, () => {
        const pressed = press(key, { code, ctrlKey: true })
        assert.equal(commandOf(pressed, ['compose', 'anywhere']), commands[code])
      })
    }
  }
  test('a letter of several characters is found by its place', () => {
    assert.equal(commandOf(press('لا', { code: 'KeyB', ctrlKey: true }), ['compose']), 'bold')
  })
  test('umlauts are no commands where another script has one', () => {
    const pressed = press('Ö', { code: 'Semicolon', shiftKey: true })
    assert.equal(commandOf(pressed, ['messages', 'view']), undefined)
    const other = press('Ж', { code: 'Semicolon', shiftKey: true })
    assert.equal(commandOf(other, ['messages', 'view']), 'react')
  })
})

test('a key that an input method takes means nothing', () => {
  for (const taken of [{ isComposing: true }, { keyCode: 229 }]) {
    assert.equal(commandOf(press('Enter', taken), ['messages']), undefined)
    assert.equal(commandOf(press('n', taken), ['view']), undefined)
  }
})

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
