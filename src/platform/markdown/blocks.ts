/** A block of a text. Inline content stays source text until html.ts renders it. */
export type Block =
  | { kind: 'paragraph'; text: string }
  /** The text of a list item that has no paragraphs. */
  | { kind: 'text'; text: string }
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'rule' }
  | { kind: 'quote'; blocks: Block[] }
  | List
  /** `fenced` is false for indented code, which continues after blank lines. */
  | { kind: 'code'; language: string; text: string; fenced: boolean }
  | { kind: 'math'; text: string }
  | { kind: 'spoiler'; header: Block[]; blocks: Block[] }
  | { kind: 'table'; align: Alignment[]; head: string[]; rows: string[][] }

export interface List {
  kind: 'list'
  ordered: boolean
  /** The number of the first item, without leading zeros; `1` for bullets. */
  start: string
  items: Block[][]
  /** The column of its last marker, in the text, quote or spoiler that it is in. */
  column: number
}

export type Alignment = 'left' | 'center' | 'right' | undefined

/**
 * How deep fences, quotes and lists may nest; deeper levels stay text. Each level reads its lines
 * again, so this limit keeps parsing linear.
 */
export const maxDepth = 24

/** The blocks that lines are parsed into, and their context. */
export interface BlockContext {
  blocks: Block[]
  /** Whether this is a list item without paragraphs. */
  tight: boolean
  depth: number
  /** The columns that were removed from the lines. */
  column: number
  parser: Parser
}

/** The state of one parse, and the functions that parse the content of lists, quotes and fences. */
export interface Parser {
  /** The parsed fences, by the number in their stand-in line. */
  fenced: Block[]
  /** List items whose text was converted to paragraphs. */
  loose: Set<readonly Block[]>
  defaultCodeLanguage: string
  /** Parses lines, fences included, as the whole content of a text, quote or spoiler. */
  parseLines(lines: readonly string[], parser: Parser, depth: number): Block[]
  /** Parses non-blank lines that follow `blanks` blank ones. */
  readLines(context: BlockContext, lines: readonly string[], blanks: number): void
}

/** Starts the line that stands for a parsed fence; never occurs in source text. */
export const fencePlaceholder = '\u0002'

/** The number of leading spaces of a line. */
export function indentOf(line: string): number {
  let indent = 0
  while (line.charCodeAt(indent) === 32) indent++
  return indent
}

/** Removes up to `count` columns of leading white space; a tab that is wider stays. */
export function dedent(line: string, count: number): string {
  let column = 0
  let at = 0
  for (; column < count; at++) {
    const width = line[at] === ' ' ? 1 : line[at] === '\t' ? tabStop - (column % tabStop) : 0
    if (width === 0 || column + width > count) break
    column += width
  }
  return line.slice(at)
}

const tabStop = 4

/** Replaces tabs by spaces. */
export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  const parts = line.split('\t')
  const last = parts.pop() ?? ''
  let expanded = ''
  for (const part of parts) {
    expanded += part
    expanded += ' '.repeat(tabStop - (expanded.length % tabStop))
  }
  return expanded + last
}

/** The list marker at the start of a line, or undefined. */
export function markerOf(line: string): Marker | undefined {
  const indent = indentOf(line)
  let at = indent
  const first = line.charCodeAt(at)
  if (first === 42 || first === 43 || first === 45) {
    at++
  } else {
    while (isDigit(line.charCodeAt(at))) at++
    if (at === indent || at - indent > 9 || line[at] !== '.') return undefined
    at++
  }
  if (line[at] !== ' ') return undefined
  const ordered = isDigit(first)
  const number = ordered ? line.slice(indent, at - 1) : '1'
  while (line[at] === ' ') at++
  return { indent, ordered, number, content: line.slice(at), width: at }
}

export interface Marker {
  indent: number
  ordered: boolean
  number: string
  content: string
  /** The number of characters before the content. */
  width: number
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Whether a line ends any block before it. */
export function interrupts(line: string): boolean {
  return line[indentOf(line)] === fencePlaceholder || headingOf(line) !== undefined || isRule(line)
}

/** The heading in a line, or undefined. */
export function headingOf(line: string): Block | undefined {
  let level = 0
  while (line[level] === '#') level++
  if (level < 1 || level > 6 || line[level] !== ' ') return undefined
  const text = line.slice(level).trim()
  let end = text.length
  while (text[end - 1] === '#') end--
  const closed = end === 0 || text[end - 1] === ' '
  return { kind: 'heading', level, text: closed ? text.slice(0, end).trimEnd() : text }
}

/** Whether a line is a rule: three or more of one of `-`, `_` and `*`, with spaces anywhere. */
export function isRule(line: string): boolean {
  const indent = indentOf(line)
  const mark = line[indent]
  if (indent > 3 || (mark !== '-' && mark !== '_' && mark !== '*')) return false
  let count = 0
  for (let at = indent; at < line.length; at++) {
    if (line[at] === mark) count++
    else if (line[at] !== ' ') return false
  }
  return count >= 3
}
