/*
 * What may stand beside a mention, a link to a channel, a URL or the match of a linkifier. Scripts
 * that write words without spaces leave none there, nor do emoji.
 */

/** Scripts that write words without spaces between them; Korean words end in particles. */
export const unspaced = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Yi', 'Thai', 'Lao', 'Khmer', 'Myanmar'] as const // biome-ignore format: a list

/** Quotation marks and other punctuation outside ASCII that neither a URL nor a reference contains. */
export const foreignMarks =
  '、。，．；：！？（）［］｛｝「」『』【】〔〕〈〉《》〖〗｡｢｣､“”„‘’«»‹›…—'

const unspacedLetter = new RegExp(
  `[ー${unspaced.map((script) => `\\p{Script=${script}}`).join('')}]`,
  'u',
)
const emoji =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u{e007f}]|\u{fe0f}|\u{20e3}/u
const marks = new Set(foreignMarks)

export const isUnspaced = (character: string) => unspacedLetter.test(character)
/** Whether a character outside ASCII is an emoji, or the end of one. */
export const isEmoji = (character: string) => character > '\x7f' && emoji.test(character)
export const isForeignMark = (character: string) => marks.has(character)

/** The character that ends before a position in a text. */
export function characterBefore(source: string, at: number): string {
  const last = source[at - 1] ?? ''
  const isLow = last >= '\udc00' && last <= '\udfff'
  return isLow ? source.slice(Math.max(0, at - 2), at) : last
}

/** The character at a position in a text. */
export function characterAt(source: string, at: number): string {
  return String.fromCodePoint(source.codePointAt(at) ?? 0)
}

/** Whether a mention or a link to a channel may start here: nobody writes one by accident. */
export function startsReference(source: string, at: number): boolean {
  return at === 0 || !/[A-Za-z0-9_\\]/.test(source[at - 1] ?? '')
}
