/** Counts values by range, with next to no cost per value. */
export interface Histogram {
  /** The upper bounds of the ranges, ascending; a last range has none. */
  readonly bounds: readonly number[]
  /** One per bound, and one for what is larger. */
  readonly counts: number[]
  sum: number
}

export function createHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }
}

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram
  let range = 0
  while (range < bounds.length && value > (bounds[range] ?? 0)) range += 1
  counts[range] = (counts[range] ?? 0) + 1
  histogram.sum += value
}
