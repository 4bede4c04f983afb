/**
 * A set of ids, as the bounds of its ranges: `[1, 5, 9, 10]` contains 1 to 4 and 9.
 * Strictly increasing, of even length, never negative.
 */
export type Ranges = readonly number[]

/** Above every id: the end of an open range. */
export const ceiling = Number.MAX_SAFE_INTEGER

export const everything: Ranges = [0, ceiling]

/** The ids `from <= id < to`; the empty set unless `from < to`. */
export function span(from: number, to: number): Ranges {
  return from < to ? [from, to] : []
}

/** The set of these ids. @param ids ascending, possibly repeated */
export function fromIds(ids: readonly number[]): Ranges {
  return fromSpans(ids.map((id) => [id, id + 1] as const))
}

/** The union of these ranges. @param spans by their beginnings, ascending; they may overlap */
export function fromSpans(spans: Iterable<readonly [from: number, to: number]>): Ranges {
  const bounds: number[] = []
  for (const [from, to] of spans) {
    const end = bounds.at(-1)
    if (from >= to) continue
    if (end === undefined || end < from) bounds.push(from, to)
    else bounds[bounds.length - 1] = Math.max(end, to)
  }
  return bounds
}

export function contains(ranges: Ranges, id: number): boolean {
  return boundsUpTo(ranges, id) % 2 === 1
}

/** Whether all of `from <= id < to` is in the set. */
export function covers(ranges: Ranges, from: number, to: number): boolean {
  const at = boundsUpTo(ranges, from)
  return from >= to || (at % 2 === 1 && (ranges[at] ?? 0) >= to)
}

export function equal(a: Ranges, b: Ranges): boolean {
  return a.length === b.length && a.every((bound, i) => bound === b[i])
}

/** The number of bounds at or below `id`: odd inside a range, even outside. */
function boundsUpTo(ranges: Ranges, id: number): number {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle] ?? ceiling) <= id) low = middle + 1
    else high = middle
  }
  return low
}

export function union(a: Ranges, b: Ranges): Ranges {
  return combine(a, b, (inA, inB) => inA || inB)
}

export function subtract(a: Ranges, b: Ranges): Ranges {
  return combine(a, b, (inA, inB) => inA && !inB)
}

export function intersect(a: Ranges, b: Ranges): Ranges {
  if (b.length === 2) return clip(a, b[0] ?? 0, b[1] ?? 0)
  if (a.length === 2) return clip(b, a[0] ?? 0, a[1] ?? 0)
  return combine(a, b, (inA, inB) => inA && inB)
}

/** The part of a set that is in `from <= id < to`, without a look at the rest. */
function clip(ranges: Ranges, from: number, to: number): Ranges {
  const [first, end] = [boundsUpTo(ranges, from), boundsUpTo(ranges, to - 1)]
  const inner = ranges.slice(first, end)
  if (first % 2 === 1) inner.unshift(from)
  if (end % 2 === 1) inner.push(to)
  return inner
}

function combine(a: Ranges, b: Ranges, keep: (inA: boolean, inB: boolean) => boolean): Ranges {
  const bounds: number[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const nextA = a[i] ?? Infinity
    const nextB = b[j] ?? Infinity
    const at = Math.min(nextA, nextB)
    if (nextA === at) i++
    if (nextB === at) j++
    const isIn = bounds.length % 2 === 1
    if (keep(i % 2 === 1, j % 2 === 1) !== isIn) bounds.push(at)
  }
  return bounds
}

/** The set with all of its gaps closed that have at most `most` ids. */
export function bridged(ranges: Ranges, most: number): Ranges {
  const bounds: number[] = []
  for (const [from, to] of each(ranges)) {
    if (from - (bounds.at(-1) ?? -ceiling) <= most) bounds[bounds.length - 1] = to
    else bounds.push(from, to)
  }
  return bounds
}

/** The ranges one by one, ascending, as `[from, to)`. */
export function* each(ranges: Ranges): Generator<[from: number, to: number]> {
  for (let i = 0; i + 1 < ranges.length; i += 2) {
    yield [ranges[i] ?? 0, ranges[i + 1] ?? 0]
  }
}

/**
 * Closes the gaps of a set that lie within `voids`, to keep the number of ranges small. Leaves the
 * ids above its last range out, since future messages are there.
 *
 * @param voids ids that belong to no message of the recipient
 */
export function closeOver(ranges: Ranges, voids: Ranges): Ranges {
  const gaps = subtract(span(0, ranges.at(-1) ?? 0), ranges)
  const closed = [...each(gaps)].filter(([from, to]) => covers(voids, from, to))
  return closed.length > 0 ? union(ranges, closed.flat()) : ranges
}
