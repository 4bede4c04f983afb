import {
  type Block,
  dedent,
  indentOf,
  type List,
  type Marker,
  markerOf,
  type Parser,
  standIn,
} from './blocks.ts'
import { interrupts, isRule, type Place, readLines } from './parse.ts'

/** How many lines belong to the list item that the first, indented line goes on with. */
export function endOfItemPart(chunk: readonly string[]): number {
  for (let at = 1; at < chunk.length; at++) {
    const line = chunk[at] ?? ''
    if (indentOf(line) < 2 && (markerOf(line) || interrupts(line))) return at
  }
  return chunk.length
}

/** Puts lines after a blank one into the item that their indentation names: two spaces a level. */
export function continueList(outermost: List, chunk: readonly string[], place: Place): void {
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
  loosen(item, place.parser)
  const inside = { ...place, blocks: item, tight: false, depth: place.depth + level }
  readLines(
    inside,
    chunk.map((line) => dedent(line, 2 * level)),
    1,
  )
}

/** Makes paragraphs of an item's bare text, once: from then on it gets no other. */
function loosen(item: Block[], parser: Parser): void {
  if (parser.loose.has(item)) return
  parser.loose.add(item)
  for (const [index, block] of item.entries()) {
    if (block.kind === 'text') item[index] = { kind: 'paragraph', text: block.text.trimStart() }
  }
}

/** In the middle of a paragraph only short numbers begin a list: `1986. was a year` does not. */
export function startsList(marker: Marker, inParagraph: boolean): boolean {
  if (marker.indent > 3) return false
  return !inParagraph || !marker.ordered || marker.number.length === 1
}

/** Reads a list from `lines[at]` on; returns where it ends. */
export function readList(
  place: Place,
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
  const last = place.blocks.at(-1)
  const joined = afterBlank && last?.kind === 'list' && last.ordered === first.ordered
  const list: List = joined
    ? last
    : { kind: 'list', ordered: first.ordered, start: startOf(first), items: [] }
  if (!joined) place.blocks.push(list)
  // A blank line between two items makes paragraphs of both.
  if (joined) loosen(list.items.at(-1) ?? [], place.parser)
  for (const [index, item] of items.entries()) {
    const blocks: Block[] = []
    list.items.push(blocks)
    readItem({ ...place, blocks, tight: !joined || index > 0, depth: place.depth + 1 }, item)
  }
  return end
}

function startOf(marker: Marker): string {
  return marker.number.replace(/^0+(?=\d)/, '')
}

function readItem(place: Place, lines: readonly string[]): void {
  const nested = lines.findIndex(
    (line, index) => index > 0 && indentOf(line) >= 2 && markerOf(line) && !isRule(line),
  )
  const head = (nested === -1 ? lines : lines.slice(0, nested)).map((line, index) =>
    index > 0 && line[indentOf(line)] === standIn ? line.trimStart() : line,
  )
  if (head.some((line) => line !== '')) readLines(place, head, 0)
  if (nested === -1) return
  const indent = indentOf(lines[nested] ?? '')
  readLines(
    place,
    lines.slice(nested).map((line) => dedent(line, indent)),
    0,
  )
}
