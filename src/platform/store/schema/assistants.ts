import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'

/** Programs that have registered to connect assistants with accounts. Anyone can register one. */
export const assistantClients = sqliteTable(
  'assistant_clients',
  {
    /** Random; not a secret. */
    id: text().primaryKey(),
    /** What it calls itself, made safe to show. */
    name: text().notNull(),
    redirectUris: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    createdAt: seconds().notNull(),
    /** When it is deleted, unless it has a connection. */
    expiresAt: seconds().notNull(),
    /** Whether someone has allowed a connection. */
    isUsed: flag(),
  },
  (t) => [
    index('assistant_clients_expiry').on(t.expiresAt),
    index('assistant_clients_unused').on(t.createdAt).where(sql`is_used = 0`),
  ],
)

/** The codes that clients exchange for tokens. They stay for a day, to notice a second use. */
export const assistantCodes = sqliteTable(
  'assistant_codes',
  {
    codeHash: text().primaryKey(),
    clientId: text().notNull(),
    userId: integer().notNull(),
    redirectUri: text().notNull(),
    /** The PKCE challenge, by the method S256. */
    challenge: text().notNull(),
    resource: text().notNull(),
    mayWrite: flag(),
    createdAt: seconds().notNull(),
    /** The connection that it was exchanged for; null: it was not used. */
    connectionId: integer(),
  },
  (t) => [
    index('assistant_codes_user').on(t.userId, t.createdAt),
    index('assistant_codes_created').on(t.createdAt),
  ],
)

/** The assistants that people have connected with their accounts, each with its current tokens. */
export const assistantConnections = sqliteTable(
  'assistant_connections',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    clientId: text().notNull(),
    /** The name of the client. */
    name: text().notNull(),
    /** The URL of the endpoint for which the tokens are. */
    resource: text().notNull(),
    mayWrite: flag(),
    createdAt: seconds().notNull(),
    /** Exact to some minutes; null: never. */
    lastUsedAt: seconds(),
    accessHash: text().notNull(),
    accessExpiresAt: seconds().notNull(),
    /** SHA-256 of the part that all refresh tokens of the connection have in common. */
    familyHash: text().notNull(),
    /** SHA-256 of the current refresh token. */
    refreshHash: text().notNull(),
    /** When it ends unless it is refreshed before. */
    expiresAt: seconds().notNull(),
  },
  (t) => [
    uniqueIndex('assistant_connections_access').on(t.accessHash),
    uniqueIndex('assistant_connections_family').on(t.familyHash),
    uniqueIndex('assistant_connections_user').on(t.userId, t.clientId),
    index('assistant_connections_client').on(t.clientId),
    index('assistant_connections_expiry').on(t.expiresAt),
  ],
)
