import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mendedName, namedCharacter, nameFault, nameKey, tidyName } from '#shared/names.ts'

/** Names as people have them, by script. */
const good: readonly string[] = [
  ...['Iago', "Cordelia, Lear's daughter", 'José Núñez', 'Zoë O’Brien', 'Nguyễn Văn A', 'Dvořák'],
  ...['Ελένη', 'Юлія', 'Ёлка', 'שָׁלוֹם', 'محمّد', 'می‌خواهم', 'پنج‌شنبه', 'शिव', 'र‍्य', 'क्‍', 'বাংলা'],
  ...[
    'ന്‍',
    'ශ්‍රී ලංකා',
    'ไทย',
    'ខ្មែរ',
    'မြန်မာ',
    'བོད',
    '田中',
    '葛\u{e0100}城',
    'カタカナ',
    '한국어',
    'ᠮᠣᠩᠭᠣᠯ',
  ],
  ...[
    '👩‍👩‍👧',
    '👨🏽‍🚀 team',
    '🏳️‍🌈',
    '❤️‍🔥',
    '1️⃣ first',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '🇩🇪',
    '☎︎',
    '✔ done',
    'C++',
    '#1',
    '42',
    '…',
    '\u{1faff}',
  ],
]

const named = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))

/** What is not seen, or turns what stands around it. */
const hidden = [
  ...[
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u1160',
    '\u17b4',
    '\u180e',
    '\u200b',
    '\u2060',
    '\u3164',
  ],
  ...['\ufeff', '\uffa0', '\ufff9', '\u0007', '\u007f', '\ue000', '\u0378', '\ufdd0', '\ud800'],
  ...[...named(0x200e, 0x200f), ...named(0x202a, 0x202e), ...named(0x2061, 0x206f)],
  ...['\u{e0001}', '\u{e0041}', '\u{e0101}', '\u{1d173}', '\u{10ffff}', '\u{f0000}'],
]
const joiners = ['\u200c', '\u200d', '\ufe0e', '\ufe0f', '\u{e0067}']

/** The ways to put a character into a name, with its position in it, counted in code points. */
function* places(name: string, character: string): Generator<[text: string, position: number]> {
  const points = [...name]
  for (const at of new Set([0, 1, points.length >> 1, points.length])) {
    yield [[...points.slice(0, at), character, ...points.slice(at)].join(''), at + 1]
  }
}

