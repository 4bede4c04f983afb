/*
 * What names are made of: those of people, bots, groups, channels, folders, profile fields and topics.
 * A name is one line of characters that are seen, in the order in which they are read.
 */

/** What a name must not contain, and where. Positions count code points, from 1. */
export type NameFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'unseen' }
  | { readonly kind: 'character'; readonly character: string; readonly position: number }
  | { readonly kind: 'marks'; readonly position: number }

/** The most combining marks on one character. */
const mostMarks = 8

/** Words of ASCII with single blanks between them, as most names are: nothing else has to be looked for. */
const plain = /^[!-~]+(?: [!-~]+)*$/
const blank = /\p{White_Space}/u
// V8 reads a pattern when it is evaluated, which takes a while with sets of Unicode.

/** What has no picture of its own, or turns what stands beside it. */
const unseen = () => /[\p{C}\p{Default_Ignorable_Code_Point}]/u
/** Code points that later versions of Unicode give to emoji. */
const futureEmoji = () => /(?=\p{Extended_Pictographic})\p{Cn}/u
/** What a reader sees. U+2800 is a Braille cell without dots. */
const seen = () =>
  /(?![\u2800\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u

/** Letters and marks of scripts in which joiners change how letters are written. */
const joining = () =>
  /(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Phag}\p{scx=Mani}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}\p{scx=Sund}\p{scx=Newa}]/u
/** Signs that join consonants: a joiner behind one also changes the last letter of a word. */
const virama = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]/
const pictograph = () => /\p{Extended_Pictographic}/u
/** What may follow a pictograph in the same emoji: its form, its color of skin, the end of a flag. */
const pictographEnd = /[\ufe0f\u{1f3fb}-\u{1f3ff}\u{e007f}]/u

/**
 * A name as it is stored: composed, with single blanks, and none at its ends.
 *
 * @param text may still have a fault
 */
export function tidyName(text: string): string {
  return text === '' || plain.test(text) ? text : withSingleBlanks(text.normalize('NFC'))
}

function withSingleBlanks(text: string): string {
  return text.replace(/\p{White_Space}+/gu, ' ').replace(/^ | $/g, '')
}

/**
 * What is wrong with a name; undefined if `tidyName` makes a name of it.
 *
 * @param forbidden further characters that this kind of name must not contain
 */
export function nameFault(text: string, forbidden?: RegExp): NameFault | undefined {
  if (plain.test(text) && !forbidden?.test(text)) return undefined
  const inner = text.replace(/^\p{White_Space}+/u, '')
  const first = text.length - inner.length + 1
  const points = [...inner]
  while (blank.test(points.at(-1) ?? '')) points.pop()
  if (points.length === 0) return { kind: 'empty' }
  for (const [i, character] of points.entries()) {
    if (!fits(points, i) || forbidden?.test(character)) {
      return { kind: 'character', character, position: first + i }
    }
  }
  const excess = excessMark(points)
  if (excess >= 0) return { kind: 'marks', position: first + excess }
  return seen().test(text) ? undefined : { kind: 'unseen' }
}

/**
 * Makes a name of any text, for those who cannot be asked: leaves out what it must not contain.
 *
 * @param forbidden further characters
 * @returns an empty string if nothing is left to see
 */
export function mendedName(text: string, most: number, forbidden?: RegExp): string {
  // Invisible characters may be many, but nobody reads behind so many of them.
  const points = [...text.slice(0, 20 * most + 1000).toWellFormed()]
  let kept = points
    .filter((character) => !forbidden?.test(character))
    .map((character) => (/[\p{White_Space}\p{Cc}]/u.test(character) ? ' ' : character))
  // What is left out may bring a joiner beside what it cannot join.
  for (let before = -1; before !== kept.length; ) {
    before = kept.length
    kept = kept.filter((_, i) => fits(kept, i))
  }
  for (let at = excessMark(kept); at >= 0; at = excessMark(kept, at)) kept.splice(at, 1)
  const name = [...tidyName(kept.join(''))].slice(0, most).join('').trimEnd()
  if (!seen().test(name)) return ''
  // A cut can leave half an emoji behind.
  return nameFault(name, forbidden) ? mendedName(name, most, forbidden) : name
}

