/** A list in slices of at most `length`, in order. */
export function* slices<T>(list: readonly T[], length: number): Iterable<T[]> {
  for (let from = 0; from < list.length; from += length) yield list.slice(from, from + length)
}

/**
 * A list in slices, in order, whose sizes together are at most `most`; an element that is larger is a
 * slice of its own.
 */
export function* slicesBySize<T>(
  list: Iterable<T>,
  most: number,
  sizeOf: (element: T) => number,
): Iterable<T[]> {
  let slice: T[] = []
  let sum = 0
  for (const element of list) {
    const size = sizeOf(element)
    if (slice.length > 0 && sum + size > most) {
      yield slice
      slice = []
      sum = 0
    }
    slice.push(element)
    sum += size
  }
  if (slice.length > 0) yield slice
}
