import { indexedText, searchText } from '#platform/store/search-text.ts'

/** The alert words of all users, for finding those in a text in one pass. */
export interface WordIndex {
  /** Makes these the words of a user; none are left of those before. */
  set(userId: number, words: readonly string[]): void
  /**
   * The users with a word that a text contains, however either is written: case, accents, width,
   * kinds of apostrophes and the amount of white space do not count, as in a search. Words are whole:
   * where one begins or ends with a letter, a digit or an underscore, none of these precedes or
   * follows, except in scripts that write words without spaces.
   */
  usersWithWordIn(text: string): Set<number>
}

/** What follows on some tokens. */
interface Node {
  readonly next: Map<string, Node>
  /** Who has the word that ends here. */
  readonly userIds: Set<number>
}

/**
 * The words of a text as the search has them, underscores included; any other character; and a line
 * break for white space, except beside a character of a script without spaces.
 */
function tokens(text: string, prepare = searchText): readonly string[] {
  const typed = text
    .replace(/\s+/gu, '\n')
    .replace(/[‘’‛′ʼ]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
  // The spaces are those around characters of such scripts.
  const folded = prepare(typed).toLowerCase().replace(/\n+/g, '\n')
  const spaced = folded.replaceAll(' \n', ' ').replaceAll('\n ', ' ')
  return spaced.match(/[\p{L}\p{N}\p{M}\p{Co}_]+|[^\p{L}\p{N}\p{M}\p{Co}_ ]/gu) ?? []
}

/**
 * Creates an empty index: a tree of the words by their tokens, where most words are one token. A
 * search follows it from each token of the text, so it takes time in proportion to the text's tokens,
 * times those of the longest word at worst, but however many words there are.
 */
export function createWordIndex(): WordIndex {
  const root = newNode()
  const byUser = new Map<number, readonly string[]>()

  function add(userId: number, word: string): void {
    let node = root
    for (const token of tokens(word)) {
      const next = node.next.get(token) ?? newNode()
      node.next.set(token, next)
      node = next
    }
    node.userIds.add(userId)
  }

  function remove(userId: number, node: Node, [first, ...rest]: readonly string[]): void {
    if (first === undefined) node.userIds.delete(userId)
    const next = first === undefined ? undefined : node.next.get(first)
    if (first === undefined || !next) return
    remove(userId, next, rest)
    if (next.next.size === 0 && next.userIds.size === 0) node.next.delete(first)
  }

  return {
    set(userId, words) {
      for (const word of byUser.get(userId) ?? []) remove(userId, root, tokens(word))
      for (const word of words) add(userId, word)
      if (words.length > 0) byUser.set(userId, words)
      else byUser.delete(userId)
    },
    usersWithWordIn(text) {
      // Each once, however often the text has its word: all users may have that.
      const found = new Set<Node>()
      const all = byUser.size === 0 ? [] : tokens(text, (typed) => indexedText(typed))
      for (let start = 0; start < all.length; start++) {
        let node = root.next.get(all[start] ?? '')
        for (let at = start + 1; node; at++) {
          if (node.userIds.size > 0) found.add(node)
          node = node.next.get(all[at] ?? '')
        }
      }
      return new Set([...found].flatMap(({ userIds }) => [...userIds]))
    },
  }
}

const newNode = (): Node => ({ next: new Map(), userIds: new Set() })
