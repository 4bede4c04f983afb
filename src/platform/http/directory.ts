import type { User } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** A browser session: its user, and the CSRF token that its writes must send in `X-CSRFToken`. */
export interface Session {
  /** Names it without being a secret, unlike its token. */
  readonly id: string
  readonly user: User
  readonly csrfToken: string
  /** Whether a use should extend it: `Directory.renewSession`. */
  readonly isAging: boolean
}

/** What the browser knows of a session. */
export interface RenewedSession {
  readonly token: string
  readonly csrfToken: string
}

/**
 * What the HTTP layer must know about accounts and the organization. The program passes in these
 * queries, because the platform cannot import the features.
 */
export interface Directory {
  /** Whether the organization exists and is active. */
  organization(read: Read): 'missing' | 'open' | 'deactivated'
  /** Whether people without an account may read what is public on the web. */
  allowsSpectators(read: Read): boolean
  /** The code of the organization's language. */
  language(read: Read): string
  findUser(read: Read, id: number): User | undefined
  /** By real or API email address, case-insensitively; deactivated users included. */
  findUserByAddress(read: Read, address: string): User | undefined
  /** Whether a session with this ID, which need not be current, is stored. */
  hasSession(read: Read, id: string): boolean
  findUserByKey(read: Read, apiKey: string): User | undefined
  /** The session with this token; undefined if unknown or expired. */
  findSession(read: Read, token: string): Session | undefined
  /**
   * Extends a session that is used.
   *
   * @param isSecure whether clients reach the server by https
   * @returns the `Set-Cookie` headers that let the browser keep it as long
   */
  renewSession(tx: Tx, session: RenewedSession, isSecure: boolean): readonly string[]
}
