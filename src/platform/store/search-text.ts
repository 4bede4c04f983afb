import { emojiByName, emojiNames, emojiOfCharacters } from '#platform/emoji-data/unicode.ts'
import { messageText } from '#shared/message-text.ts'

/**
 * The tokenizer of the search index, and of all code that has to agree with it: it splits texts
 * from `searchText` into words, without English endings. Marks are parts of words, because Indic
 * vowels are marks.
 */
export const searchTokenizer = `tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"`

/** Letters of scripts that write words without spaces between them. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Bopomofo}\\p{Script=Hangul}\\p{Script=Yi}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}' +
  '\\p{Script=Tai_Tham}\\p{Script=Tai_Viet}\\p{Script=Javanese}\\p{Script=Balinese}'
const letter = `(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{Co}\\p{M}])`
/**
 * What is left out of words that are longer than anyone types, such as hashes and encoded files: the
 * index would take more room for them than the messages do.
 */
const beyondWord = new RegExp(`(?<=${letter}{64})${letter}+`, 'gu')

/** A character with its marks, unless it is plain ASCII. More marks than these count alone. */
const unit =
  '(?:[^\\0-\\x7f]|[a-zA-Z](?=\\p{M}))(?:\\p{M}|(?<=[\\uff66-\\uff9d])[\\uff9e\\uff9f]|[\\u1160-\\u11ff]){0,8}'
/** Flags, keycaps, and other emoji, with what belongs to them; and names of emoji. */
const emoji =
  '\\p{RI}\\p{RI}|[0-9#*]\\ufe0f?\\u20e3|(?![\\0-\\x7f©®™])\\p{Emoji}(?:\\p{EMod}|\\ufe0f)?' +
  '[\\u{e0020}-\\u{e007f}]*(?:\\u200d\\p{Emoji}(?:\\p{EMod}|\\ufe0f)?)*|:[\\w+-]{1,60}(?=:)'
/** Letters that touch a version: `v` in `v2`, `rc` in `2.1rc3`. */
const beforeVersion = '(?<![a-zA-Z0-9_])(?:[vV](?=\\d)|[a-zA-Z]{1,20}(?=\\d{1,9}\\.\\d))'
const behindVersion = '(?<=\\d\\.\\d{1,9})[a-zA-Z]{1,20}'
const units = new RegExp(unit, 'gu')
const pieces = new RegExp(
  `(?<emoji>${emoji})|(?<before>${beforeVersion})|(?<behind>${behindVersion})|${unit}`,
  'gu',
)

/** Stands before the code of an emoji, so that no word is like it. */
const emojiSign = '\uf8fe'
/** A word that no text has, so that no phrase goes from a text to what was added to it. */
const addition = ' \uf8fd '

/**
 * Prepares a text for the tokenizer: normalizes case, width and accents, puts spaces around each
 * character of scripts that write words without spaces, so that a word in such a text is a phrase of
 * characters, and makes one word of an emoji, whether it is a character or a name between colons.
 * Korean is such a script as well, because its words end in particles. Versions are parts of their own.
 *
 * Queries are prepared like this.
 */
export function searchText(text: string): string {
  const cut = withoutLongWords(text)
  return isPlain(cut) ? cut : traced(cut, undefined)
}

/**
 * The same with the names of emoji, by which they are found as well, and with the lines that people
 * read otherwise than they were written, such as a word that is half in bold. The search index holds
 * such texts.
 *
 * @param html what people read, if it differs from a paragraph with the text
 */
export function indexedText(text: string, html?: string | null): string {
  const cut = withoutLongWords(text)
  const form = isPlain(cut) ? cut : traced(cut, undefined, true)
  const lines = html ? otherLines(html, form) : []
  return [form, ...lines].join(addition)
}

/** Whether a text is in the index in another form than that of its words alone. */
export function hasFurtherWords(text: string, html: string | null): boolean {
  return indexedText(text, html) !== text.replace(units, prepared)
}

