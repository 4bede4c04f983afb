/** Makes a value on first use. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Keeps results by ID or text, forever: use it only within one turn of the event loop. */
export function memo<T, K extends number | string = number>(find: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>()
  return (key) => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key) as T
  }
}
