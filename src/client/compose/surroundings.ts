import { type Fence, type FenceLine, readFences } from './fences.ts'
import { type Span, spanAt } from './inline-spans.ts'
import type { SelectedText } from './text-edits.ts'

/**
 * What is around the caret or selection. Everything that writes Markdown for people asks it: pasting,
 * formats, suggestions and Enter.
 */
export interface Surroundings {
  /**
   * `block`: code or math between fences, or indented code. `fence`: a line with the marks of a block.
   * `title`: that of a spoiler. `across`: the selection begins or ends in the middle of something.
   */
  readonly place: 'text' | 'title' | 'block' | 'fence' | 'across' | Span['place']
  /** Whether Markdown means something there. */
  readonly isRich: boolean
  /** Whether a line break would end what is there. */
  readonly isOneLine: boolean
  /** What is around it in its line. */
  readonly span: Span | undefined
  /** The innermost block between fences that contains the line, or that the line begins. */
  readonly fence: Fence | undefined
  /** Whether the block has an end as well. */
  readonly isClosed: boolean
  /** Whether the line begins the block, and the caret is behind the marks. */
  readonly isOpening: boolean
  /** The `>` and blanks of the line, which a line that continues the block needs as well. */
  readonly prefix: string
  /** The list item that the line begins. */
  readonly item: ListItem | undefined
}

export interface ListItem {
  readonly indent: string
  /** Undefined in a list with numbers. */
  readonly bullet: string | undefined
  readonly number: number
  /** What follows a number. */
  readonly mark: string
  /** How long the line is up to the words. */
  readonly length: number
  /** Whether an item with a number is before it. */
  readonly isContinued: boolean
}

const itemStart = /^(\s*)(?:([-*+])|(\d{1,9})([.)])) /

export function surroundings({ text, start, end }: SelectedText): Surroundings {
  const lines = text.split('\n')
  const fences = readFences(lines)
  const isCaret = start === end
  const first = placeAt({ text, lines, fences }, start, isCaret)
  const last = isCaret ? first : placeAt({ text, lines, fences }, end, isCaret)
  const isSame =
    first.place === last.place &&
    first.span?.outerFrom === last.span?.outerFrom &&
    first.fence?.line === last.fence?.line
  const place = isSame ? first.place : 'across'
  const { span, fence, isClosed, isOpening, row } = first
  const isEnd = place === 'address' && end === span?.outerTo
  const isRich = place === 'text' || place === 'title' || place === 'label' || isEnd
  return {
    place,
    isRich,
    isOneLine: place !== 'text' && place !== 'block' && place !== 'across' && place !== 'code',
    span: isSame ? span : undefined,
    fence,
    isClosed,
    isOpening,
    prefix: /^(?: {0,3}> ?)*/.exec(lines[row] ?? '')?.[0] ?? '',
    item: isRich ? itemAt(lines, row) : undefined,
  }
}

interface Read {
  readonly text: string
  readonly lines: readonly string[]
  readonly fences: readonly FenceLine[]
}

interface PlaceAt {
  readonly place: Surroundings['place']
  readonly span: Span | undefined
  readonly fence: Fence | undefined
  readonly isClosed: boolean
  readonly isOpening: boolean
  readonly row: number
}

function placeAt({ text, lines, fences }: Read, offset: number, isCaret: boolean): PlaceAt {
  const before = text.slice(0, offset).split('\n')
  const row = before.length - 1
  const column = before[row]?.length ?? 0
  const own = fences[row] ?? { open: [], isCode: false }
  const opened = own.opens && column >= own.opens.column ? own.opens : undefined
  const fence = opened?.fence ?? own.open.at(-1)
  const isClosed =
    fence !== undefined && fences.some(({ ends }, at) => at >= row && ends?.line === fence.line)
  const known = { fence, isClosed, isOpening: opened !== undefined, row }
  if (own.isCode) return { ...known, place: 'block', span: undefined }
  if (own.ends) return { ...known, place: 'fence', span: undefined }
  if (own.opens && !(opened?.isSpoiler && / /.test(before[row] ?? ''))) {
    return { ...known, place: 'fence', span: undefined }
  }
  if (isIndentedCode(lines, fences, row)) return { ...known, place: 'block', span: undefined }
  const span = own.opens
    ? spanAt(lines[row]?.slice(own.opens.column) ?? '', column - own.opens.column, isCaret)
    : spanIn({ text, lines, fences }, { row, offset, column }, isCaret)
  return { ...known, place: span?.place ?? (own.opens ? 'title' : 'text'), span }
}

interface Position {
  readonly row: number
  readonly column: number
  readonly offset: number
}

/** The span around an offset, which may begin in a line before. */
function spanIn(
  { text, lines, fences }: Read,
  { row, column, offset }: Position,
  isCaret: boolean,
): Span | undefined {
  const ends = (at: number) => {
    const line = fences[at]
    return !line || line.isCode || line.ends || line.opens || (lines[at] ?? '').trim() === ''
  }
  const begins = (at: number) => /^\s*(?:(?:[-*+>]|\d{1,9}[.)]|#{1,6}) |\|)/.test(lines[at] ?? '')
  let from = row
  let begin = offset - column
  while (from > 0 && !begins(from) && !ends(from - 1)) {
    from--
    begin -= (lines[from]?.length ?? 0) + 1
  }
  let to = row
  while (to + 1 < lines.length && !begins(to + 1) && !ends(to + 1)) to++
  const length = lines.slice(from, to + 1).join('\n').length
  const span = spanAt(text.slice(begin, begin + length), offset - begin, isCaret)
  return (
    span && {
      place: span.place,
      outerFrom: span.outerFrom + begin,
      outerTo: span.outerTo + begin,
      from: span.from + begin,
      to: span.to + begin,
    }
  )
}

const isBlank = (line: string | undefined) => line === undefined || line.trim() === ''
const isIndented = (line: string | undefined) => /^(?: {4}| {0,3}\t)/.test(line ?? '')

const isHeading = (line: string | undefined) => /^ {0,3}#{1,6} /.test(line ?? '')

/** Whether a line is code because of its four blanks: not in a paragraph, and in no list. */
function isIndentedCode(
  lines: readonly string[],
  fences: readonly FenceLine[],
  row: number,
): boolean {
  if (!isIndented(lines[row])) return false
  let at = row
  while (at > 0 && isIndented(lines[at - 1])) at--
  if (at > 0 && !isBlank(lines[at - 1]) && !fences[at - 1]?.ends && !isHeading(lines[at - 1]))
    return false
  // An item of a list continues below an empty line.
  let above = at - 1
  while (above >= 0 && (isBlank(lines[above]) || isIndented(lines[above]))) above--
  while (above >= 0 && !isBlank(lines[above])) {
    if (itemStart.test(lines[above] ?? '') && !fences[above]?.isCode) return false
    above--
  }
  return true
}

function itemAt(lines: readonly string[], row: number): ListItem | undefined {
  const [match, indent = '', bullet, digits, mark = '.'] = itemStart.exec(lines[row] ?? '') ?? []
  if (match === undefined) return undefined
  let above = row - 1
  // What is further in belongs to the item before.
  while (above >= 0 && (isBlank(lines[above]) || indentOf(lines[above]) > indent.length)) above--
  const [before, outer = '', , number] = itemStart.exec(lines[above] ?? '') ?? []
  const isContinued = before !== undefined && outer.length === indent.length && number !== undefined
  return { indent, bullet, number: Number(digits), mark, length: match.length, isContinued }
}

const indentOf = (line = '') => line.length - line.trimStart().length
