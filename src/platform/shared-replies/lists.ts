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

/** How many IDs a piece of a common list spans. */
const pieceSpan = 200

/** An element of a common list, by all that its value is made of. */
export interface ListElement<P> {
  readonly id: number
  /** Primitive values, or objects that never change. */
  readonly parts: P
}

/** The elements of a common list whose IDs are in one span. */
interface Span<P> {
  readonly elements: readonly ListElement<P>[]
  readonly text: SharedText
}

/**
 * A list that all readers get alike, apart from one element that a reader sees in a form of their
 * own. It never changes: the next one takes over the spans in which nothing has changed.
 */
export class CommonList<P extends readonly unknown[]> {
  readonly #spans: ReadonlyMap<number, Span<P>>
  readonly #jsonOf: (...parts: P) => object

  private constructor(spans: ReadonlyMap<number, Span<P>>, jsonOf: (...parts: P) => object) {
    this.#spans = spans
    this.#jsonOf = jsonOf
  }

  /**
   * Makes a list, one span in each step.
   *
   * @param elements in the order of their IDs
   * @param jsonOf what an element is in JSON
   * @param before an earlier list with the same `jsonOf`
   */
  static *make<P extends readonly unknown[]>(
    elements: Iterable<ListElement<P>>,
    jsonOf: (...parts: P) => object,
    before?: CommonList<P>,
  ): Steps<CommonList<P>> {
    const knownSpans = before ? before.#spans : undefined
    const spans = new Map<number, Span<P>>()
    for (const [at, group] of bySpan(elements)) {
      const known = knownSpans?.get(at)
      if (known && isAlike(known.elements, group)) {
        spans.set(at, known)
        continue
      }
      const text = new SharedText(elementsText(group.map(({ parts }) => jsonOf(...parts))))
      spans.set(at, { elements: group, text })
      yield
    }
    return new CommonList(spans, jsonOf)
  }

  /** A JSON array. @param own the form in which this reader sees an element, if it is in the list */
  write(own?: { readonly id: number; readonly value: () => object }): JsonPieces {
    const at = own && Math.floor(own.id / pieceSpan)
    const runs = Array.from(this.#spans, ([number, { elements, text }]) => {
      if (!own || number !== at || !elements.some(({ id }) => id === own.id)) return text
      return elementsText(
        elements.map(({ id, parts }) => (id === own.id ? own.value() : this.#jsonOf(...parts))),
      )
    })
    return arrayOf(runs)
  }
}

/** Values as they are in an array, without its brackets: faster than each by itself. */
function elementsText(values: readonly object[]): string {
  return JSON.stringify(values).slice(1, -1)
}

function* bySpan<P>(
  elements: Iterable<ListElement<P>>,
): Iterable<[at: number, group: ListElement<P>[]]> {
  let at = 0
  let group: ListElement<P>[] = []
  for (const element of elements) {
    const next = Math.floor(element.id / pieceSpan)
    if (next !== at && group.length > 0) {
      yield [at, group]
      group = []
    }
    at = next
    group.push(element)
  }
  if (group.length > 0) yield [at, group]
}

function isAlike<P extends readonly unknown[]>(
  before: readonly ListElement<P>[],
  now: readonly ListElement<P>[],
): boolean {
  if (before.length !== now.length) return false
  return now.every(({ id, parts }, i) => {
    const then = before[i]
    return then?.id === id && isSame(then.parts, parts)
  })
}