describe('a name', () => {
  test('is what people of any script are called', () => {
    for (const name of good) {
      assert.equal(nameFault(name), undefined, name)
      assert.equal(tidyName(tidyName(name)), tidyName(name))
      assert.equal(mendedName(name, 100), tidyName(name))
    }
  })

  test('has nothing that is not seen or that turns, wherever it stands, and the fault says where', () => {
    for (const name of ['Iago', '田中', 'שלום']) {
      for (const character of hidden.filter((one) => one !== '\u{e0101}' || name !== '田中')) {
        for (const [text, position] of places(name, character)) {
          assert.deepEqual(nameFault(text), { kind: 'character', character, position }, text)
          assert.equal(nameFault(mendedName(text, 60)), undefined)
          assert.equal(mendedName(text, 60).replaceAll(/[\s\ufffd]/g, ''), name)
        }
      }
    }
  })

  test('has joiners and forms only where they change what is seen', () => {
    for (const name of ['Iago', '田中', 'Юлія', 'Ελένη', '한국어', '123']) {
      for (const character of joiners) {
        for (const [text, position] of places(name, character)) {
          assert.deepEqual(nameFault(text), { kind: 'character', character, position }, text)
          assert.equal(mendedName(text, 60), name)
        }
      }
    }
    const double = [
      'م\u200c\u200cم',
      '👩\u200d',
      '\u200d👩',
      '👩\u200d\u200d👩',
      '👩\ufe0f\ufe0f',
      '🏴\u{e0067}',
    ]
    for (const text of double) assert.equal(nameFault(text)?.kind, 'character', text)
  })

  test('has something to see', () => {
    for (const blank of ['\u2800', '\u2800\u2800 \u2800', '\u0301', '\u0301 \u0302']) {
      assert.deepEqual(nameFault(blank), { kind: 'unseen' })
      assert.equal(mendedName(blank, 60), '')
    }
    for (const blank of ['', ' ', '\u3000', '\u2028\u00a0']) {
      assert.deepEqual(nameFault(blank), { kind: 'empty' })
    }
    for (const blank of hidden) assert.equal(mendedName(blank, 60).replace('\ufffd', ''), '')
  })

  test('has as many marks on a character as scripts need, and not so many that they cover other lines', () => {
    assert.equal(nameFault(`a${'\u0301'.repeat(8)}b`), undefined)
    assert.deepEqual(nameFault(`  xa${'\u0301'.repeat(90)}`), { kind: 'marks', position: 13 })
    assert.deepEqual(nameFault(`क${'\u094d\u200d'.repeat(9)}`), { kind: 'marks', position: 18 })
    assert.equal(nameFault(mendedName(`a${'\u0301'.repeat(90)}b`, 60)), undefined)
  })

  test('is composed and has single blanks, whatever kind of blank was typed', () => {
    assert.equal(tidyName(' Jose\u0301 \u00a0\u3000 A\u2028B '), 'José A B')
    assert.equal(mendedName('a\tb\r\nc\u0007d', 60), 'a b c d')
    assert.equal(nameFault('a\u2003b'), undefined)
  })

  test('that is cut stays one', () => {
    for (const name of good) {
      const long = `${name} `.repeat(20)
      for (let most = 1; most < 24; most++) {
        const cut = mendedName(long, most)
        assert.ok([...cut].length <= most)
        if (cut !== '') assert.equal(nameFault(cut), undefined, cut)
      }
    }
  })

  test('is checked and mended in time that grows with its length only', () => {
    for (const part of [
      '\u0301',
      'a\u200d',
      '👩\u200d',
      '\u{e0061}',
      '🏴\u{e0061}',
      'م\u200c',
      ' \t',
      'क्\u200d',
    ]) {
      const text = part.repeat(20_000)
      nameFault(text)
      mendedName(text, 60)
      nameKey(text)
    }
  })
})

describe('the key of a name', () => {
  test('is the same for all that looks the same', () => {
    for (const name of good) {
      const key = nameKey(name)
      assert.equal(nameKey(key), key)
      for (const same of [
        name.normalize('NFD'),
        name.normalize('NFC'),
        ` ${name} `,
        name.toLowerCase(),
      ]) {
        assert.equal(nameKey(same), key, same)
      }
      for (const character of ['\u00ad', '\u200b', '\u2060', '\ufeff', '\u200e', '\u202e']) {
        for (const [text] of places(name, character)) assert.equal(nameKey(text), key)
      }
    }
    const pairs = [
      ['Iago', 'Ｉａｇｏ'], ['King Hamlet', 'King\u00a0\u2003hamlet'], ['Straße', 'STRASSE'],
      ['ΟΔΟΣ', 'οδος'], ['ﬁn', 'FIN'], ['㍿', '株式会社'], ['King Hamlet', 'king\u2800hamlet'],
    ] as const // biome-ignore format: pairs
    for (const [one, other] of pairs) assert.equal(nameKey(one), nameKey(other))
  })

  test('differs where names do', () => {
    assert.equal(new Set(good.map(nameKey)).size, good.length)
    assert.notEqual(nameKey('ısı'), nameKey('isi'))
    assert.notEqual(nameKey('King Hamlet'), nameKey('KingHamlet'))
    assert.notEqual(nameKey('José'), nameKey('Jose'))
  })
})

test('an error names a character by its number, and shows it where it can be seen', () => {
  assert.deepEqual(['\u200b', '*', '\u{e0041}', '\n', '日'].map(namedCharacter), [
    'U+200B', '* (U+002A)', 'U+E0041', 'U+000A', '日 (U+65E5)',
  ]) // biome-ignore format: short
})
