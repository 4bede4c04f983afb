import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'
import { sessions } from './users.ts'

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
    /** When to register it with the push service, or remove it there; null: done. */
    serviceDueAt: seconds(),
    failures: integer().notNull().default(0),
    /** The user has removed it; the row stays until the push service knows that. */
    isRemoved: flag(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.token] }),
    index('push_tokens_due').on(t.serviceDueAt).where(sql`service_due_at IS NOT NULL`),
  ],
)

/** The registration of this server with the push service for phones: one row, ID 1. */
export const pushService = sqliteTable('push_service', {
  id: integer().primaryKey(),
  /** The proof that the organization is on this server. */
  ownerSecret: text().notNull(),
  /** When to look next whether the service needs newer facts about the organization. */
  uploadDueAt: seconds().notNull(),
  failures: integer().notNull().default(0),
  /** When the facts were last uploaded, and which accounts there were then, by role; null: never. */
  uploadedAt: seconds(),
  counts: text(),
  /** The error code with which the service refuses notifications; null: it accepts them. */
  problem: text(),
})

/** How urgent a push is for the device; devices can ask for the urgent ones only. */
export const pushUrgencies = ['normal', 'high'] as const

/** The devices that get pushes by Web Push: browsers, mostly. */
export const webPushSubscriptions = sqliteTable(
  'web_push_subscriptions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    /** The session with which it ends; null: it was made with an API key, and ends with that. */
    sessionId: text().references(() => sessions.tokenHash, { onDelete: 'cascade' }),
    /** The URL of the browser maker's push service for this device. */
    endpoint: text().notNull(),
    /** The device's public key, a point on the curve P-256, and its secret; both in base64url. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** The least urgency of the pushes that the device wants. */
    urgency: text({ enum: pushUrgencies }).notNull(),
    /** The beginning of the header `User-Agent` of the request that made it. */
    device: text().notNull(),
    createdAt: seconds().notNull(),
    /** When the push service last accepted a push; null: never. */
    succeededAt: seconds(),
    /** Before this time its push service must not be asked; null: it can be. */
    pausedUntil: seconds(),
  },
  (t) => [
    uniqueIndex('web_push_subscriptions_endpoint').on(t.endpoint),
    index('web_push_subscriptions_user').on(t.userId),
    index('web_push_subscriptions_session').on(t.sessionId),
  ],
)

/** The key pair that identifies this server to push services: one row, id 1. */
export const webPushKey = sqliteTable('web_push_key', {
  id: integer().primaryKey(),
  /** The private key on the curve P-256 and its point, both in base64url. */
  privateKey: text().notNull(),
  publicKey: text().notNull(),
})

/**
 * Messages to be pushed to a device, or already pushed: a row stays while the device may show the
 * message, so that the device can be asked to remove it.
 */
export const pushes = sqliteTable(
  'pushes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    /** Null: all phones of the user. */
    subscriptionId: integer().references(() => webPushSubscriptions.id, { onDelete: 'cascade' }),
    messageId: integer().notNull(),
    createdAt: seconds().notNull(),
    /** When to send it or, once sent, to see whether it is still to be shown; null: never. */
    dueAt: seconds(),
    /** When the device's push service accepted it; null: not yet. */
    sentAt: seconds(),
    failures: integer().notNull().default(0),
  },
  (t) => [
    index('pushes_due').on(t.dueAt).where(sql`due_at IS NOT NULL`),
    index('pushes_message').on(t.messageId, t.userId),
    index('pushes_target').on(t.userId, t.subscriptionId, t.id),
    index('pushes_subscription').on(t.subscriptionId),
    index('pushes_created').on(t.createdAt),
  ],
)
