import {
  type Block,
  type BlockContext,
  dedent,
  expandTabs,
  fencePlaceholder,
  headingOf,
  indentOf,
  interrupts,
  isRule,
  markerOf,
  maxDepth,
  type Parser,
} from './blocks.ts'
import { foldFences } from './fences.ts'
import { continueList, readList, startsList } from './lists.ts'
import { readTable } from './tables.ts'

/** Control characters, including the stand-in mark, except tabs and newlines. */
const controls = /[^\P{Cc}\n\t]/gu

/** Parses the block structure of a text. */
export function parseSource(source: string, defaultCodeLanguage: string): Block[] {
  const lines = source
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : line))
  const parser: Parser = {
    fenced: [],
    loose: new Set(),
    defaultCodeLanguage,
    parseLines,
    readLines,
  }
  return parseLines(lines, parser, 0)
}

/** Parses lines, fences included, as the whole content of a text, quote or spoiler. */
function parseLines(lines: readonly string[], parser: Parser, depth: number): Block[] {
  const context: BlockContext = { blocks: [], tight: false, depth, column: 0, parser }
  let chunk: string[] = []
  let blanks = 0
  for (const line of foldFences(lines, parser, depth)) {
    if (line === '') {
      if (chunk.length > 0) readChunk(context, chunk, blanks)
      if (chunk.length > 0) blanks = 0
      chunk = []
      blanks++
    } else {
      chunk.push(expandTabs(line))
    }
  }
  if (chunk.length > 0) readChunk(context, chunk, blanks)
  return context.blocks
}

/** Parses non-blank lines that follow `blanks` blank ones. */
function readChunk(context: BlockContext, chunk: readonly string[], blanks: number): void {
  const last = context.blocks.at(-1)
  const first = chunk[0] ?? ''
  if (last?.kind === 'list' && indentOf(first) >= last.column + 2) {
    const end = continueList(last, chunk, context)
    if (end < chunk.length) readChunk(context, chunk.slice(end), 0)
    return
  }
  readLines(context, chunk, blanks)
}

/** Parses non-blank lines that do not continue a list before them. */
function readLines(context: BlockContext, lines: readonly string[], blanks: number): void {
  let at = 0
  let text: string[] = []
  // Lines with only `>` at the end do not start a quote.
  const quotable = lines.findLastIndex((line) => line.trim() !== '>')
  const flush = () => {
    if (text.length > 0) addText(context, text.join('\n'))
    text = []
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const indent = indentOf(line)
    if (text.length === 0 && indent >= 4 && line[indent] !== fencePlaceholder) {
      at = readIndentedCode(context, lines, at, at === 0 ? blanks : 0)
      continue
    }
    const block = blockOfLine(context, line)
    if (block) {
      flush()
      context.blocks.push(block)
      at++
      continue
    }
    const marker = markerOf(line)
    if (marker && startsList(marker, text.length > 0) && context.depth < maxDepth) {
      flush()
      at = readList(context, lines, at, marker, at === 0)
    } else if (at <= quotable && isQuoted(line) && context.depth < maxDepth) {
      flush()
      at = readQuote(context, lines, at)
    } else {
      const table = line.includes('|') ? readTable(lines, at) : undefined
      if (table) {
        flush()
        context.blocks.push(table.block)
        at = table.end
      } else {
        text.push(line)
        at++
      }
    }
  }
  flush()
}

function addText(context: BlockContext, text: string): void {
  const last = context.blocks.at(-1)
  if (!context.tight) context.blocks.push({ kind: 'paragraph', text: text.trimStart() })
  else if (last?.kind === 'text') last.text += `\n${text}`
  else context.blocks.push({ kind: 'text', text: last ? text : text.trimStart() })
}

/** A block that occupies one line: a heading, a rule or a folded fence. */
function blockOfLine(context: BlockContext, line: string): Block | undefined {
  const heading = headingOf(line)
  if (heading) return heading
  if (isRule(line)) return { kind: 'rule' }
  const indent = indentOf(line)
  return line[indent] === fencePlaceholder
    ? context.parser.fenced[Number(line.slice(indent + 1))]
    : undefined
}

function isQuoted(line: string): boolean {
  const indent = indentOf(line)
  return indent <= 3 && line[indent] === '>'
}

/** Lines without `>` continue the quote, unless they start another block. */
function readQuote(context: BlockContext, lines: readonly string[], at: number): number {
  const inside: string[] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (isQuoted(line)) {
      const content = line.slice(indentOf(line) + 1)
      const unspaced = content[0] === ' ' ? content.slice(1) : content
      inside.push(unspaced.trim() === '' ? '' : unspaced)
    } else if (interrupts(line) || markerOf(line)) {
      break
    } else {
      inside.push(line)
    }
  }
  const blocks = parseLines(inside, context.parser, context.depth + 1)
  context.blocks.push({ kind: 'quote', blocks })
  return end
}

function readIndentedCode(
  context: BlockContext,
  lines: readonly string[],
  at: number,
  blanks: number,
): number {
  let end = at
  while (end < lines.length && indentOf(lines[end] ?? '') >= 4) end++
  const text = lines
    .slice(at, end)
    .map((line) => dedent(line, 4).trimEnd())
    .join('\n')
  const last = context.blocks.at(-1)
  if (last?.kind === 'code' && !last.fenced && blanks > 0) {
    last.text += `${'\n'.repeat(blanks + 1)}${text}`
  } else {
    context.blocks.push({ kind: 'code', language: '', text, fenced: false })
  }
  return end
}
