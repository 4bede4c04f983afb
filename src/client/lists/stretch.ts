import { mergeIds, withoutIds } from './ids.ts'
import type { KeptList } from './message-list.ts'

/** A fetched part of a narrow, and whether it reaches the ends. */
type Part = Pick<KeptList, 'ids' | 'hasOldest' | 'hasNewest'>

/**
 * The part of a narrow that is fetched: ids without a gap. It includes muted messages, so that
 * unmuting needs no fetch.
 *
 * A fetch with the newest message may return after an event has brought a newer one. So messages
 * that arrive during a fetch are kept, and appended once a fetch reaches the end: everything newer
 * than its answer comes as an event.
 */
export class Stretch {
  #ids: readonly number[] = []
  #arrived: readonly number[] = []

  /** Ascending. */
  get ids(): readonly number[] {
    return this.#ids
  }

  /** Every message that is or may come to be in it. */
  get held(): readonly number[] {
    return [...this.#ids, ...this.#arrived]
  }

  replace(ids: readonly number[]): void {
    this.#ids = ids
  }

  add(ids: readonly number[]): void {
    this.#ids = mergeIds(this.#ids, ids)
  }

  /** @returns whether any of them was in it */
  remove(gone: ReadonlySet<number>): boolean {
    this.#arrived = withoutIds(this.#arrived, gone)
    const before = this.#ids
    this.#ids = withoutIds(before, gone)
    return this.#ids !== before
  }

  /** The given IDs within it; the others come with a fetch. */
  within(
    ids: readonly number[],
    ends: { readonly hasOldest: boolean; readonly hasNewest: boolean },
  ): readonly number[] {
    const [from, to] = [this.#ids[0], this.#ids.at(-1)]
    return ids.filter((id) => {
      const isAfter = from !== undefined && id > from
      const isBefore = to !== undefined && id < to
      return (isAfter || ends.hasOldest) && (isBefore || ends.hasNewest)
    })
  }

  /** Keeps messages from events during a fetch. */
  arrive(ids: readonly number[]): void {
    this.#arrived = [...this.#arrived, ...ids]
  }

  forgetArrived(): void {
    this.#arrived = []
  }

  /** A fetch reached the end: messages that arrived after its newest one belong here. */
  appendArrived(exists: (id: number) => boolean): void {
    const last = this.#ids.at(-1) ?? 0
    this.add(this.#arrived.filter((id) => id > last && exists(id)))
    this.forgetArrived()
  }
}

/** At most `most` messages of a part: those around the one being read, or else the newest. */
export function partOf<P extends Part>(part: P, most: number, readingId?: number): P {
  const { ids, hasOldest, hasNewest } = part
  const last = Math.max(0, ids.length - most)
  const at = readingId === undefined ? -1 : ids.indexOf(readingId)
  const from = at < 0 ? last : Math.max(0, Math.min(last, at - most / 2))
  const to = Math.min(ids.length, from + most)
  return {
    ...part,
    ids: ids.slice(from, to),
    hasOldest: hasOldest && from === 0,
    hasNewest: hasNewest && to === ids.length,
  }
}
