/** The most drafts in one request. */
export const maxDrafts = 100

/** The longest JSON text of all drafts in one request, in UTF-16 code units. */
export const longestDrafts = 500_000
