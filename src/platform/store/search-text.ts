/**
 * The tokenizer of the search index, and of all code that has to agree with it: it splits texts
 * from `searchText` into words, without English endings. Marks are parts of words, because Indic
 * vowels are marks.
 */
export const searchTokenizer = `tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"`

/** A character with its marks, unless it is plain ASCII. More marks than these count alone. */
const units =
  /(?:[^\0-\x7f]|[a-zA-Z](?=\p{M}))(?:\p{M}|(?<=[\uff66-\uff9d])[\uff9e\uff9f]|[\u1160-\u11ff]){0,8}/gu

/**
 * Prepares a text for the tokenizer: normalizes case, width and accents, and puts spaces around
 * each character of scripts that write words without spaces, so that a word in such a text is a
 * phrase of characters. Korean is such a script as well, because its words end in particles.
 *
 * The search index holds prepared texts, and queries are prepared in the same way.
 */
export function searchText(text: string): string {
  return isPlain(text) ? text : text.replace(units, prepared)
}

/** A prepared text, and where each of its UTF-16 code units comes from. */
export interface TracedText {
  readonly text: string
  /** The part of the original text, as `[from, to)`, that the code units `[from, to)` stand for. */
  origin(from: number, to: number): [from: number, to: number]
}

/** Does what `searchText` does, for finding matches again in the original. */
export function traceSearchText(text: string): TracedText {
  if (isPlain(text)) return { text, origin: (from, to) => [from, to] }
  const starts: number[] = []
  const ends: number[] = []
  let made = ''
  const add = (part: string, at: number, length: number) => {
    for (let i = 0; i < part.length; i++) {
      starts.push(length === 0 ? at + i : at)
      ends.push(length === 0 ? at + i + 1 : at + length)
    }
    made += part
  }
  let done = 0
  for (const { 0: unit, index } of text.matchAll(units)) {
    add(text.slice(done, index), done, 0)
    add(prepared(unit), index, unit.length)
    done = index + unit.length
  }
  add(text.slice(done), done, 0)
  return { text: made, origin: (from, to) => [starts[from] ?? 0, ends[to - 1] ?? 0] }
}

function isPlain(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
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
    .replace(
      /[ßıæœøđħłŧςـ\u00ad\u200c-\u200f\u2060\ufeff]|[\ufe00-\ufe0f]|\u20e3/gu,
      (letter) => alike[letter] ?? '',
    )
}
