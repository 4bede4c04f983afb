import { arrayOf, type JsonPieces, SharedText } from './shared-json.ts'

/** How many elements stand together in a piece. */
const chunkLength = 16
/** How many choices from the elements of a chunk are kept: most readers get one of a few. */
const choicesKept = 4

/** Some elements of a chunk, as one or more readers got them. */
interface Choice {
  readonly texts: readonly string[]
  readonly text: SharedText
}

/**
 * Writes a list again and again for readers who get most of its elements alike: what they get of
 * each chunk is made, encoded and compressed once.
 */
export class SharedList {
  /** The choices from each chunk, the one that was used last first. */
  readonly #chunks: Choice[][] = []

  /**
   * A JSON array.
   *
   * @param elements all elements in order, as JSON text; undefined where this reader gets none
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

/** Keeps a text of each ID, and makes it again only when one of its parts is another. */
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
