import { emojiText } from './emoji-text.ts'

/** The characters of named references; the server writes no others. */
const characters: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  amp: '&',
  nbsp: ' ',
}

/** @param name as between `&` and `;`, such as `#42` and `#x2a`, which authors write as well */
function characterOf(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  if (hex === undefined && decimal === undefined) return characters[name]
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000)
  return isCharacter ? String.fromCodePoint(point) : undefined
}

const blocks = /^(?:p|li|h[1-6]|pre|blockquote|div|tr|td|th|table|ul|ol)$/
/** Elements without an end. */
const empty = /^(?:br|hr|img|input|source|wbr)$/

/**
 * The text of a message where no HTML can be: in notifications, pushes, lists and for screen
 * readers. Without previews and hidden spoilers, with emoji as glyphs and formulas as source. Makes
 * no elements.
 *
 * @param html of the server, so that every element ends where it should
 */
export function messageText(html: string): string {
  let words = ''
  /** The depth inside an element whose text is left out, or already included. */
  let skipped = 0
  for (const [whole, end, tag = '', attributes = ''] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>|[^<]+/gi,
  )) {
    if (tag === '') {
      if (skipped === 0) words += whole
    } else if (empty.test(tag) || attributes.endsWith('/')) {
      if (skipped === 0) words += /^[bh]r$/.test(tag) ? '\n' : attributeOf(attributes, 'alt')
    } else if (end) {
      if (skipped > 0) skipped -= 1
      else if (blocks.test(tag)) words += '\n'
    } else if (skipped > 0) skipped += 1
    else {
      if (tag === 'li') words += '• '
      const said = saidInstead(tag, attributeOf(attributes, 'class'))
      if (said === undefined) continue
      words += said
      skipped = 1
    }
  }
  return words
    .replace(/&(#?\w+);/g, (reference, name: string) => characterOf(name) ?? reference)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

/** The text that replaces an element; undefined: its own text counts. */
function saidInstead(tag: string, className: string): string | undefined {
  if (/\bspoiler-content\b/.test(className)) return '…'
  if (/\bmessage_(?:inline_image|embed)\b/.test(className)) return ''
  // A formula occurs three times: drawn, as MathML, and inside that as source.
  if (/\bkatex-html\b/.test(className) || tag === 'mrow' || tag === 'mtable') return ''
  const emoji = /\bemoji-([0-9a-f-]+)/.exec(className)?.[1]
  return emoji === undefined ? undefined : emojiText(emoji)
}

function attributeOf(attributes: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
}

/** At most `most` characters, with an ellipsis in place of what is left out. */
export function shortened(text: string, most: number): string {
  const characters = text.length > most ? [...text] : []
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text
}
