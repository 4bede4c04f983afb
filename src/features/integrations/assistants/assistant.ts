/** A program that acts as a person through the Model Context Protocol. */
export interface Assistant {
  readonly userId: number
  /** Shown at what it writes: see `clientOf`. */
  readonly name: string
  /** Whether it may change anything. */
  readonly mayWrite: boolean
  /** Which of the person's connections it uses; absent: it has their API key. */
  readonly connectionId?: number
}

/** The path of the endpoint. */
export const endpointPath = '/mcp'

/** Where a client learns how to get a token, below the server's address. @source RFC 9728 */
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${endpointPath}`

/**
 * The longest name at a message, in UTF-16 code units: with the mark, it is as long as the name of a
 * client in an export may be.
 */
const longestName = 24

/** Ends the names of clients that are assistants. No `User-Agent` leads to one with a space. */
const mark = ' (MCP)'

/** The name of the client of an assistant's messages: `Claude Code (MCP)`. */
export function clientOf({ name }: Pick<Assistant, 'name'>): string {
  return `${shortName(name)}${mark}`
}

/** A name that others chose, on one line, without what would change the text around it. */
export function shortName(name: string): string {
  const words = name
    .slice(0, 10 * longestName)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return (
    [...words].slice(0, longestName).join('').slice(0, longestName).toWellFormed().trim() ||
    'Assistant'
  )
}