/** A character for an error message: its number, and itself if it can be seen. */
export function namedCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return unseen().test(character) || !seen().test(character)
    ? `U+${code}`
    : `${character} (U+${code})`
}

/**
 * The key by which names are the same: whether one is taken, and whom a mention means. Differences in
 * case, width, composition and blanks do not count, nor does what cannot be seen.
 */
export function nameKey(name: string): string {
  if (plain.test(name)) return name.toLowerCase()
  const folding = name
    .normalize('NFKC')
    .replace(/(?!\p{White_Space})[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, '')
    .replace(/\p{Changes_When_Casefolded}/gu, folded)
    .normalize('NFKC')
  return withSingleBlanks(folding.replaceAll('\u2800', ' '))
}

/**
 * The keys to look for a name by, where keys are unique. Names from before there were rules, that are
 * the same as another by `nameKey`, are kept under their lower-cased form, which no name has as its key.
 */
export function keysOf(name: string): string[] {
  const [before, key] = [name.trim().toLowerCase(), nameKey(name)]
  return before === key ? [key] : [before, key]
}

/** Unicode's full case folding of a character. `ß` has no other case of one letter, `ς` is a `σ`. */
function folded(character: string): string {
  const lower = character.toLowerCase()
  return lower === character ? character.toUpperCase().toLowerCase() : lower
}

function fits(points: readonly string[], i: number): boolean {
  const character = points[i] ?? ''
  if (!unseen().test(character)) return true
  // White space becomes a blank; control characters are no white space.
  if (blank.test(character)) return !/\p{C}/u.test(character)
  if (futureEmoji().test(character)) return true
  const before = points[i - 1] ?? ''
  const after = points[i + 1] ?? ''
  if (character === '\u200d' && pictograph().test(after)) {
    return pictograph().test(before) || (pictographEnd.test(before) && hasPictograph(points, i))
  }
  if (character === '\u200c' || character === '\u200d') {
    return joining().test(before) && (joining().test(after) || virama.test(before))
  }
  if (character === '\ufe0e' || character === '\ufe0f') {
    return pictograph().test(before) || (/[0-9#*]/.test(before) && after === '\u20e3')
  }
  // Forms of one and the same character, which names of people and places in Japan need.
  if (/[\u{e0100}-\u{e01ef}]/u.test(character)) return /\p{Script=Han}/u.test(before)
  if (/[\u180b-\u180d\u180f]/.test(character)) return /\p{Script=Mongolian}/u.test(before)
  return inFlag(points, i)
}

/** Whether what ends before `i` as an emoji does begins as one. */
function hasPictograph(points: readonly string[], i: number): boolean {
  const before = points[i - 2] ?? ''
  return pictograph().test(before) || /[\ufe0f\u{e0020}-\u{e007e}]/u.test(before)
}

/** The longest region in a flag, and the sign of its end. */
const longestTag = 8

/** Whether a tag belongs to the flag of a region, such as Scotland: a black flag, tags, an end. */
function inFlag(points: readonly string[], i: number): boolean {
  const isTag = (character = '') => /[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]/u.test(character)
  let from = i
  while (i - from < longestTag && (isTag(points[from]) || points[from] === '\u{e007f}')) from--
  let to = from + 1
  while (to - from <= longestTag && isTag(points[to])) to++
  return points[from] === '\u{1f3f4}' && to > from + 1 && points[to] === '\u{e007f}' && i <= to
}

/** Where a mark is one too many on its character; -1: nowhere. Joiners do not begin a new character. */
function excessMark(points: readonly string[], from = 0): number {
  let marks = 0
  for (let i = 0; i < points.length; i++) {
    const character = points[i] ?? ''
    if (/\p{M}/u.test(character)) marks++
    else if (!unseen().test(character)) marks = 0
    if (marks > mostMarks && i >= from) return i
  }
  return -1
}
