/** A list in slices of at most `length`, in order. */
export function* slices<T>(list: readonly T[], length: number): Iterable<T[]> {
  for (let from = 0; from < list.length; from += length) yield list.slice(from, from + length)
}
