/**
 * A user's search text as an FTS5 query: every word and every quoted phrase in it must occur, in
 * any order. Each becomes a quoted string, so that nothing that a user types is query syntax; a
 * word with punctuation inside is the phrase of its parts. Text without any word finds nothing.
 */
export function searchQuery(text: string): string {
  return phrases(text).join(' ') || '""'
}

/** The same for finding the matches in a text: any of them counts. */
export function highlightQuery(texts: readonly string[]): string {
  return texts.flatMap(phrases).join(' OR ') || '""'
}

function phrases(text: string): string[] {
  const found = text.matchAll(/"([^"]*)"|[^\s"]+/g)
  return Array.from(found, ([whole, quoted]) => `"${quoted ?? whole}"`)
}
