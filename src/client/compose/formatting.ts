import { longerMarks } from '#shared/code-marks.ts'
import type { Span } from './inline-spans.ts'
import { surroundings } from './surroundings.ts'
import type { Edit, SelectedText } from './text-edits.ts'

/* The changes to a text that keys and buttons make. */

export type Format =
  | 'bold'
  | 'italic'
  | 'strikethrough'
  | 'link'
  | 'code'
  | 'quote'
  | 'bullets'
  | 'numbers'
  | 'spoiler'
  | 'math'

/**
 * The edit that adds a format to the selection, or removes it. Undefined where nothing is formatted:
 * in code, formulas, addresses, mentions, and where only a part of such is selected.
 */
export function format(selected: SelectedText, kind: Format): Edit | undefined {
  const around = surroundings(selected)
  const { place, span, isRich } = around
  if (place === kind && span) return withoutMarks(selected, span)
  if (!isRich || (place === 'title' && isBlock(kind))) return undefined
  const isMultiline = selected.text.slice(selected.start, selected.end).includes('\n')
  switch (kind) {
    case 'bold':
      return wrap(selected, '**')
    case 'italic':
      return wrap(selected, '*')
    case 'strikethrough':
      return wrap(selected, '~~')
    case 'link':
      return place === 'label' || isMultiline ? undefined : link(selected)
    case 'code':
      return isMultiline ? fence(selected, '') : inlineCode(selected)
    case 'quote':
      return fence(selected, 'quote')
    case 'spoiler':
      return fence(selected, 'spoiler ')
    case 'math':
      return isMultiline ? fence(selected, 'math') : wrap(selected, '$$')
    case 'bullets':
      return prefixLines(selected, () => '- ', /^[-*+] /)
    case 'numbers':
      return prefixLines(selected, (index) => `${index + 1}. `, /^\d+[.)] /)
  }
}

const isBlock = (kind: Format) => !/^(?:bold|italic|strikethrough|link|code|math)$/.test(kind)

/** Removes the marks around a selection that is code or a formula. */
function withoutMarks({ text, start, end }: SelectedText, span: Span): Edit {
  const { outerFrom, outerTo, from, to } = span
  const whole = text.slice(from, to)
  // Blanks keep marks apart from marks in code.
  const isPadded = whole.startsWith(' ') && whole.endsWith(' ') && whole.includes('`')
  const edge = from - outerFrom > 1 && isPadded ? 1 : 0
  const insert = whole.slice(edge, whole.length - edge)
  const moved = (offset: number) =>
    outerFrom + Math.min(Math.max(0, offset - from - edge), insert.length)
  return { from: outerFrom, to: outerTo, insert, start: moved(start), end: moved(end) }
}

/** Code in a line, with more marks than it contains. */
function inlineCode({ text, ...selection }: SelectedText): Edit {
  const { start, end } = withoutBlanks(text, selection)
  const words = text.slice(start, end)
  const marks = longerMarks(words, 1)
  const edge = marks.length > 1 ? ' ' : ''
  const at = start + marks.length + edge.length
  const insert = marks + edge + words + edge + marks
  return { from: start, to: end, insert, start: at, end: at + words.length }
}

/** A selection without the blanks at its ends, next to which marks would be text. */
function withoutBlanks(text: string, { start, end }: Omit<SelectedText, 'text'>) {
  const words = text.slice(start, end)
  if (words.trim() === '') return { start, end }
  const from = start + words.length - words.trimStart().length
  return { start: from, end: from + words.trim().length }
}

/** What a line has before its words. */
const lineStart = /^\s*(?:> ?)*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}) )?\s*/

/** Puts marks around the words of each line, or takes them away if all have them. */
function wrapLines({ text, start, end }: SelectedText, mark: string): Edit {
  const size = mark.length
  const lines = text
    .slice(start, end)
    .split('\n')
    .map((line) => {
      const [head = ''] = lineStart.exec(line) ?? []
      const words = line.slice(head.length).trimEnd()
      return { head, words, rest: line.slice(head.length + words.length) }
    })
  const isMarked = (words: string) =>
    words.length > 2 * size && words.startsWith(mark) && words.endsWith(mark)
  const isThere = lines.every(({ words }) => words === '' || isMarked(words))
  const insert = lines
    .map(({ head, words, rest }) => {
      if (words === '') return head + rest
      return head + (isThere ? words.slice(size, -size) : mark + words + mark) + rest
    })
    .join('\n')
  return { from: start, to: end, insert, start, end: start + insert.length }
}

