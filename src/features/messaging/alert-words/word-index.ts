/** The alert words of all users, for finding those in a text in one pass. */
export interface WordIndex {
  /** Replaces the words of a user; lower-cased. */
  set(userId: number, words: readonly string[]): void
  /**
   * The users with a word that a text contains, lower-cased like the words. Words are whole: where
   * one begins or ends with a letter, a digit or an underscore, none of these precedes or follows.
   */
  usersWithWordIn(text: string): Set<number>
}

/** A word, and the users who have it. */
interface IndexedWord {
  readonly word: string
  readonly userIds: number[]
  /** The number of the last search that found it, so that it is not compared again. */
  foundBy: number
}

const wordPart = /[\p{L}\p{N}_]+/gu
/** The largest prime below 2^25, so that products of hashes are exact, and so are their quotients. */
const prime = 33_554_393

/** As an integer, for which maps are fast. */
const modulo = (value: number) => (value - Math.floor(value / prime) * prime) | 0

/**
 * Creates an empty index. A search compares the hashes of all stretches of the text that can be a
 * word with those of the words: it takes time in proportion to the text's length, times the length
 * of the longest word at worst, but however many words there are. Unlike an automaton, the index
 * changes word by word, and is not larger than the words.
 *
 * @source R. M. Karp and M. O. Rabin, "Efficient randomized pattern-matching algorithms", 1987
 */
export function createWordIndex(): WordIndex {
  // Random, so that nobody can write texts whose hashes collide.
  const base = 2 ** 20 + Math.floor(Math.random() * 2 ** 24)
  const byHash = new Map<number, IndexedWord[]>()
  const byUser = new Map<number, readonly string[]>()
  /** How many different words there are of each length. */
  const lengths: number[] = [0]
  /** Powers of the base. */
  const powers: number[] = [1]
  let searches = 0

  function hashes(text: string): Int32Array {
    const all = new Int32Array(text.length + 1)
    let hash = 0
    for (let i = 0; i < text.length; i++) {
      hash = modulo(hash * base + text.charCodeAt(i))
      all[i + 1] = hash
    }
    return all
  }

  function hashOf(word: string): number {
    let hash = 0
    for (let i = 0; i < word.length; i++) hash = modulo(hash * base + word.charCodeAt(i))
    return hash
  }

  function add(userId: number, word: string): void {
    const hash = hashOf(word)
    const entries = byHash.get(hash)
    const known = entries?.find((entry) => entry.word === word)
    if (known) {
      known.userIds.push(userId)
      return
    }
    const entry = { word, userIds: [userId], foundBy: 0 }
    if (entries) entries.push(entry)
    else byHash.set(hash, [entry])
    for (let length = lengths.length; length <= word.length; length++) {
      lengths.push(0)
      powers.push(modulo((powers[length - 1] ?? 0) * base))
    }
    lengths[word.length] = (lengths[word.length] ?? 0) + 1
  }

  function remove(userId: number, word: string): void {
    const hash = hashOf(word)
    const entries = byHash.get(hash) ?? []
    const entry = entries.find((each) => each.word === word)
    if (!entry) return
    entry.userIds.splice(entry.userIds.indexOf(userId), 1)
    if (entry.userIds.length > 0) return
    lengths[word.length] = (lengths[word.length] ?? 0) - 1
    entries.splice(entries.indexOf(entry), 1)
    if (entries.length === 0) byHash.delete(hash)
  }

  /** Calls back with every word in the text, once. */
  function search(text: string, found: (entry: IndexedWord) => void): void {
    searches++
    const left = Int32Array.from(lengths)
    const edges = edgesOf(text)
    const upTo = hashes(text)
    for (let i = 0; i < edges.length; i++) {
      const start = edges[i] ?? 0
      const before = upTo[start] ?? 0
      for (let j = i + 1; j < edges.length; j++) {
        const end = edges[j] ?? 0
        const length = end - start
        if (length >= left.length) break
        if (left[length] === 0) continue
        const hash = modulo((upTo[end] ?? 0) + prime * prime - before * (powers[length] ?? 0))
        const entries = byHash.get(hash)
        if (!entries) continue
        for (const entry of entries) {
          if (entry.foundBy === searches || entry.word.length !== length) continue
          if (!text.startsWith(entry.word, start)) continue
          entry.foundBy = searches
          left[length] = (left[length] ?? 0) - 1
          found(entry)
        }
      }
    }
  }

  return {
    set(userId, words) {
      const before = new Set(byUser.get(userId))
      const now = new Set(words)
      for (const word of before) if (!now.has(word)) remove(userId, word)
      for (const word of now) if (!before.has(word)) add(userId, word)
      if (words.length > 0) byUser.set(userId, words)
      else byUser.delete(userId)
    },
    usersWithWordIn(text) {
      const userIds = new Set<number>()
      if (byUser.size === 0) return userIds
      search(text, (entry) => {
        for (const userId of entry.userIds) userIds.add(userId)
      })
      return userIds
    },
  }
}

/** Where a word can begin or end: everywhere but inside runs of letters, digits and underscores. */
function edgesOf(text: string): Uint32Array {
  const edges = new Uint32Array(text.length + 1)
  let count = 0
  let next = 0
  for (const { 0: run, index } of text.matchAll(wordPart)) {
    for (; next <= index; next++) edges[count++] = next
    next = index + run.length
  }
  for (; next <= text.length; next++) edges[count++] = next
  return edges.subarray(0, count)
}
