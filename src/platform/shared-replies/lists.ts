import type { Steps } from '#platform/steps.ts'
import { SharedText } from './bytes.ts'
import { arrayOf, isSame, type JsonPieces } from './values.ts'

/** The number of elements in a piece of a list from which readers get selections. */
const chunkLength = 16
/** How many selections from a chunk are kept: most readers get one of a few. */
const choicesKept = 4

/** A selection from a chunk, which one or more readers got. */
interface Choice {
  readonly texts: readonly string[]
  readonly text: SharedText
}

/**
 * A list of which readers get selections that are nearly the same. The text of each chunk is made,
 * encoded and compressed once for each selection.
 */
export class SelectedList {
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

/** Elements of a common list that follow each other, by all that their values are made of. */
export interface ListSpan<E extends { readonly id: number }, D extends readonly unknown[][]> {
  /** At least one. They never change. */
  readonly elements: readonly E[]
  /** Lists of what else there is of the elements: primitive values, or objects that never change. */
  readonly details: D
}

/** A span and its text. */
interface WrittenSpan<S> {
  readonly span: S
  readonly text: SharedText
}

/**
 * A list that all readers get alike, apart from one element that a reader sees in a form of their
 * own. It never changes: the next one takes over the spans in which nothing has changed.
 */
export class CommonList<E extends { readonly id: number }, D extends readonly unknown[][]> {
  /** By the IDs with which they begin. */
  readonly #spans: ReadonlyMap<number, WrittenSpan<ListSpan<E, D>>>
  readonly #valuesOf: (span: ListSpan<E, D>) => object[]

  private constructor(
    spans: ReadonlyMap<number, WrittenSpan<ListSpan<E, D>>>,
    valuesOf: (span: ListSpan<E, D>) => object[],
  ) {
    this.#spans = spans
    this.#valuesOf = valuesOf
  }

  /**
   * Makes a list, one span in each step.
   *
   * @param valuesOf what the elements of a span are in JSON, in their order
   * @param before an earlier list with the same `valuesOf`
   */
  static *make<E extends { readonly id: number }, D extends readonly unknown[][]>(
    spans: Iterable<ListSpan<E, D>>,
    valuesOf: (span: ListSpan<E, D>) => object[],
    before?: CommonList<E, D>,
  ): Steps<CommonList<E, D>> {
    const knownSpans = before ? before.#spans : undefined
    const written = new Map<number, WrittenSpan<ListSpan<E, D>>>()
    for (const span of spans) {
      const first = span.elements[0]?.id ?? 0
      const known = knownSpans?.get(first)
      if (known && isAlike(known.span, span)) {
        written.set(first, known)
        continue
      }
      written.set(first, { span, text: new SharedText(elementsText(valuesOf(span))) })
      yield
    }
    return new CommonList(written, valuesOf)
  }

  /** A JSON array. @param own the form in which this reader sees an element, if it is in the list */
  write(own?: { readonly id: number; readonly value: () => object }): JsonPieces {
    const runs = Array.from(this.#spans.values(), ({ span, text }) => {
      const at = own ? span.elements.findIndex(({ id }) => id === own.id) : -1
      return own && at >= 0 ? elementsText(this.#valuesOf(span).with(at, own.value())) : text
    })
    return arrayOf(runs)
  }
}

/** Values as they are in an array, without its brackets: faster than each by itself. */
function elementsText(values: readonly object[]): string {
  return JSON.stringify(values).slice(1, -1)
}

function isAlike<E extends { readonly id: number }, D extends readonly unknown[][]>(
  before: ListSpan<E, D>,
  now: ListSpan<E, D>,
): boolean {
  if (!isSame(before.elements, now.elements)) return false
  return now.details.every((list, i) => isSame(list, before.details[i] ?? []))
}
