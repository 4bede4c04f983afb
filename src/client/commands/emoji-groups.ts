import type { NamedEmoji } from '#client/ui/emoji-search.ts'
import { t } from '#client/ui/t.ts'
import { text } from '#translations/translate.ts'

/** A part of the emoji picker. */
export interface EmojiGroup {
  readonly id: string
  readonly name: string
  /** Its symbol among the tabs. */
  readonly glyph: string
  readonly emoji: readonly NamedEmoji[]
}

/** The usual groups in their order, each with the code of its first emoji in the server's data. */
const starts = [
  { first: '1f600', id: 'smileys', name: text('Smileys'), glyph: '😀' },
  { first: '1f44b', id: 'people', name: text('People'), glyph: '👋' },
  { first: '1f435', id: 'nature', name: text('Animals and nature'), glyph: '🐻' },
  { first: '1f347', id: 'food', name: text('Food and drink'), glyph: '🍔' },
  { first: '1f30d', id: 'travel', name: text('Travel and places'), glyph: '🚗' },
  { first: '1f383', id: 'activities', name: text('Activities'), glyph: '⚽' },
  { first: '1f453', id: 'objects', name: text('Objects'), glyph: '💡' },
  { first: '1f3e7', id: 'symbols', name: text('Symbols'), glyph: '🔣' },
  { first: '1f3c1', id: 'flags', name: text('Flags'), glyph: '🏁' },
] as const

/**
 * Emoji at another place in the data, because numeric keys come first in JSON objects: each with
 * the one that it follows in pickers. All others of them are symbols.
 */
const predecessors: Readonly<Record<string, string>> = {
  2639: '1f641',
  2620: '1f480',
  2763: '1f494',
  2764: '2763',
  2618: '1f33f',
  2615: '1f95b',
  2668: '1f309',
  2693: '1f6a7',
  2708: '1f6a2',
  2600: '1f31c',
  2601: '1f30c',
  2602: '1f302',
  2614: '2602',
  2744: '26a1',
  2603: '2744',
  2604: '26c4',
  2728: '1f387',
  2660: '1f9f8',
  2665: '2660',
  2666: '2665',
  2663: '2666',
  2328: '1f5a8',
  2709: '1f4e7',
  2712: '270f',
  2702: '1f4cc',
  2692: '26cf',
  2694: '1f5e1',
  2699: '1f529',
  2696: '1f5dc',
  2697: '1f9ea',
}

const isMisplaced = (code: string) => /^\d+$/.test(code)

/** Unicode emoji by group, in the order of pickers. @param unicode in that of the server's data */
export function groupsOf(unicode: readonly NamedEmoji[]): readonly EmojiGroup[] {
  const byCode = new Map(unicode.map((emoji) => [emoji.code, emoji]))
  const followers = new Map<string, string>()
  for (const [code, before] of Object.entries(predecessors)) followers.set(before, code)
  const groups = starts.map((start) => ({
    ...start,
    name: t(start.name),
    emoji: [] as NamedEmoji[],
  }))
  const placed = new Set<string>()
  let at = 0
  for (const emoji of unicode) {
    if (isMisplaced(emoji.code)) continue
    const next = groups.findIndex(({ first }) => first === emoji.code)
    if (next >= 0) at = next
    let each: NamedEmoji | undefined = emoji
    while (each && !placed.has(each.code)) {
      groups[at]?.emoji.push(each)
      placed.add(each.code)
      each = byCode.get(followers.get(each.code) ?? '')
    }
  }
  const symbols = groups.find(({ id }) => id === 'symbols')
  symbols?.emoji.push(...unicode.filter(({ code }) => !placed.has(code)))
  return groups
}
