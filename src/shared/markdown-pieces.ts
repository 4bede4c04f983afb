import { longerMarks } from './code-marks.ts'
import { isOwnAddress } from './own-html.ts'

/* The pieces of Markdown that a writer puts together. */

/** Longer prefixes do not come from quotes and lists. */
const longestPrefix = 40

/** Text that stands apart. */
export const block = (text: string) => (text.trim() === '' ? '' : `\n\n${text.trim()}\n\n`)

/** Text with the white space of HTML. */
export const oneBlank = (text: string) => text.replace(/[\s\u00a0\0]+/g, ' ')

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Without spaces around lines, and with at most one empty line in a row. */
export function tidy(text: string): string {
  return text
    .split('\n')
    .map(tidyLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** HTML puts at most one space before a line; more are the indentation of a list. */
function tidyLine(line: string): string {
  const whole = line.trimEnd()
  const own = whole.startsWith(' ') && !whole.startsWith('  ') ? whole.slice(1) : whole
  return own.replace(/(?<=[^\s>]) {2,}/g, ' ')
}

/** Marks must touch the words, and stay on one line. */
export function marked(text: string, mark: string): string {
  const words = text.trim()
  if (words === '' || words.includes('\n')) return text
  const start = text.length - text.trimStart().length
  const end = start + words.length
  return `${text.slice(0, start)}${mark}${words}${mark}${text.slice(end)}`
}

export function code(text: string): string {
  const words = text.trim()
  if (words === '') return text
  const sign = longerMarks(words, 1)
  return sign.length === 1 ? `\`${words}\`` : `${sign} ${words} ${sign}`
}

/**
 * A block between marks that it does not contain.
 *
 * @param info what stands behind the first mark
 * @param prefix the marks of quotes and lists around it
 */
export function fenced(text: string, info: string, prefix: string): string {
  const fence = longerMarks(`${info}\n${text}`, 3)
  const next = prefixOfNext(prefix)
  const lines = [...text.split('\n'), fence].map((line) => (next + line).trimEnd())
  return [prefix + fence + info, ...lines].join('\n')
}

/** Lines that stay as they are, without marks. @param prefix as for `fenced` */
export function indented(text: string, prefix: string): string {
  const next = prefixOfNext(prefix)
  const [first = '', ...rest] = text.split('\n')
  return [prefix + first, ...rest.map((line) => next + line)].join('\n')
}

function prefixOfNext(prefix: string): string {
  const isMarks = prefix.length <= longestPrefix && /^(> | {2}|[*-] |\d+\. )*$/.test(prefix)
  return isMarks ? prefix.replace(/[*-] |(?<!\d)\d+\. /g, (mark) => ' '.repeat(mark.length)) : ''
}

const schemes = /^(https?|mailto):/i
const richSchemes = /^(https?|mailto|ftp|tel|sms|xmpp|bitcoin):/i

/** A link; its words alone where Markdown cannot link there. */
export function link(words: string, href: string, isRich = false, title = ''): string {
  const shown = oneLine(words)
  if (!(isRich ? richSchemes : schemes).test(href) && !(isRich && isOwnAddress(href))) return words
  const url = href.replace(/[\s()<>]/g, (sign) => encodeURIComponent(sign).replace(/[()]/g, paren))
  const bare = url.replace(/^mailto:/i, '')
  if (shown === '') return ''
  const isBare = shown === bare || shown === href || `${shown}/` === bare
  if (isBare && title === '' && !bare.startsWith('/')) return bare
  const label = isBalanced(shown) ? shown : shown.replace(/[[\]]/g, '')
  return `[${label}](${url}${title && ` "${oneLine(title)}"`})`
}

/** Whether each bracket in a text has its other. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const sign of text) {
    if (sign === '[') depth++
    if (sign === ']' && --depth < 0) return false
  }
  return depth === 0
}

const paren = (sign: string) => (sign === '(' ? '%28' : '%29')

/** The dashes below a column, by the style of its head. */
export function alignmentOf(style: string): string {
  const side = /text-align:\s*(left|center|right)/i.exec(style)?.[1]?.toLowerCase()
  return { left: ':---', center: ':---:', right: '---:' }[side ?? ''] ?? '---'
}

/** Only the head must have all columns. One wide row must not make each of thousands as long as it is. */
const mostFilled = 50

/** @param alignments the dashes below the columns, as far as they are known */
export function tableOf(
  rows: readonly (readonly string[])[],
  alignments: readonly string[],
): string {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const lineOf = (cells: readonly string[], most: number) => {
    const missing = Math.max(0, Math.min(width, most) - cells.length)
    const filled = [...cells, ...Array<string>(missing).fill('')]
    return `|${filled.map((cell) => ` ${escapedCell(cell)} |`).join('')}`
  }
  const [head = [], ...rest] = rows.filter(({ length }) => length > 0)
  const dashes = Array.from({ length: width }, (_, i) => ` ${alignments[i] ?? '---'} |`).join('')
  const lines = rest.map((cells) => lineOf(cells, mostFilled))
  return [lineOf(head, width), `|${dashes}`, ...lines].join('\n')
}

/** Within code, a bar ends no cell. */
const escapedCell = (cell: string) =>
  cell.replace(/`[^`]*`|\|/g, (found) => (found === '|' ? '\\|' : found))
