/* The longest texts of a group that the server takes, in characters. The server tells them nowhere. */

export const longestName = 100
export const longestDescription = 1024
