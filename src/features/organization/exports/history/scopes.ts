/** The messages and the private data in an export of the history. */
export const historyScopes = ['public', 'full_with_consent', 'everything'] as const

/**
 * - `public`: messages of public channels, and nobody's private data.
 * - `full_with_consent`: also what consenting people can read, and their private data.
 * - `everything`: all data of the server, for the operator.
 */
export type HistoryScope = (typeof historyScopes)[number]

/** The forms of an export of the history: for an import into Zulip, and for reading in a browser. */
export const historyFormats = ['zulip', 'archive'] as const
export type HistoryFormat = (typeof historyFormats)[number]
