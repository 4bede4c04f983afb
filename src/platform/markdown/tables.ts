import { type Alignment, type Block, interrupts } from './blocks.ts'
import { codeClosers } from './code-spans.ts'
import { endOfMath } from './math.ts'

/**
 * Parses a table whose header is `lines[at]`: the next line must have dashes for as many columns.
 * The table extends to the last line, or to a block that ends any other. Rows are cut or padded to the number of columns; a table
 * without rows gets an empty one, because clients require one.
 */
export function readTable(
  lines: readonly string[],
  at: number,
): { block: Block; end: number } | undefined {
  const delimiters = lines[at + 1]
  if (!delimiters?.includes('|') || !delimiters.includes('-')) return undefined
  const align: Alignment[] = []
  for (const cell of cellsOf(delimiters)) {
    if (!/^:?-+:?$/.test(cell)) return undefined
    align.push(alignmentOf(cell))
  }
  const head = cellsOf(lines[at] ?? '')
  if (head.length !== align.length) return undefined
  const next = lines.findIndex((line, index) => index > at + 1 && interrupts(line))
  const end = next < 0 ? lines.length : next
  const rows = lines.slice(at + 2, end).map((line) => {
    const cells = cellsOf(line)
    return align.map((_, column) => cells[column] ?? '')
  })
  if (rows.length === 0) rows.push(align.map(() => ''))
  return { block: { kind: 'table', align, head, rows }, end }
}

function alignmentOf(dashes: string): Alignment {
  const left = dashes.startsWith(':')
  const right = dashes.endsWith(':')
  if (left && right) return 'center'
  return left ? 'left' : right ? 'right' : undefined
}

/** Splits a row at its pipes, but not at escaped ones nor inside code and what else may hold them. */
function cellsOf(line: string): string[] {
  const row = line.trim()
  const cells: string[] = []
  const closers = codeClosers(row)
  let cell = ''
  for (let at = 0; at < row.length; at++) {
    const char = row[at] ?? ''
    const closer = closers.get(at) ?? endOfPiped(row, at)
    if (closer !== undefined) {
      cell += row.slice(at, closer)
      at = closer - 1
    } else if (char === '\\' && row[at + 1] === '|') {
      cell += '|'
      at++
    } else if (char === '|') {
      cells.push(cell.trim())
      cell = ''
    } else {
      cell += char
    }
  }
  if (cell !== '' || cells.length === 0) cells.push(cell.trim())
  if (row.startsWith('|')) cells.shift()
  return cells
}

/** A mention with an ID, or a link to a topic. */
const reference = /@_?\*\*[^*|]*\|\d{1,15}\*\*|#\*\*[^*|>]+>[^*]+\*\*/y

/** Where math or a reference ends that starts at a position and may hold pipes. */
function endOfPiped(row: string, at: number): number | undefined {
  if (row[at] === '@' || row[at] === '#') {
    reference.lastIndex = at
    return reference.test(row) ? reference.lastIndex : undefined
  }
  const end = row[at] === '$' ? endOfMath(row, at) : undefined
  // `|$$|$$$|` and `| $$ | $$$ |` are cells with prices.
  return end !== undefined && /^[^\s|]|^\|+[^|]/.test(row.slice(at + 2, end - 2)) ? end : undefined
}
