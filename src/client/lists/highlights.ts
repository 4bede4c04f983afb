import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { Message } from '#client/state/model.ts'
import type { FoundMatch } from './list-requests.ts'

/** The HTML of a message, and its topic, with what a search found highlighted. */
export interface Highlight {
  readonly html: string
  readonly topic: string
}

/** The highlighted matches of a search in the messages of a list. */
export class Highlights {
  readonly #messageOf: (id: number) => Message | undefined
  readonly #found = signal<ReadonlyMap<number, Highlight>>(new Map())
  /** The text of messages as of when the server highlighted it. */
  readonly #texts = new Map<number, string | undefined>()

  constructor(messageOf: (id: number) => Message | undefined) {
    this.#messageOf = messageOf
  }

  get found(): ReadonlySignal<ReadonlyMap<number, Highlight>> {
    return this.#found
  }

  remember(messages: readonly FoundMatch[]): void {
    const found = messages.filter(({ match_content }) => match_content !== undefined)
    if (found.length === 0) return
    const next = new Map(this.#found.peek())
    for (const { id, match_content: html = '', match_subject: topic = '' } of found) {
      next.set(id, { html, topic })
      this.#texts.set(id, this.#messageOf(id)?.html)
    }
    this.#found.value = next
  }

  /** Forgets the matches in messages whose text has changed since. @returns their ids */
  forgetOutdated(changed: readonly number[]): readonly number[] {
    const edited = changed.filter(
      (id) => this.#texts.has(id) && this.#texts.get(id) !== this.#messageOf(id)?.html,
    )
    if (edited.length === 0) return edited
    for (const id of edited) this.#texts.delete(id)
    this.#found.value = new Map([...this.#found.peek()].filter(([id]) => !edited.includes(id)))
    return edited
  }
}
