import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { IdentityProvider } from '#platform/config.ts'
import { flag, seconds } from './columns.ts'

/** Identity providers that `parley sso add` stored; others come from the configuration. */
export const identityProviders = sqliteTable('identity_providers', {
  id: text().primaryKey(),
  settings: text({ mode: 'json' }).$type<IdentityProvider>().notNull(),
})

/** Links an account to a `subject` of an identity provider. */
export const identities = sqliteTable(
  'identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: integer().notNull(),
    linkedAt: seconds().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    uniqueIndex('identities_user').on(t.userId, t.issuer),
  ],
)

/** The destination of a log-in. */
export interface Arrival {
  /** The app that waits for the end of the log-in, and its one-time pad: 64 hex digits. */
  readonly app?: { readonly kind: 'mobile' | 'desktop'; readonly otp: string } | undefined
  /** The page to show in this browser: a path. */
  readonly next: string
}

/** Someone as an identity provider describes them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** The name of the provider in Parley. */
  readonly provider: string
}

/** The method of a log-in. */
export type LoginMeans = 'password' | 'click' | 'desktop' | { readonly provider: string }

/** The next step of an incomplete log-in, once the account is known. */
export type AttemptDetails = {
  readonly arrival: Arrival
} /** The password of the account to which an identity is to be linked. */ & (
  | { readonly step: 'link'; readonly identity: Identity }
  /** A code of the account's second factor; `by`: the method of the log-in. */
  | { readonly step: 'code'; readonly by: LoginMeans }
  /** The account's second factor, which the organization requires; `secret`: what was shown for it. */
  | { readonly step: 'enrolment'; readonly by: LoginMeans; readonly secret: string }
  /** A confirmation that the person has kept the recovery codes. */
  | { readonly step: 'enrolled'; readonly by: LoginMeans }
  /** A desktop app, which takes the session over. */
  | { readonly step: 'desktop' }
  /** A confirmation that the person at the app or browser wants to be logged in. */
  | { readonly step: 'takeover' }
)

/** Incomplete log-ins, each identified by the hash of a secret that the browser has. */
export const loginAttempts = sqliteTable(
  'login_attempts',
  {
    keyHash: text().primaryKey(),
    /** SHA-256 of the cookie of the browser that may continue; null: any browser may. */
    browserHash: text(),
    userId: integer().notNull(),
    details: text({ mode: 'json' }).$type<AttemptDetails>().notNull(),
    expiresAt: seconds().notNull(),
  },
  (t) => [
    index('login_attempts_expiry').on(t.expiresAt),
    index('login_attempts_user').on(t.userId, t.expiresAt),
  ],
)

/** The second factors of accounts: secrets shared with an app, from which both compute codes. */
export const secondFactors = sqliteTable('second_factors', {
  userId: integer().primaryKey(),
  /** In base32. */
  secret: text().notNull(),
  /** Whether a code has confirmed that the app has the secret. */
  isOn: flag(),
  /**
   * SHA-256 of the session token or API key that began the set-up. Only this one may finish it.
   */
  begunBy: text(),
  /** The time step of the last accepted code. The next one must be later. */
  lastStep: integer().notNull(),
  createdAt: seconds().notNull(),
})

/** SHA-256 of the codes that stand in for a lost second factor; a row is deleted once it is used. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { userId: integer().notNull(), codeHash: text().notNull() },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)

/** The SHA-256 of the token with which a provider manages accounts: one row, or none. */
export const scimTokens = sqliteTable('scim_tokens', {
  tokenHash: text().primaryKey(),
  createdAt: seconds().notNull(),
})
