const storageKey = 'parley:searches'
const most = 10

/** The searches in this browser, the last first. */
export function recentSearches(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

export function rememberSearch(text: string): void {
  const others = recentSearches().filter((each) => each !== text)
  try {
    localStorage.setItem(storageKey, JSON.stringify([text, ...others].slice(0, most)))
  } catch {
    // A full or forbidden storage only forgets searches.
  }
}
