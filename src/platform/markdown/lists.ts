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

/** The number of lines that continue the same list item as the first, indented line. */
export function endOfItemPart(chunk: readonly string[]): number {
  for (let at = 1; at < chunk.length; at++) {
    const line = chunk[at] ?? ''
    if (indentOf(line) < 2 && (markerOf(line) || interrupts(line))) return at
  }
  return chunk.length
}

/** Adds lines after a blank line to the item at their indentation level: two spaces per level. */
export function continueList(
  outermost: List,
  chunk: readonly string[],
  context: BlockContext,
): void {
  const levels = Math.floor(indentOf(chunk[0] ?? '') / 2)
  let list = outermost
  let level = 1
  for (; level < levels; level++) {
    const inner: Block | undefined = list.items.at(-1)?.at(-1)
    if (inner?.kind !== 'list') break
    list = inner
  }
  const item = list.items.at(-1)
  if (!item) return
  loosen(item, context.parser)
  const inside = { ...context, blocks: item, tight: false, depth: context.depth + level }
  context.parser.readLines(
    inside,
    chunk.map((line) => dedent(line, 2 * level)),
    1,
  )
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
  const items: string[][] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const indent = indentOf(line)
    const marker = indent < first.indent + 2 ? markerOf(line) : undefined
    if (marker && !isRule(line)) {
      if (marker.ordered !== first.ordered) break
      items.push([marker.content])
    } else if (indent < first.indent + 2 && interrupts(line)) {
      break
    } else {
      items.at(-1)?.push(dedent(line, first.indent))
    }
  }
  const last = context.blocks.at(-1)
  const joined = afterBlank && last?.kind === 'list' && last.ordered === first.ordered
  const list: List = joined
    ? last
    : { kind: 'list', ordered: first.ordered, start: startOf(first), items: [] }
  if (!joined) context.blocks.push(list)
  // A blank line between two items turns the text of both into paragraphs.
  if (joined) loosen(list.items.at(-1) ?? [], context.parser)
  for (const [index, item] of items.entries()) {
    const blocks: Block[] = []
    list.items.push(blocks)
    readItem({ ...context, blocks, tight: !joined || index > 0, depth: context.depth + 1 }, item)
  }
  return end
}

function startOf(marker: Marker): string {
  return marker.number.replace(/^0+(?=\d)/, '')
}

function readItem(context: BlockContext, lines: readonly string[]): void {
  const nested = lines.findIndex(
    (line, index) => index > 0 && indentOf(line) >= 2 && markerOf(line) && !isRule(line),
  )
  const head = (nested === -1 ? lines : lines.slice(0, nested)).map((line, index) =>
    index > 0 && line[indentOf(line)] === fencePlaceholder ? line.trimStart() : line,
  )
  if (head.some((line) => line !== '')) context.parser.readLines(context, head, 0)
  if (nested === -1) return
  const indent = indentOf(lines[nested] ?? '')
  context.parser.readLines(
    context,
    lines.slice(nested).map((line) => dedent(line, indent)),
    0,
  )
}
