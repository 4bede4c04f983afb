import {
  type Block,
  type BlockContext,
  dedent,
  fencePlaceholder,
  indentOf,
  interrupts,
  isRule,
  type List,
  type Marker,
  markerOf,
  type Parser,
} from './blocks.ts'

/**
 * Adds lines after a blank line to the item that they are indented for: two columns or more from
 * its marker.
 *
 * @returns the number of lines that belong to the item
 */
export function continueList(
  outermost: List,
  chunk: readonly string[],
  context: BlockContext,
): number {
  const indent = indentOf(chunk[0] ?? '')
  let list = outermost
  let level = 1
  for (; ; level++) {
    const inner: Block | undefined = list.items.at(-1)?.at(-1)
    if (inner?.kind !== 'list' || indent < inner.column + 2) break
    list = inner
  }
  const column = list.column + 2
  const end = endOfItemPart(chunk, column)
  const item = list.items.at(-1)
  if (!item) return end
  loosen(item, context.parser)
  const inside = { ...context, blocks: item, tight: false, depth: context.depth + level, column }
  context.parser.readLines(
    inside,
    chunk.slice(0, end).map((line) => dedent(line, column)),
    1,
  )
  return end
}

/** The number of lines that continue the same list item as the first, indented to `column`. */
function endOfItemPart(chunk: readonly string[], column: number): number {
  for (let at = 1; at < chunk.length; at++) {
    const line = chunk[at] ?? ''
    if (indentOf(line) < column && (markerOf(line) || interrupts(line))) return at
  }
  return chunk.length
}

/** Converts the text of an item to paragraphs, once: later text is added as paragraphs. */
function loosen(item: Block[], parser: Parser): void {
  if (parser.loose.has(item)) return
  parser.loose.add(item)
  for (const [index, block] of item.entries()) {
    if (block.kind === 'text') item[index] = { kind: 'paragraph', text: block.text.trimStart() }
  }
}

/** Within a paragraph, only one-digit numbers start a list: `1986. was a year` does not. */
export function startsList(marker: Marker, inParagraph: boolean): boolean {
  if (marker.indent > 3) return false
  return !inParagraph || !marker.ordered || marker.number.length === 1
}

/** Parses a list that starts at `lines[at]`. @returns the index after its last line */
export function readList(
  context: BlockContext,
  lines: readonly string[],
  at: number,
  first: Marker,
  afterBlank: boolean,
): number {
  const items: { width: number; lines: string[] }[] = []
  let lastIndent = first.indent
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const indent = indentOf(line)
    const marker = indent < first.indent + 2 ? markerOf(line) : undefined
    if (marker && !isRule(line)) {
      if (marker.ordered !== first.ordered) break
      items.push({ width: marker.width, lines: [marker.content] })
      lastIndent = indent
    } else if (indent < first.indent + 2 && interrupts(line)) {
      break
    } else {
      items.at(-1)?.lines.push(dedent(line, first.indent))
    }
  }
  const last = context.blocks.at(-1)
  const joined = afterBlank && last?.kind === 'list' && last.ordered === first.ordered
  const list: List = joined
    ? last
    : { kind: 'list', ordered: first.ordered, start: startOf(first), items: [], column: 0 }
  list.column = context.column + lastIndent
  if (!joined) context.blocks.push(list)
  // A blank line between two items turns the text of both into paragraphs.
  if (joined) loosen(list.items.at(-1) ?? [], context.parser)
  for (const [index, { width, lines: inside }] of items.entries()) {
    const blocks: Block[] = []
    list.items.push(blocks)
    const item = { ...context, blocks, tight: !joined || index > 0, depth: context.depth + 1 }
    readItem(item, inside, width, first.indent)
  }
  return end
}

function startOf(marker: Marker): string {
  return marker.number.replace(/^0+(?=\d)/, '')
}

/** Parses an item: its first line begins at `width`, the others had `dedented` columns removed. */
function readItem(
  context: BlockContext,
  lines: readonly string[],
  width: number,
  dedented: number,
): void {
  const nested = lines.findIndex(
    (line, index) => index > 0 && indentOf(line) >= 2 && markerOf(line) && !isRule(line),
  )
  const head = (nested === -1 ? lines : lines.slice(0, nested)).map((line, index) =>
    index > 0 && startsInItem(line) ? line.trimStart() : line,
  )
  // Only the first of these lines can start a list.
  const inHead = { ...context, column: context.column + width }
  if (head.some((line) => line !== '')) context.parser.readLines(inHead, head, 0)
  if (nested === -1) return
  const indent = indentOf(lines[nested] ?? '')
  context.parser.readLines(
    { ...context, column: context.column + dedented + indent },
    lines.slice(nested).map((line) => dedent(line, indent)),
    0,
  )
}

/** Whether a line starts a fence or a quote in the item above it, as its indentation allows. */
function startsInItem(line: string): boolean {
  const indent = indentOf(line)
  return line[indent] === fencePlaceholder || (line[indent] === '>' && indent < 6)
}
