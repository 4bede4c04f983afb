/** Makes a value on first use. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Keeps results by ID, forever: use it only within one turn of the event loop. */
export function memo<T>(find: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>()
  return (id) => {
    if (!known.has(id)) known.set(id, find(id))
    return known.get(id) as T
  }
}
