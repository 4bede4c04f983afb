import { type Piece, SharedText } from './bytes.ts'

/**
 * A value of a reply as JSON text in pieces. `values.ts` and `lists.ts` make them. Each piece begins
 * a compression window of its own.
 */
export class JsonPieces {
  readonly pieces: readonly Piece[]

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces
  }
}

/** A value that all replies share. Keep it as long as it is valid: its text is made here. */
export function sharedValue(value: unknown): JsonPieces {
  return new JsonPieces([new SharedText(JSON.stringify(value))])
}

const [opening, comma, closing] = ['[', ',', ']'].map((text) => new SharedText(text)) as [
  SharedText,
  SharedText,
  SharedText,
]

/** An array. @param runs each one or more elements, with commas between them */
export function arrayOf(runs: readonly Piece[]): JsonPieces {
  const inner = runs.flatMap((run, i) => (i === 0 ? [run] : [comma, run]))
  return new JsonPieces([opening, ...inner, closing])
}

/** An array for one reply. @param elements as JSON text */
export function ownArray(elements: readonly string[]): JsonPieces {
  return arrayOf(elements.length === 0 ? [] : [elements.join(',')])
}

/** The JSON text of an object with further members. @param members at least one */
export function withMembers(text: string, members: object): string {
  return `${text.slice(0, -1)},${JSON.stringify(members).slice(1)}`
}

/** Keeps one text per ID, and makes it again only when one of its parts has changed. */
export class KeptTexts<P extends readonly unknown[]> {
  readonly #kept = new Map<number, { readonly parts: P; readonly text: string }>()

  /** @param parts all that `make` uses: primitive values, or objects that never change */
  of(id: number, parts: P, make: (...parts: P) => string): string {
    const known = this.#kept.get(id)
    if (known && isSame(known.parts, parts)) return known.text
    const text = make(...parts)
    this.#kept.set(id, { parts, text })
    return text
  }
}

/** Whether two lists have the same elements. */
export function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i])
}
