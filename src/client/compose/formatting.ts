import { longerMarks } from '#shared/code-marks.ts'
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

/** The edit that adds a format to the selection, or removes it. */
export function format(selected: SelectedText, kind: Format): Edit {
  const isMultiline = selected.text.slice(selected.start, selected.end).includes('\n')
  switch (kind) {
    case 'bold':
      return wrap(selected, '**')
    case 'italic':
      return wrap(selected, '*')
    case 'strikethrough':
      return wrap(selected, '~~')
    case 'link':
      return link(selected)
    case 'code':
      return isMultiline ? fence(selected, '') : wrap(selected, '`')
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

function wrap({ text, start, end }: SelectedText, mark: string): Edit {
  const inner = text.slice(start, end)
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

function link({ text, start, end }: SelectedText): Edit {
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
 * The effect of Enter in a list: the next item, or the end of the list after an empty one.
 * Undefined outside of lists.
 */
export function continueList({ text, start, end }: SelectedText): Edit | undefined {
  if (start !== end) return undefined
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const [match, indent = '', bullet, number, mark = '.'] =
    /^(\s*)(?:([-*+])|(\d{1,9})([.)])) /.exec(line) ?? []
  if (match === undefined) return undefined
  if (line.length === match.length) return { from, to: start, insert: '', start: from, end: from }
  const insert = `\n${indent}${bullet ?? `${Number(number) + 1}${mark}`} `
  const at = start + insert.length
  return { from: start, to: start, insert, start: at, end: at }
}