function wrap(selected: SelectedText, mark: string): Edit {
  const { text } = selected
  const { start, end } = withoutBlanks(text, selected)
  const inner = text.slice(start, end)
  if (inner.includes('\n')) return wrapLines({ text, start, end }, mark)
  const size = mark.length
  const outside = text.slice(start - size, start) === mark && text.slice(end, end + size) === mark
  // `**bold**` is not italic because of its stars.
  const isItalicInBold =
    mark === '*' && text[start - 2] === '*' && text[end + 1] === '*' && text[start - 3] !== '*'
  if (outside && start >= size && !isItalicInBold) {
    const from = start - size
    return { from, to: end + size, insert: inner, start: from, end: from + inner.length }
  }
  if (inner.length >= 2 * size && inner.startsWith(mark) && inner.endsWith(mark)) {
    const bare = inner.slice(size, -size)
    return { from: start, to: end, insert: bare, start, end: start + bare.length }
  }
  const at = start + size
  return { from: start, to: end, insert: mark + inner + mark, start: at, end: at + inner.length }
}

function link({ text, ...selection }: SelectedText): Edit {
  const { start, end } = withoutBlanks(text, selection)
  const inner = text.slice(start, end)
  const isUrl = /^(https?:\/\/|mailto:)\S+$/.test(inner)
  const insert = isUrl ? `[](${inner})` : `[${inner}](url)`
  if (isUrl) return { from: start, to: end, insert, start: start + 1, end: start + 1 }
  const at = start + inner.length + 3
  return { from: start, to: end, insert, start: at, end: at + 3 }
}

function fence({ text, start, end }: SelectedText, info: string): Edit {
  const inner = text.slice(start, end)
  const marks = longerMarks(inner, 3)
  const before = start > 0 && text[start - 1] !== '\n' ? '\n' : ''
  const after = end < text.length && text[end] !== '\n' ? '\n' : ''
  const head = `${before}${marks}${info}\n`
  const insert = `${head}${inner}\n${marks}${after}`
  const at = start + head.length
  return { from: start, to: end, insert, start: at, end: at + inner.length }
}

function prefixLines(
  { text, start, end }: SelectedText,
  prefix: (index: number) => string,
  existing: RegExp,
): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next < 0 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const isThere = lines.every((line) => existing.test(line))
  const changed = lines.map((line, index) =>
    isThere ? line.replace(existing, '') : prefix(index) + line,
  )
  const insert = changed.join('\n')
  const isCaret = start === end
  return {
    from,
    to,
    insert,
    start: isCaret ? from + insert.length : from,
    end: from + insert.length,
  }
}

/**
 * The effect of Enter in a list: the next item, or the end of the list after an empty one; and the
 * next line of a block in a quote. Undefined elsewhere.
 *
 * @param languages in whose dates a number is no item: `1. April`
 */
export function continueList(
  selected: SelectedText,
  languages: readonly string[] = [],
): Edit | undefined {
  const { text, start, end } = selected
  if (start !== end) return undefined
  const { place, fence, prefix, item, isRich } = surroundings(selected)
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  if ((place === 'block' || place === 'fence') && fence && fence.quotes > 0) {
    return lineBreak(start, prefix)
  }
  if (!isRich || !item || line.length < item.length) return undefined
  const { bullet, indent, number, mark, isContinued, length } = item
  const isNumber = bullet === undefined
  if (isNumber && !isContinued && (number > 99 || beginsWithDate(line.trimStart(), languages))) {
    return undefined
  }
  if (line.length === length) return { from, to: start, insert: '', start: from, end: from }
  return lineBreak(start, `${indent}${bullet ?? `${number + 1}${mark}`} `)
}

function lineBreak(at: number, next: string): Edit {
  const caret = at + 1 + next.length
  return { from: at, to: at, insert: `\n${next}`, start: caret, end: caret }
}

/** Languages with dates such as `1. April`. */
const dotted = ['de', 'da', 'nb', 'fi', 'cs', 'sk', 'hr', 'sl', 'et', 'is']

function beginsWithDate(line: string, languages: readonly string[]): boolean {
  const [day] = /^\d{1,2}(?=\. )/.exec(line) ?? []
  if (day === undefined || Number(day) < 1 || Number(day) > 31) return false
  return [...languages, ...dotted].some((language) => {
    const form = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' })
    return Array.from({ length: 12 }, (_, month) => form.format(new Date(2020, month, 1))).some(
      (date) => date.startsWith('1. ') && isFollowed(line, `${day}${date.slice(1)}`),
    )
  })
}

const isFollowed = (line: string, date: string) =>
  line.toLowerCase().startsWith(date.toLowerCase()) && !/^\p{L}/u.test(line.slice(date.length))

/**
 * Whether Enter makes a line although it sends elsewhere: in a block of code or math, in a quote or
 * spoiler that has no end yet, and at the fence that begins any of them.
 */
export function breaksLine(selected: SelectedText): boolean {
  const { place, fence, isClosed, isOpening } = surroundings(selected)
  if (place === 'title' || isOpening) return true
  if (!fence || place === 'fence') return false
  return fence.kind === 'text' ? !isClosed : place === 'block'
}
