import { type ReadonlySignal, signal } from '@preact/signals-core'

/**
 * The messages of a list that are too tall to be shown whole, and which of those the user unfolded.
 * Only the view can measure that, so it reports what is tall.
 */
export class LongMessages {
  readonly #long = signal<ReadonlySet<number>>(new Set())
  readonly #unfolded = signal<ReadonlySet<number>>(new Set())

  /** The messages that can be folded. */
  get ids(): ReadonlySignal<ReadonlySet<number>> {
    return this.#long
  }

  /** Whether only the beginning of a message is shown. Reading it subscribes. */
  isFolded(id: number): boolean {
    return this.#long.value.has(id) && !this.#unfolded.value.has(id)
  }

  /** Reports whether a message is too tall, as of its latest text. */
  measured(id: number, isLong: boolean): void {
    this.#long.value = changed(this.#long.peek(), id, isLong)
  }

  fold(id: number, isFolded: boolean): void {
    this.#unfolded.value = changed(this.#unfolded.peek(), id, !isFolded)
  }
}

function changed(before: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  if (before.has(id) === isIn) return before
  const after = new Set(before)
  if (isIn) after.add(id)
  else after.delete(id)
  return after
}
