/*
 * Changes to the text of a message. Pure: an edit says what to replace, so that the text box can make
 * it with its own undo.
 */

/** A text with its selection. */
export interface SelectedText {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Replaces the text from `from` to `to`, and selects `start` to `end` afterwards. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly start: number
  readonly end: number
}

/** Inserts a text; `isBlock` puts it on lines of its own. */
export function insertion(
  { text, start, end }: SelectedText,
  inserted: string,
  isBlock = false,
): Edit {
  const before = text.slice(0, start)
  const lead = !isBlock || before === '' || before.endsWith('\n') ? '' : '\n'
  const tail = isBlock && !text.slice(end).startsWith('\n') ? '\n' : ''
  const insert = lead + inserted + tail
  const at = start + insert.length
  return { from: start, to: end, insert, start: at, end: at }
}

/**
 * Replaces the first occurrence of a part of the text; the selection stays. Undefined: there is
 * none.
 */
export function replacement(
  { text, start, end }: SelectedText,
  part: string,
  insert: string,
): Edit | undefined {
  const from = text.indexOf(part)
  if (from < 0) return undefined
  const to = from + part.length
  const moved = (offset: number) =>
    offset >= to ? offset + insert.length - part.length : Math.min(offset, from + insert.length)
  return { from, to, insert, start: moved(start), end: moved(end) }
}

/** The text after an edit, without a text box. */
export function apply(text: string, { from, to, insert }: Omit<Edit, 'start' | 'end'>): string {
  return text.slice(0, from) + insert + text.slice(to)
}

/** The part of a text to remove with one of its links: the line, if it is alone there. */
export function partToRemove(text: string, source: string): string {
  if (text.endsWith(`\n${source}\n`)) return `\n${source}\n`
  const isLine = text.startsWith(`${source}\n`) || text.includes(`\n${source}\n`)
  return isLine ? `${source}\n` : source
}

/** The part that a replacement takes: what is removed goes with its line. */
export const lineOf = (text: string, part: string, by: string) =>
  by === '' ? partToRemove(text, part) : part
