import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { IdentityProvider } from '#platform/config.ts'
import { flag, seconds } from './columns.ts'

/** Identity providers that `parley sso add` stored; others come from the configuration. */
export const identityProviders = sqliteTable('identity_providers', {
  id: text().primaryKey(),
  settings: text({ mode: 'json' }).$type<IdentityProvider>().notNull(),
})

/** Which account someone has here whom an identity provider knows as `subject`. */
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

/** Where a log-in leads. */
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
  /** The name that the provider goes by here. */
  readonly provider: string
}

/** With what someone logs in. */
export type LoginMeans = 'password' | 'click' | 'desktop' | { readonly provider: string }

/** A log-in that is not complete, of an account that is known: what it waits for. */
export type AttemptDetails = {
  readonly arrival: Arrival
} /** The password of the account to which an identity is to be linked. */ & (
  | { readonly step: 'link'; readonly identity: Identity }
  /** A code of the account's second factor; `by`: with what the person has logged in. */
  | { readonly step: 'code'; readonly by: LoginMeans }
  /** The account's second factor, which the organization requires; `secret`: what was shown for it. */
  | { readonly step: 'enrolment'; readonly by: LoginMeans; readonly secret: string }
  /** That the person has kept the recovery codes. */
  | { readonly step: 'enrolled'; readonly by: LoginMeans }
  /** A desktop app, which takes the session over. */
  | { readonly step: 'desktop' }
  /** That the person in front of the app, or of a browser, wants to be logged in. */
  | { readonly step: 'takeover' }
)

/** Log-ins that are not complete, each known by the hash of a secret that the browser has. */
export const loginAttempts = sqliteTable(
  'login_attempts',
  {
    keyHash: text().primaryKey(),
    /** SHA-256 of the cookie of the browser that may go on with it; null: any may. */
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

/** The second factors of accounts: secrets that an app shares, from which both make codes. */
export const secondFactors = sqliteTable('second_factors', {
  userId: integer().primaryKey(),
  /** In base32. */
  secret: text().notNull(),
  /** Whether a code has shown that the app has the secret. */
  isOn: flag(),
  /** SHA-256 of the session's token or API key that began it, which alone may finish. */
  begunBy: text(),
  /** The time step of the last code that counted, after which the next one must be. */
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