function otherLines(html: string, form: string): string[] {
  const known = new Set(wordsOf(form))
  return messageText(html)
    .split('\n')
    .map(searchText)
    .filter((line) => wordsOf(line).some((word) => !known.has(word)))
}

const wordsOf = (form: string): readonly string[] =>
  form.toLowerCase().match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? []

/** Longer words count as their beginning, where words are listed. */
export const longestWord = 40

/** The words of a text as the search index has them, each perhaps several times. */
export const searchWords = (text: string): string[] =>
  wordsOf(searchText(text)).map((word) => word.slice(0, longestWord))

/** A prepared text, and where each of its UTF-16 code units comes from. */
export interface TracedText {
  readonly text: string
  /** The part of the original text, as `[from, to)`, that the code units `[from, to)` stand for. */
  origin(from: number, to: number): [from: number, to: number]
}

/** Does what `indexedText` does, for finding matches again in the original. */
export function traceSearchText(text: string): TracedText {
  const ends = longWords(text)
  if (ends.length === 0) return traceText(text)
  const { text: made, origin } = traceText(withoutLongWords(text))
  /** Where a place in the cut text is in the whole one; the end of a cut word is that of the whole. */
  const whole = (at: number) =>
    ends.reduce((place, { from, length }) => (place >= from ? place + length : place), at)
  return {
    text: made,
    origin(from, to) {
      const [start, end] = origin(from, to)
      return [whole(start), whole(end)]
    },
  }
}

function traceText(text: string): TracedText {
  if (isPlain(text)) return { text, origin: (from, to) => [from, to] }
  const starts: number[] = []
  const ends: number[] = []
  const add = (part: string, at: number, length: number) => {
    for (let i = 0; i < part.length; i++) {
      starts.push(length === 0 ? at + i : at)
      ends.push(length === 0 ? at + i + 1 : at + length)
    }
  }
  const made = traced(text, add, true)
  return { text: made, origin: (from, to) => [starts[from] ?? 0, ends[to - 1] ?? 0] }
}

/**
 * @param add is called with each part, and the place and length of what it stands for; a length of 0:
 * it is as in the text
 */
function traced(
  text: string,
  add: ((part: string, at: number, length: number) => void) | undefined,
  namesEmoji = false,
): string {
  let made = ''
  let names: [code: string, at: number, length: number][] = []
  const put = (part: string, at: number, length: number) => {
    add?.(part, at, length)
    made += part
  }
  const putUnits = (part: string, at: number) => {
    let end = 0
    for (const { 0: one, index } of part.matchAll(units)) {
      put(part.slice(end, index), at + end, 0)
      put(prepared(one), at + index, one.length)
      end = index + one.length
    }
    put(part.slice(end), at + end, 0)
  }
  let done = 0
  for (const { 0: piece, index, groups } of text.matchAll(pieces)) {
    put(text.slice(done, index), done, 0)
    done = index + piece.length
    const code = groups?.emoji === undefined ? undefined : emojiCode(piece)
    if (code !== undefined) {
      if (piece.startsWith(':')) done += 1
      put(` ${emojiSign}${code.replaceAll('-', 'x')}x `, index, done - index)
      if (namesEmoji) names.push([code, index, done - index])
    } else if (groups?.before !== undefined) {
      put(piece, index, 0)
      put(' ', index, piece.length)
    } else if (groups?.behind !== undefined) {
      put(' ', index, piece.length)
      put(piece, index, 0)
    } else if (groups?.emoji === undefined) put(prepared(piece), index, piece.length)
    else putUnits(piece, index)
  }
  put(text.slice(done), done, 0)
  // Where it is traced, every one: each may be marked.
  if (!add) names = [...new Map(names.map((each) => [each[0], each])).values()]
  for (const [code, at, length] of names) {
    for (const name of emojiNames(code)) put(`${addition}${name} `, at, length)
  }
  return made
}

