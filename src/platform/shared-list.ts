import { arrayOf, type JsonPieces, SharedText } from './shared-json.ts'

/** The number of elements in a piece. */
const chunkLength = 16
/** How many selections from a chunk are kept: most readers get one of a few. */
const choicesKept = 4

/** A selection from a chunk, which one or more readers got. */
interface Choice {
  readonly texts: readonly string[]
  readonly text: SharedText
}

/**
 * Writes a list for many readers who get nearly the same elements. The text of each chunk is made,
 * encoded and compressed once for each selection.
 */
export class SharedList {
  /** The selections from each chunk, the most recently used first. */
  readonly #chunks: Choice[][] = []

  /**
   * A JSON array.
   *
   * @param elements all elements in order, as JSON text; undefined: this reader does not get it
   */
  write(elements: readonly (string | undefined)[]): JsonPieces {
    const runs: SharedText[] = []
    const count = Math.ceil(elements.length / chunkLength)
    this.#chunks.length = count
    for (let i = 0; i < count; i++) {
      const texts = elements
        .slice(i * chunkLength, (i + 1) * chunkLength)
        .filter((text) => text !== undefined)
      if (texts.length > 0) runs.push(this.#shared(i, texts))
    }
    return arrayOf(runs)
  }

  #shared(chunk: number, texts: readonly string[]): SharedText {
    const choices = this.#chunks[chunk] ?? []
    const at = choices.findIndex((choice) => isSame(choice.texts, texts))
    const [known] = at < 0 ? [] : choices.splice(at, 1)
    const choice = known ?? { texts, text: new SharedText(texts.join(',')) }
    this.#chunks[chunk] = [choice, ...choices].slice(0, choicesKept)
    return choice.text
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i])
}

/** Keeps one text per ID, and makes it again only when one of its parts has changed. */
export class KeptTexts<P extends readonly unknown[]> {
  readonly #kept = new Map<number, { readonly parts: P; readonly text: string }>()

  /** @param parts all that `make` uses: primitive values, or objects that never change */
  of(id: number, parts: P, make: (...parts: P) => string): string {
    const known = this.#kept.get(id)
    if (known?.parts.every((part, i) => part === parts[i])) return known.text
    const text = make(...parts)
    this.#kept.set(id, { parts, text })
    return text
  }
}
