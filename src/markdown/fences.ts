import { type Block, dedent, indentOf, markerOf, maxDepth, type Parser, standIn } from './blocks.ts'
import { parseLines } from './parse.ts'

interface Fence {
  /** The characters that open and close it: three or more backticks or tildes. */
  marks: string
  /** What the line has before the fence: spaces or list markers. */
  prefix: string
  language: string
  header: string
}

/**
 * Turns fenced blocks into blocks of `parser.fenced`, and their lines into one stand-in line each.
 * A fence is closed by a line of exactly its marks, or by the end of the text. Quotes and spoilers
 * hold fences in turn; code and math hold text.
 */
export function foldFences(
  lines: readonly string[],
  parser: Parser,
  depth: number,
): readonly string[] {
  if (!lines.some((line) => line.includes('```') || line.includes('~~~'))) return lines
  const lastLines = new Map<string, number>()
  for (const [index, line] of lines.entries()) lastLines.set(line.trim(), index)
  const reader: Reader = { lines, next: 0, lastLines, parser }
  return fold(reader, undefined, 0, depth)
}

interface Reader {
  lines: readonly string[]
  next: number
  /** Where a line of this content, without spaces around it, occurs last. */
  lastLines: Map<string, number>
  parser: Parser
}

function fold(
  reader: Reader,
  closing: string | undefined,
  stripped: number,
  depth: number,
): string[] {
  const folded: string[] = []
  let inList = false
  while (reader.next < reader.lines.length) {
    const line = dedent(reader.lines[reader.next] ?? '', stripped)
    reader.next++
    if (closing !== undefined && line.trimEnd() === closing) return folded
    const fence = openingFence(line, inList, reader)
    if (fence) {
      const block = readFenced(reader, fence, stripped + fence.prefix.length, depth)
      if (block) {
        const prefix = inList || fence.prefix.trim() !== '' ? fence.prefix : ''
        folded.push(`${prefix}${standIn}${reader.parser.fenced.push(block) - 1}`)
        continue
      }
    }
    if (markerOf(line)) inList = true
    else if (line !== '' && line[0] !== ' ' && folded.at(-1) === '') inList = false
    folded.push(line)
  }
  return folded
}

/** Undefined when fences are nested too deep: the line is text then. */
function readFenced(
  reader: Reader,
  fence: Fence,
  stripped: number,
  depth: number,
): Block | undefined {
  const language = fence.language.toLowerCase()
  if (language === 'quote' || language === 'quoted' || language === 'spoiler') {
    if (depth >= maxDepth) return undefined
    const inside = fold(reader, fence.marks, stripped, depth + 1)
    const blocks = parseLines(inside, reader.parser, depth + 1)
    if (language !== 'spoiler') return { kind: 'quote', blocks }
    return { kind: 'spoiler', header: parseLines([fence.header], reader.parser, depth + 1), blocks }
  }
  const lines: string[] = []
  while (reader.next < reader.lines.length) {
    const line = dedent(reader.lines[reader.next] ?? '', stripped).trimEnd()
    reader.next++
    if (line === fence.marks) break
    lines.push(line)
  }
  const text = lines.join('\n')
  if (language === 'math') return { kind: 'math', text }
  return { kind: 'code', language: fence.language, text, fenced: true }
}

/**
 * The fence that a line opens. At most three spaces may precede it, but any number inside a list,
 * and list markers too; such a fence must also be closed.
 */
function openingFence(line: string, inList: boolean, reader: Reader): Fence | undefined {
  const tick = line.indexOf('```')
  const tilde = line.indexOf('~~~')
  const at = tick === -1 ? tilde : tilde === -1 ? tick : Math.min(tick, tilde)
  if (at === -1) return undefined
  const prefix = line.slice(0, at)
  const mark = line[at]
  let end = at
  while (line[end] === mark) end++
  const marks = line.slice(at, end)
  const allowed = indentOf(prefix) === at ? at <= 3 || inList : isMarkers(prefix)
  if (!allowed) return undefined
  if (at > 0 && (reader.lastLines.get(marks) ?? -1) < reader.next) return undefined
  const info = line.slice(end).trim()
  if (info.includes('`') || info.includes('~')) return undefined
  const [, named = '', header = ''] = /^\{?\.?([\w+\-./#]*)\}?\s*(.*)$/.exec(info) ?? []
  return { marks, prefix, language: named || reader.parser.defaultCodeLanguage, header }
}

/** Whether a text is list markers only: `1. `, `* - `. */
function isMarkers(prefix: string): boolean {
  let rest = prefix
  for (let level = 0; level < maxDepth; level++) {
    const marker = markerOf(rest)
    if (!marker) return false
    if (marker.content === '') return true
    rest = marker.content
  }
  return false
}
