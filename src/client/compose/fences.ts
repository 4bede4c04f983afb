/** A block between fences that is open at a line. Quotes and spoilers contain text. */
export interface Fence {
  readonly marks: string
  readonly kind: 'code' | 'math' | 'text'
  /** How many columns of its lines belong to lists around it. */
  readonly indent: number
  /** How many `>` its lines begin with. */
  readonly quotes: number
  /** The number of the line that opens it. */
  readonly line: number
}

/** What a line does to the blocks around it. */
export interface FenceLine {
  /** The blocks that are open before it. */
  readonly open: readonly Fence[]
  /** The block that it begins, and the column where its marks end. */
  readonly opens?: { readonly fence: Fence; readonly column: number; readonly isSpoiler: boolean }
  /** The block that it ends, with those within it that nothing ends. */
  readonly ends?: Fence
  /** Whether a block of code or math contains it. */
  readonly isCode: boolean
}

const opening =
  /^(\s*)((?:(?:[-*+]|\d{1,9}[.)])\s+)*)(`{3,}|~{3,})[ \t]*(\{?\.?([\w+\-./#]*)\}?.*)$/s
const listMarker = /^\s*(?:[-*+]|\d{1,9}[.)])\s/

/**
 * Reads lines as the server does: a line of exactly the opening marks ends a block, code contains no
 * blocks, and a block in a `>` quote ends with it. A block that nothing ends is open to the end of the
 * block around it.
 *
 * @returns one entry for each line
 */
export function readFences(lines: readonly string[]): readonly FenceLine[] {
  let open: readonly Fence[] = []
  let isList = false
  let isAfterBlank = true
  const lastLines = new Map<string, number>()
  for (const [number, line] of lines.entries()) {
    lastLines.set(withoutQuotes(line, Number.POSITIVE_INFINITY).rest.trim(), number)
  }
  return lines.map((line, number) => {
    const last = open.at(-1)
    const limit = last && last.kind !== 'text' ? last.quotes : Number.POSITIVE_INFINITY
    const { quotes, rest } = withoutQuotes(line, limit)
    open = open.filter((fence) => fence.quotes <= quotes)
    const fence = open.at(-1)
    const before = open
    const own = dedent(rest, fence?.indent ?? 0)
    const ended = open.findLastIndex(
      ({ marks }, level) =>
        marks === own.trimEnd() &&
        open.slice(level).every((each) => each.quotes === quotes) &&
        open.slice(level + 1).every((each) => (lastLines.get(each.marks) ?? -1) < number),
    )
    const ends = open[ended]
    if (ends) {
      open = open.slice(0, ended)
      return { open: before, ends, isCode: false }
    }
    if (fence && fence.kind !== 'text') return { open: before, isCode: true }
    const begun = openingOf(own, isList)
    if (listMarker.test(own)) isList = true
    else if (own !== '' && !/^\s/.test(own) && isAfterBlank) isList = false
    isAfterBlank = own.trim() === ''
    if (!begun) return { open: before, isCode: false }
    const { marks, kind, width, isSpoiler } = begun
    const opened = { marks, kind, quotes, indent: (fence?.indent ?? 0) + width, line: number }
    open = [...before, opened]
    const column = line.length - own.length + width + marks.length
    return {
      open: before,
      opens: { fence: opened, column, isSpoiler },
      isCode: false,
    }
  })
}

/** Whether a text is nothing but marks of blocks, which would be an empty grey box. */
export function isOnlyFences(text: string): boolean {
  if (!/^[`~]/.test(text.trimStart())) return false
  const lines = text.split('\n')
  return readFences(lines).every(({ opens, ends }, row) => {
    const line = (lines[row] ?? '').trim()
    // A spoiler may be all title.
    return opens
      ? !opens.isSpoiler || !/\S\s+\S/.test(line.slice(opens.fence.marks.length))
      : ends !== undefined || line === ''
  })
}

function openingOf(line: string, isList: boolean) {
  const [match, blanks = '', markers = '', marks = '', info = '', language = ''] =
    opening.exec(line) ?? []
  if (match === undefined || (blanks.length > 3 && markers === '' && !isList)) return undefined
  const isSpoiler = /^spoiler$/i.test(language)
  if (isSpoiler ? info.includes(marks) : /[`~]/.test(info)) return undefined
  const isText = isSpoiler || /^quoted?$/i.test(language)
  const kind: Fence['kind'] = isText ? 'text' : /^math$/i.test(language) ? 'math' : 'code'
  return { marks, kind, width: markers.length + blanks.length, isSpoiler }
}

function withoutQuotes(line: string, limit: number): { quotes: number; rest: string } {
  let rest = line
  let quotes = 0
  while (quotes < limit) {
    const [mark] = /^ {0,3}> ?/.exec(rest) ?? []
    if (mark === undefined) break
    rest = rest.slice(mark.length)
    quotes++
  }
  return { quotes, rest }
}

function dedent(line: string, count: number): string {
  const blanks = line.length - line.trimStart().length
  return line.slice(Math.min(count, blanks))
}
