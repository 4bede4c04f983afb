/** The block structure of a text. Inline source is kept as it is; html.ts renders it. */
export type Block =
  | { kind: 'paragraph'; text: string }
  /** Inline content of a list item that has no paragraphs. */
  | { kind: 'text'; text: string }
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'rule' }
  | { kind: 'quote'; blocks: Block[] }
  | List
  /** `fenced` is false for code by indentation, which goes on over blank lines. */
  | { kind: 'code'; language: string; text: string; fenced: boolean }
  | { kind: 'math'; text: string }
  | { kind: 'spoiler'; header: Block[]; blocks: Block[] }
  | { kind: 'table'; align: Alignment[]; head: string[]; rows: string[][] }

export interface List {
  kind: 'list'
  ordered: boolean
  /** Number of the first item, as written without leading zeros; `1` for bullets. */
  start: string
  items: Block[][]
}

export type Alignment = 'left' | 'center' | 'right' | undefined

/**
 * Fences, quotes and lists nest at most this deep together; what is deeper stays text. It keeps the
 * work linear, as every level looks at its lines once more.
 */
export const maxDepth = 24

/** What one parse carries: the blocks that fences became, by the number in their stand-in line. */
export interface Parser {
  fenced: Block[]
  /** List items whose text has become paragraphs. */
  loose: Set<readonly Block[]>
  defaultCodeLanguage: string
}

/** Begins the line that stands for a block which a fence has become; never part of a source. */
export const standIn = '\u0002'

/** Number of spaces a line begins with. */
export function indentOf(line: string): number {
  let indent = 0
  while (line.charCodeAt(indent) === 32) indent++
  return indent
}

/** Takes away up to `count` leading spaces. */
export function dedent(line: string, count: number): string {
  if (count === 0) return line
  return line.slice(Math.min(count, indentOf(line)))
}

/** The list marker that a line begins with, or undefined. */
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
  /** Characters before the content. */
  width: number
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
