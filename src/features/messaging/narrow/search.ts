import { searchText } from '#platform/store/search-text.ts'

/**
 * A user's search text as an FTS5 query: every word and every quoted phrase must occur, in any
 * order. Each becomes a quoted string, so that users cannot type query syntax; a word with
 * punctuation inside becomes a phrase of its parts, and so does one in a script without spaces.
 * Text without words matches nothing.
 */
export function searchQuery(text: string): string {
  return quoted(text).join(' ') || '""'
}

/** The same for highlighting: any of the words and phrases matches. */
export function highlightQuery(texts: readonly string[]): string {
  return texts.flatMap(quoted).join(' OR ') || '""'
}

/** The words and quoted phrases of a search text, as typed. */
export function searchPhrases(text: string): string[] {
  const found = text.matchAll(/"([^"]*)"|[^\s"]+/g)
  return Array.from(found, ([whole, inner]) => inner ?? whole)
}

function quoted(text: string): string[] {
  const phrases = searchPhrases(text).map((phrase) => searchText(phrase).replaceAll('"', ' '))
  return [...new Set(phrases)].map((phrase) => `"${phrase}"`)
}
