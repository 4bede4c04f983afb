import { isUtf8 } from 'node:buffer'
import type { Reason } from '#features/organization/imports/report.ts'

/** A member of a list of the file. */
export interface Row {
  /** The name of the list in the file; empty if the file is one list. */
  readonly list: string
  readonly value: unknown
}

export interface RowOptions {
  /** Whether a list is wanted: rows of others are passed over without being parsed. Default: all. */
  wanted?(list: string): boolean
  /** Called for each row that cannot be used, and for one that was not valid UTF-8 but is. */
  bad(reason: Reason): void
  /** In bytes; a longer row is left out. */
  readonly longest?: number
}

/** In bytes: ample for a message of 10,000 characters with a hundred edits. */
export const longestRow = 16 * 1024 * 1024
/** Deeper rows are left out, so that nothing recurses into them. */
const deepest = 100

const code = {
  tab: 0x09,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const

/**
 * Reads a JSON file row by row, so that memory holds one row, however long the file is.
 *
 * The rows are the members of the list that the file is, or of the lists that are members of its
 * object; a member of that object which is no list is a row by itself. Reading ends where the file
 * stops being JSON, which counts as one bad row.
 */
export async function* jsonRows(
  body: AsyncIterable<Uint8Array>,
  { wanted = () => true, bad, longest = longestRow }: RowOptions,
): AsyncGenerator<Row> {
  const cutter = new Cutter(longest)
  let isWanted = wanted('')
  let list = ''
  for await (const chunk of body) {
    for (const piece of cutter.cut(chunk)) {
      if (piece.kind === 'name') {
        list = nameOf(piece.bytes)
        isWanted = wanted(list)
      } else if (piece.kind === 'long') bad('too-long')
      else if (piece.kind === 'deep') bad('bad-value')
      else if (isWanted) {
        const value = parse(piece.bytes, bad)
        if (value !== undefined) yield { list, value }
      }
    }
    if (cutter.isBroken) break
  }
  if (cutter.isBroken || !cutter.isComplete) bad('not-json')
}

function nameOf(bytes: Buffer): string {
  try {
    return String(JSON.parse(bytes.toString()))
  } catch {
    return ''
  }
}

/** Parses JSON in UTF-8; undefined: invalid. */
export function parse(bytes: Buffer, bad: RowOptions['bad']): unknown {
  if (!isUtf8(bytes)) bad('bad-encoding')
  try {
    return JSON.parse(bytes.toString())
  } catch {
    bad('not-json')
    return undefined
  }
}

interface Piece {
  readonly kind: 'name' | 'row' | 'long' | 'deep'
  readonly bytes: Buffer
}

const nothing = Buffer.alloc(0)

/** Finds where names and rows begin and end, looking at each byte once. */
class Cutter {
  /** Whether the file is no longer JSON. */
  isBroken = false
  isComplete = false
  readonly #longest: number
  #isObject = false
  #depth = 0
  /** The depth at which rows are now: 2 in a list that is a member of the file's object. */
  #level = 1
  #expectsName = false
  #inString = false
  #isEscaped = false
  /** The row that is being read, with its parts in earlier chunks. */
  #taking: 'name' | 'row' | undefined
  #start = 0
  #parts: Buffer[] = []
  #length = 0
  #isDeep = false

  constructor(longest: number) {
    this.#longest = longest
  }

  cut(chunk: Uint8Array): Piece[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const found: Piece[] = []
    // Searched for again only once they are passed, so that each byte is looked at only once.
    let slash = -2
    let quote = -2
    this.#start = 0
    for (let i = 0; i < bytes.length && !this.isBroken; i++) {
      if (this.#inString) {
        if (this.#isEscaped) {
          this.#isEscaped = false
          continue
        }
        if (slash !== -1 && slash < i) slash = bytes.indexOf(code.backslash, i)
        if (quote !== -1 && quote < i) quote = bytes.indexOf(code.quote, i)
        if (slash !== -1 && (quote === -1 || slash < quote)) {
          this.#isEscaped = true
          i = slash
        } else if (quote === -1) break
        else {
          i = quote
          this.#inString = false
          if (this.#taking === 'name') this.#end(bytes, i + 1, found)
        }
      } else if ((bytes[i] ?? 0) > code.space) {
        if (this.#depth === 0) this.#begin(bytes[i] ?? 0)
        else this.#mark(bytes, i, found)
      }
    }
    this.#keep(bytes)
    return found
  }

  /** Looks at a byte outside strings that is no blank. */
  #mark(bytes: Buffer, i: number, found: Piece[]): void {
    const byte = bytes[i] ?? 0
    const isInRoot = this.#isObject && this.#depth === 1
    if (byte === code.comma) {
      if (this.#depth === this.#level) this.#end(bytes, i, found)
      if (isInRoot) this.#expectsName = true
    } else if (byte === code.colon) {
      if (isInRoot) this.#expectsName = false
    } else if (byte === code.closeList || byte === code.closeObject) {
      if (this.#depth === this.#level) {
        this.#end(bytes, i, found)
        this.#level = 1
      }
      this.#depth--
      this.isComplete = this.#depth === 0
    } else if (isInRoot && this.#taking === undefined && byte === code.openList) {
      this.isBroken = this.#expectsName
      this.#depth = 2
      this.#level = 2
    } else this.#open(byte, i, isInRoot)
  }

  /** The bracket with which the file begins, perhaps after the mark of UTF-8. */
  #begin(byte: number): void {
    if (byte >= 0x80 && !this.isComplete) return
    this.#isObject = byte === code.openObject
    this.#expectsName = this.#isObject
    this.isBroken = this.isComplete || (!this.#isObject && byte !== code.openList)
    this.#depth = 1
  }

  #open(byte: number, i: number, isInRoot: boolean): void {
    if (this.#taking === undefined) {
      const isName = isInRoot && this.#expectsName
      this.isBroken = isName && byte !== code.quote
      this.#taking = isName ? 'name' : 'row'
      this.#start = i
      this.#isDeep = false
    }
    if (byte === code.quote) this.#inString = true
    else if (byte === code.openList || byte === code.openObject) {
      this.#depth++
      if (this.#depth > deepest) this.#isDeep = true
    }
  }

  /** Keeps the beginning of a row until the next chunk. */
  #keep(bytes: Buffer): void {
    if (this.#taking === undefined) return
    const rest = bytes.subarray(this.#start)
    this.#length += rest.length
    if (this.#length > this.#longest) this.#parts = []
    else this.#parts.push(Buffer.from(rest))
  }

  #end(bytes: Buffer, until: number, found: Piece[]): void {
    const kind = this.#taking
    if (kind === undefined) return
    const rest = bytes.subarray(this.#start, until)
    if (this.#length + rest.length > this.#longest) found.push({ kind: 'long', bytes: nothing })
    else if (this.#isDeep) found.push({ kind: 'deep', bytes: nothing })
    else
      found.push({ kind, bytes: this.#length === 0 ? rest : Buffer.concat([...this.#parts, rest]) })
    this.#parts = []
    this.#length = 0
    this.#taking = undefined
  }
}
