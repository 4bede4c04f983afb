/** A list of words, and the set of them. */
export interface Words<W extends string> {
  readonly list: readonly W[]
  readonly set: ReadonlySet<W>
}

/** How many different lists are remembered; there are about as many as kinds of clients. */
const mostKnown = 100

/**
 * Makes a function that returns the same object for lists with the same words: the clients of one
 * kind ask for the same, and there are thousands of them.
 */
export function sharedWords<W extends string>(): (list: readonly W[]) => Words<W> {
  const known = new Map<string, Words<W>>()
  return (list) => {
    const key = JSON.stringify(list)
    let words = known.get(key)
    if (!words) {
      words = { list, set: new Set(list) }
      if (known.size >= mostKnown) known.clear()
      known.set(key, words)
    }
    return words
  }
}
