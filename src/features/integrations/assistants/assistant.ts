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
