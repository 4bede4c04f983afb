import {
  type Block,
  dedent,
  expandTabs,
  fencePlaceholder,
  indentOf,
  markerOf,
  maxDepth,
  type Parser,
} from './blocks.ts'

interface Fence {
  /** The marks that open and close it: three or more backticks or tildes. */
  marks: string
  /** The text before the fence: spaces, for tabs as well, or list markers. */
  prefix: string
  language: string
  header: string
}

/**
 * Parses fenced blocks into `parser.fenced` and replaces the lines of each by one stand-in line. A
 * line with exactly the opening marks closes a fence, or the end of the text, or that of a quote or
 * spoiler around it. Quotes and spoilers may contain fences; code and math contain text.
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
  return fold(reader, [], 0, depth)
}

interface Reader {
  lines: readonly string[]
  next: number
  /** The last index of each line, by its trimmed content. */
  lastLines: Map<string, number>
  parser: Parser
}

/** @param marks those of the fences around the lines, from the outermost */
function fold(reader: Reader, marks: readonly string[], stripped: number, depth: number): string[] {
  const folded: string[] = []
  let inList = false
  while (reader.next < reader.lines.length) {
    const line = dedent(reader.lines[reader.next] ?? '', stripped)
    reader.next++
    if (endsFence(reader, line, marks)) return folded
    const fence = openingFence(line, inList, reader)
    if (fence) {
      const block = readFenced(reader, fence, marks, stripped + fence.prefix.length, depth)
      if (block) {
        const prefix = inList || fence.prefix.trim() !== '' ? fence.prefix : ''
        folded.push(`${prefix}${fencePlaceholder}${reader.parser.fenced.push(block) - 1}`)
        continue
      }
    }
    const shown = expandTabs(line)
    if (markerOf(shown)) inList = true
    else if (shown !== '' && shown[0] !== ' ' && folded.at(-1) === '') inList = false
    folded.push(line)
  }
  return folded
}

/**
 * Whether a line ends the innermost fence: it has its marks, or those of one around it, if no later
 * line has the marks of those between. In that case the line remains to be read.
 */
function endsFence(reader: Reader, line: string, marks: readonly string[]): boolean {
  const level = marks.lastIndexOf(line.trimEnd())
  if (level === -1) return false
  const between = marks.slice(level + 1)
  if (between.some((each) => (reader.lastLines.get(each) ?? -1) >= reader.next)) return false
  if (between.length > 0) reader.next--
  return true
}

/** Returns undefined if fences nest too deep: the line is then text. */
function readFenced(
  reader: Reader,
  fence: Fence,
  around: readonly string[],
  stripped: number,
  depth: number,
): Block | undefined {
  const language = fence.language.toLowerCase()
  const marks = [...around, fence.marks]
  if (language === 'quote' || language === 'quoted' || language === 'spoiler') {
    if (depth >= maxDepth) return undefined
    const inside = fold(reader, marks, stripped, depth + 1)
    const blocks = reader.parser.parseLines(inside, reader.parser, depth + 1)
    if (language !== 'spoiler') return { kind: 'quote', blocks }
    return {
      kind: 'spoiler',
      header: reader.parser.parseLines([fence.header], reader.parser, depth + 1),
      blocks,
    }
  }
  const lines: string[] = []
  while (reader.next < reader.lines.length) {
    const line = dedent(reader.lines[reader.next] ?? '', stripped).trimEnd()
    reader.next++
    if (endsFence(reader, line, marks)) break
    lines.push(line)
  }
  const text = lines.join('\n')
  if (language === 'math') return { kind: 'math', text }
  return { kind: 'code', language: fence.language, text, fenced: true }
}

/**
 * The fence that a line opens. At most three spaces, list markers, or inside a list any number of
 * spaces may precede it; if anything does, the fence must also be closed.
 */
function openingFence(line: string, inList: boolean, reader: Reader): Fence | undefined {
  const tick = line.indexOf('```')
  const tilde = line.indexOf('~~~')
  const at = tick === -1 ? tilde : tilde === -1 ? tick : Math.min(tick, tilde)
  if (at === -1) return undefined
  const prefix = expandTabs(line.slice(0, at))
  const mark = line[at]
  let end = at
  while (line[end] === mark) end++
  const marks = line.slice(at, end)
  const indent = prefix.length
  const allowed = indentOf(prefix) === indent ? indent <= 3 || inList : isMarkers(prefix)
  if (!allowed) return undefined
  if (at > 0 && (reader.lastLines.get(marks) ?? -1) < reader.next) return undefined
  const info = line.slice(end).trim()
  // The head of a spoiler is a text: without its fence, what it hides would be shown.
  const isText = /^\{?\.?spoiler(?![\w+\-./#])/.test(info)
  if (isText ? info.includes(marks) : /[`~]/.test(info)) return undefined
  const [, named = '', header = ''] = /^\{?\.?([\w+\-./#]*)\}?\s*(.*)$/.exec(info) ?? []
  return { marks, prefix, language: named || reader.parser.defaultCodeLanguage, header }
}

/** Whether a text contains only list markers: `1. `, `* - `. */
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
