import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { catalogueLanguages, differences, readCatalogueFile } from '../../.build/catalogues.ts'
import { listTexts } from '../../.build/texts-of.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const found = listTexts(root)

test('the texts of client and server are found, also in tables and in two forms', () => {
  const textOf = (key: string) => found.find((text) => text.key === key)
  assert.equal(textOf('Inbox')?.isClient, true)
  assert.equal(textOf('Owner')?.isClient, true)
  assert.deepEqual(textOf('1 hour ago | {count} hours ago')?.forms, [
    '1 hour ago',
    '{count} hours ago',
  ])
})

test('English texts are as a native speaker writes them', () => {
  const habits = /^Who (?!can\b)|^Of |, too\b|\bany more\b|\b(?:every|some)body\b|, whom\b/i
  const odd = found.filter(({ forms }) => forms.some((form) => habits.test(form)))
  assert.deepEqual(
    odd.map(({ key, places }) => `${places[0]}: ${key}`),
    [],
  )
})

for (const language of catalogueLanguages(root)) {
  describe(`the catalogue of ${language}`, () => {
    const file = readCatalogueFile(root, language)
    const { missing, unused, wrong } = differences(file, found)

    test('is named after its language', () => {
      assert.equal(file.language, language)
      assert.deepEqual(Intl.getCanonicalLocales(language), [language])
    })

    test('has the placeholders and the plural forms of every text', () => {
      assert.deepEqual([...wrong], [])
    })

    test('has no text that no source has', () => {
      assert.deepEqual(unused, [])
    })

    test('has every text, if it says so', () => {
      if (file.isWhole) {
        assert.deepEqual(
          missing.map(({ key }) => key),
          [],
        )
      }
    })
  })
}

test('a catalogue that misses a text, has an unknown one, or other placeholders, is told apart', () => {
  const text = { forms: [], isClient: true, places: [] }
  const texts = [
    { ...text, key: 'Inbox' },
    { ...text, key: 'Message {name}' },
    { ...text, key: 'one message | {count} messages' },
  ]
  const file = {
    language: 'pl',
    note: '',
    isWhole: false,
    client: {
      Outbox: 'Wysłane',
      'Message {name}': 'Do {nazwa}',
      'one message | {count} messages': { one: 'wiadomość', other: '{count} wiadomości' },
    },
    server: {},
  }
  const { missing, unused, wrong } = differences(file, texts)
  assert.deepEqual(
    missing.map(({ key }) => key),
    ['Inbox'],
  )
  assert.deepEqual(unused, ['Outbox'])
  assert.deepEqual(
    [...wrong],
    [
      ['Message {name}', 'has {nazwa} instead of {name}'],
      ['one message | {count} messages', 'has no form for few, many'],
    ],
  )
})
