import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { seconds } from './columns.ts'

/** Devices that get encrypted push notifications, with the state of their registration. */
export const pushDevices = sqliteTable(
  'push_devices',
  {
    userId: integer().notNull(),
    /** The client's own ID for the account. */
    pushAccountId: integer().notNull(),
    tokenKind: text({ enum: ['apns', 'fcm'] }).notNull(),
    publicKey: text().notNull(),
    servicePublicKey: text().notNull(),
    encryptedRegistration: text().notNull(),
    /** The push service's ID of the device; null until registered. */
    serviceDeviceId: integer(),
    /** Why the push service refused the device; null if it did not. */
    errorCode: text(),
    failures: integer().notNull().default(0),
    /** When to try the registration next; null: never. */
    dueAt: seconds(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.pushAccountId] }),
    index('push_devices_due').on(t.dueAt).where(sql`due_at IS NOT NULL`),
  ],
)

/** Push tokens from Apple's and Google's services, as older apps register them. */
export const pushTokens = sqliteTable(
  'push_tokens',
  {
    kind: text({ enum: ['apns', 'fcm'] }).notNull(),
    token: text().notNull(),
    userId: integer().notNull(),
    /** The bundle ID of an iOS app; null for Android. */
    appId: text(),
    registeredAt: seconds().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind, t.token] })],
)
