import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupsOf } from '#client/commands/emoji-groups.ts'
import { toned } from '#client/commands/skin-tones.ts'
import { type EmojiData, matchedName, unicodeEmoji } from '#client/ui/emoji-search.ts'
import { emojiData } from '#platform/emoji-data/unicode.ts'

const all = unicodeEmoji(emojiData() as EmojiData)
const named = (name: string) => {
  const found = all.find(({ names }) => names.includes(name))
  assert.ok(found, name)
  return found
}

describe('the groups of the emoji picker', () => {
  const groups = groupsOf(all)
  const groupOf = (name: string) => groups.find(({ emoji }) => emoji.includes(named(name)))?.id

  test('have every emoji once, and faces first', () => {
    const codes = groups.flatMap(({ emoji }) => emoji.map(({ code }) => code))
    assert.equal(codes.length, all.length)
    assert.equal(new Set(codes).size, all.length)
    assert.equal(groups[0]?.emoji[0]?.name, 'grinning')
    assert.deepEqual(
      groups.filter(({ emoji }) => emoji.length < 30).map(({ id }) => id),
      [],
    )
  })

  test('have what stands elsewhere in the data where people look for it', () => {
    const places = {
      heart: 'smileys',
      sad: 'smileys',
      thumbs_up: 'people',
      shamrock: 'nature',
      coffee: 'food',
      airplane: 'travel',
      sunny: 'travel',
      sparkles: 'activities',
      gear: 'objects',
      question: 'symbols',
      check: 'symbols',
      transgender_flag: 'flags',
    }
    const found = Object.keys(places).map((name) => [name, groupOf(name)])
    assert.deepEqual(Object.fromEntries(found), places)
  })
})

test('a skin tone follows the person of an emoji, where it is one person', () => {
  const cases: readonly (readonly [string, number, string | undefined])[] = [
    ['👍', 0, undefined],
    ['👍', 3, '👍🏽'],
    ['✌️', 5, '✌🏿'],
    ['🤷‍♀️', 1, '🤷🏻‍♀️'],
    ['👩‍👧', 2, undefined],
    ['🚀', 2, undefined],
    ['👍', 9, undefined],
  ]
  for (const [text, tone, expected] of cases) assert.equal(toned(text, tone), expected)
})

test('the name that was looked for is the one that matched', () => {
  const thumb = named('thumbs_up')
  assert.equal(matchedName(thumb, ''), thumb.name)
  assert.equal(matchedName(thumb, 'thumbs u'), 'thumbs_up')
  assert.equal(matchedName(thumb, thumb.name), thumb.name)
  assert.equal(matchedName(thumb, 'nothing like it'), thumb.name)
})
