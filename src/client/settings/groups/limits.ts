/** The server's limits for texts of a group, in characters. The server does not announce them. */

export const longestName = 100
export const longestDescription = 1024
