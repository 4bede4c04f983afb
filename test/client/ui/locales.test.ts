import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, afterEach, test } from 'node:test'
import { shortMoment } from '#client/commands/moments.ts'
import { byName } from '#client/state/names.ts'
import { agoText, dateText, dayText, exactText, momentText, timeText } from '#client/ui/dates.ts'
import { listText, setCatalogue, tn } from '#client/ui/t.ts'
import { createTranslator, english } from '#translations/translate.ts'

const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator')

/** Reads a page in a language, in a browser with languages of its own. */
function read(language: string, languages: readonly string[]): void {
  Object.defineProperty(globalThis, 'navigator', { value: { languages }, configurable: true })
  setCatalogue({ language, texts: {} })
}

afterEach(() => setCatalogue(english))
after(() => {
  if (own) Object.defineProperty(globalThis, 'navigator', own)
})

/** Names in the order of a language. */
const orders: readonly (readonly [language: string, ...names: string[]])[] = [
  ['en', 'aaron', 'Äbel', 'ada', 'Zoe'],
  ['de', 'Abel', 'Äbler', 'Adam', 'Östen', 'Otto', 'zoe'],
  ['sv', 'Abel', 'Otto', 'Zoe', 'Åsa', 'Äbel', 'Östen'],
  ['es', 'nube', 'nzinga', 'ñandú', 'Oso'],
  ['fr', 'eclair', 'Éclat', 'ecole', 'Élan'],
  ['ar', 'آدم', 'بدر', 'ياسر'],
  ['ja', 'あおい', 'いぶき', 'さくら'],
]

for (const [language, ...names] of orders) {
  for (const others of [[], ['en-US'], ['en-US-u-va-posix'], ['C'], [`${language}-u-va-posix`]]) {
    test(`names are in the order of ${language} in a browser in "${others}"`, () => {
      read(language, others)
      assert.deepEqual([...names].reverse().sort(byName), names)
      assert.deepEqual(['team 10', 'Team 9', 'team 1'].sort(byName), [
        'team 1',
        'Team 9',
        'team 10',
      ])
    })
  }
}

for (const tag of [
  'ar',
  'ar-EG',
  'ar-SA',
  'ar-u-nu-arab',
  'fa-IR',
  'hi-u-nu-deva',
  'ja',
  'de-CH',
]) {
  test(`one page in ${tag} has one kind of digits`, () => {
    read(tag.split('-')[0] ?? tag, [tag])
    const at = Date.UTC(2024, 10, 15, 14, 5) / 1000
    const clock = { twenty_four_hour_time: true }
    const texts = [
      tn(15, '1 minute ago', '{count} minutes ago'),
      agoText(at - 900, at),
      timeText(at, clock),
      timeText(at, { twenty_four_hour_time: false }),
      dayText(at),
      dateText(at),
      exactText(at, clock),
      momentText(at, clock),
      shortMoment(new Date(at * 1000)),
      listText(['room 1', 'room 2']),
      createTranslator({ language: tag, texts: {} }).number(1_234_567),
    ]
    for (const each of texts) assert.match(each, /^(?=.*\d)(?:\d|\P{Nd})+$/u)
  })
}

for (const [tag, text] of [
  ['en', '2:05 PM'],
  ['de', '14:05'],
  ['fr', '14:05'],
  ['ja', '14:05'],
] as const) {
  test(`without the setting, times in ${tag} have the hours of the language`, () => {
    read(tag, [tag])
    const at = new Date(2024, 10, 15, 14, 5).getTime() / 1000
    const said = timeText(at, { twenty_four_hour_time: false }).replace(/\s/g, ' ')
    assert.equal(said, text)
  })
}

/** What makes words of the browser's own language, and where it may: from other places, or in none. */
const formats = /\.localeCompare\(|\.toLocale(?:Date|Time)?String\(|new Intl\.(?!DisplayNames)\w+\(/
const homes = [
  'state/names.ts',
  'ui/dates.ts',
  // Numbers to calculate with.
  'notices/quiet.ts',
  // Dates that people write.
  'compose/formatting.ts',
  // The clock that visitors are used to.
  'spectator/messages-pane.tsx',
]

test('only one place makes orders, and one times, of a language', () => {
  const client = new URL('../../../src/client/', import.meta.url)
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' })
  const found = files
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => formats.test(readFileSync(new URL(file, client), 'utf8')))
  assert.deepEqual(found.sort(), homes.sort())
})
