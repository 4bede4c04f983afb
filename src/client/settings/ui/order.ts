/* The order of a list that people arrange. Pure, for the list and its tests. */

/** The keys with one of them at another place, as near to it as the list allows. */
export function moved(keys: readonly number[], key: number, to: number): readonly number[] {
  const others = keys.filter((each) => each !== key)
  const place = Math.max(0, Math.min(others.length, to))
  return [...others.slice(0, place), key, ...others.slice(place)]
}

/** Rows in the order of keys. New rows, which are not in it yet, come last. */
export function sorted<R>(
  rows: readonly R[],
  keyOf: (row: R) => number,
  keys: readonly number[],
): readonly R[] {
  const places = new Map(keys.map((key, place) => [key, place]))
  const place = (row: R) => places.get(keyOf(row)) ?? keys.length
  return [...rows].sort((a, b) => place(a) - place(b))
}

/** The place in a list at a height, given the boxes of its rows from the top. */
export function placeAt(
  boxes: readonly { readonly top: number; readonly bottom: number }[],
  y: number,
): number {
  const place = boxes.findIndex(({ bottom }) => y < bottom)
  return place < 0 ? boxes.length - 1 : place
}
