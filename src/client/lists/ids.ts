/*
 * Ascending lists of message ids, as new arrays: signals compare by identity.
 */

/** The index of an ID, or of its place if it is not there. */
export function positionOf(ids: readonly number[], id: number): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return low
}

/** How many ids are above one. */
export function countAfter(ids: readonly number[], id: number): number {
  return ids.length - positionOf(ids, id) - (includesId(ids, id) ? 1 : 0)
}

export function includesId(ids: readonly number[], id: number): boolean {
  return ids[positionOf(ids, id)] === id
}

/** Both together, each id once. */
export function mergeIds(ids: readonly number[], more: readonly number[]): readonly number[] {
  const added = more.filter((id) => !includesId(ids, id))
  if (added.length === 0) return ids
  const last = ids.at(-1) ?? 0
  added.sort((a, b) => a - b)
  // Mostly the new ones are the newest.
  if ((added[0] ?? 0) > last) return [...ids, ...new Set(added)]
  return [...new Set([...ids, ...added])].sort((a, b) => a - b)
}

export function withoutIds(ids: readonly number[], gone: ReadonlySet<number>): readonly number[] {
  const kept = ids.filter((id) => !gone.has(id))
  return kept.length === ids.length ? ids : kept
}
