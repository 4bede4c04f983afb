import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { catalogueLanguages, differences, readCatalogueFile } from '../../.build/catalogues.ts'
import { listTexts } from '../../.build/texts-of.ts'
import type { PluralForms } from '../../src/translations/translate.ts'

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

describe('the terms of the glossary', () => {
  const [, terms, exceptions] = readFileSync(`${root}src/translations/glossary.md`, 'utf8')
    .split('\n\n| ')
    .map((table) => rowsOf(table.split('\n\n')[0] ?? ''))
    .filter((rows) => rows.length > 1)
  const [head = [], ...rows] = terms ?? []
  const excepted = new Set((exceptions ?? []).map(([term, english]) => `${term}: ${english}`))

  for (const [column, language] of [...head.entries()].slice(1)) {
    test(`are those of the catalogue of ${language}`, () => {
      const { client, server } = readCatalogueFile(root, language)
      const translations = Object.entries({ ...client, ...server })
      const odd = rows.flatMap((row) => {
        const [term = ''] = row
        // A hyphen at its end says that a form is the beginning of others.
        const forms = (row[column] ?? '')
          .split(', ')
          .map((form) => form.replace(/-$/, '').toLowerCase())
        const used = new RegExp(`(?<![\\w:-])${term}s?(?![\\w-])`, 'i')
        const hasTerm = (text: string) => forms.some((form) => text.toLowerCase().includes(form))
        return translations
          .filter(([english]) => used.test(english.replaceAll(/\{\w+\}/g, '')))
          .filter(([english]) => !excepted.has(`${term}: ${english}`))
          .filter(([, translation]) => !hasTerm(allForms(translation)))
          .map(([english, translation]) => `${term}: ${english} = ${allForms(translation)}`)
      })
      assert.deepEqual(odd, [])
    })
  }
})

/** The cells of a table in Markdown whose first two characters were cut off; without its rule. */
function rowsOf(table: string): string[][] {
  const lines = `| ${table}`.split('\n').filter((line) => !/^\|[ |-]+\|$/.test(line))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function allForms(translation: string | PluralForms): string {
  return typeof translation === 'string' ? translation : Object.values(translation).join(' ')
}