/** The code of an emoji by its name between colons, or by its characters, without a skin tone. */
function emojiCode(piece: string): string | undefined {
  if (piece.startsWith(':')) return emojiByName(piece.slice(1))
  return emojiOfCharacters(piece) ?? emojiOfCharacters(piece.replace(/\p{EMod}/gu, ''))
}

/** Whether so many code units in a row are no blanks; looks at a few of each word only. */
function mayHaveLongWord(text: string): boolean {
  const least = 65
  for (let end = least - 1; end < text.length; ) {
    let from = end
    while (from > end - least && text.charCodeAt(from) > 0x20) from--
    if (from === end - least) return true
    end = from + least
  }
  return false
}

/** Where words are cut, and how many UTF-16 code units are left out there. */
function longWords(text: string): { readonly from: number; readonly length: number }[] {
  if (!mayHaveLongWord(text)) return []
  return [...text.matchAll(beyondWord)].map(({ 0: rest, index }) => ({
    from: index,
    length: rest.length,
  }))
}

function withoutLongWords(text: string): string {
  return mayHaveLongWord(text) ? text.replaceAll(beyondWord, '') : text
}

function isPlain(text: string): boolean {
  return !/[^\0-\x7f]|:[\w+-]+:|[vV]\d|[a-zA-Z]\d{1,9}\.\d|\d\.\d{1,9}[a-zA-Z]/.test(text)
}

/** Kana, common Han characters and Hangul syllables, which need no other change. */
const ready = /^[ぁ-ゖァ-ヺー㐀-鿿가-힣]$/

/** Scripts that write words without spaces between them, and Hangul. */
const unbroken =
  /(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}]|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Javanese}\p{Script=Balinese}])\p{M}*/gu

/** A compatibility form that stands for more characters than this stays as it is. */
const longestForm = 6

/** The prepared forms of short units, because few occur again and again. */
const known = new Map<string, string>()
const mostKnown = 10_000

function prepared(unit: string): string {
  if (ready.test(unit)) return ` ${unit} `
  if (unit.length > 3) return prepare(unit)
  let form = known.get(unit)
  if (form === undefined) {
    if (known.size >= mostKnown) known.clear()
    form = prepare(unit)
    known.set(unit, form)
  }
  return form
}

function prepare(unit: string): string {
  const form = unit.normalize('NFKC')
  const short = form.length > Math.max(longestForm, unit.length) ? unit : form
  return fold(short.toLowerCase()).replace(unbroken, ' $& ')
}

/** Letters that people also write, or search for, in another way. */
const alike: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ς: 'σ',
  // Tatweel and soft hyphen, joiners and marks of direction: none of them letters. Neither are the
  // selectors and the key that make emoji of characters.
  ـ: '',
  '\u00ad': '',
  '\u200c': '',
  '\u200d': '',
  '\u200e': '',
  '\u200f': '',
  '\u2060': '',
  '\ufeff': '',
}

/**
 * Marks that a text may lack: accents of Latin and Greek letters, Hebrew and Arabic points, stress
 * in Cyrillic, and the dots of ё. Those of й and ї, and all marks of other scripts, make another
 * letter.
 */
const optional =
  /(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}|[\u0300\u0301]|(?<=\u0435)\u0308|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]|(?<=\u0627)[\u0653-\u0655]/gu

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(optional, '')
    .normalize('NFC')
    .replace(unlike, (letter) => alike[letter] ?? '')
}

/** What `fold` replaces. */
const unlike = /[ßıæœøđħłŧςـ\u00ad\u200c-\u200f\u2060\ufeff]|[\ufe00-\ufe0f]|\u20e3/gu

/** What a program without the names of emoji needs to find the same words in a text. */
export const folding = { alike, emojiSign, longestForm, optional, pieces, unbroken, units, unlike }
