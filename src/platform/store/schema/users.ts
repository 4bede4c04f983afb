import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'
import { reactionTypes } from './emoji.ts'

/** The roles: the smaller the number, the more permissions. @source Zulip API, "Update a user" */
export const roles = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const
export type Role = (typeof roles)[keyof typeof roles]

/** The API's numbers for bot types; people have none. */
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const
export type BotType = (typeof botTypes)[keyof typeof botTypes]

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The real email address, as entered. */
    email: text().notNull(),
    /** Whether the account has shown that it gets mail at `email`, or an authority says that it does. */
    isEmailVerified: flag(),
    /** Lower-cased `email`, for logins and look-ups. */
    emailKey: text().notNull(),
    /** The `email` in the API: the real address, or a placeholder if that is hidden. */
    apiEmail: text().notNull(),
    apiEmailKey: text().notNull(),
    fullName: text().notNull(),
    /** `nameKey` of `fullName`. */
    nameKey: text().notNull().default(''),
    role: integer().$type<Role>().notNull(),
    isActive: integer({ mode: 'boolean' }).notNull().default(true),
    /** Null for people. */
    botType: integer().$type<BotType>(),
    botOwnerId: integer(),
    /** Notification bot, welcome bot and the like, which belong to the server. */
    isSystemBot: flag(),
    timezone: text().notNull().default(''),
    dateJoined: seconds().notNull(),
    passwordHash: text(),
    apiKey: text().notNull(),
    avatarSource: text({ enum: ['G', 'U'] })
      .notNull()
      .default('G'),
    avatarVersion: integer().notNull().default(1),
    /** SHA-256 of the uploaded avatar in two sizes; null: the server generates one. */
    avatarHash: text(),
    mediumAvatarHash: text(),
    /** Was imported, and has not logged in yet. */
    awaitsFirstLogin: flag(),
  },
  (t) => [
    uniqueIndex('users_email').on(t.emailKey),
    uniqueIndex('users_api_email').on(t.apiEmailKey),
    uniqueIndex('users_api_key').on(t.apiKey),
    index('users_inactive').on(t.id).where(sql`NOT is_active`),
    index('users_joined').on(t.dateJoined),
    index('users_bots').on(t.id).where(sql`bot_type IS NOT NULL`),
    index('users_name').on(t.nameKey),
    index('users_avatar').on(t.avatarHash).where(sql`avatar_hash IS NOT NULL`),
    index('users_medium_avatar').on(t.mediumAvatarHash).where(sql`medium_avatar_hash IS NOT NULL`),
  ],
)

/** A person or a bot. */
export type User = typeof users.$inferSelect

/** User settings that differ from the default; declared in features/foundation/users/settings.ts. */
export const userSettings = sqliteTable(
  'user_settings',
  {
    userId: integer().notNull(),
    name: text().notNull(),
    value: text({ mode: 'json' }).$type<unknown>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.name] }),
    index('user_settings_notified')
      .on(t.userId)
      .where(
        sql`name IN ('enable_stream_push_notifications', 'enable_stream_email_notifications') AND value = 'true'`,
      ),
  ],
)

/** Browser sessions; only the SHA-256 of the cookie's value is stored. */
export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text().primaryKey(),
    userId: integer().notNull(),
    csrfToken: text().notNull(),
    expiresAt: seconds().notNull(),
    /** 0: before this was stored. */
    createdAt: seconds().notNull().default(0),
    /** The beginning of the header `User-Agent` of the log-in. */
    device: text().notNull().default(''),
  },
  (t) => [index('sessions_user').on(t.userId)],
)

export const alertWords = sqliteTable(
  'alert_words',
  {
    userId: integer().notNull(),
    word: text().notNull(),
    /** Lower-cased `word`. */
    wordKey: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.wordKey] })],
)

export const mutedUsers = sqliteTable(
  'muted_users',
  { userId: integer().notNull(), mutedId: integer().notNull(), mutedAt: seconds().notNull() },
  (t) => [primaryKey({ columns: [t.userId, t.mutedId] })],
)

/** Views in a user's left sidebar that the user created, or whose state is not the default. */
export const navigationViews = sqliteTable(
  'navigation_views',
  {
    userId: integer().notNull(),
    /** The part of the view's URL after `#`, such as `narrow/is/alerted`. */
    fragment: text().notNull(),
    isPinned: integer({ mode: 'boolean' }).notNull(),
    /** Null for a built-in view, which keeps its own name. */
    name: text(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.fragment] })],
)

/**
 * Hints that clients still have to show to a user once; a row is deleted when its hint was shown.
 */
export const onboardingSteps = sqliteTable(
  'onboarding_steps',
  { userId: integer().notNull(), name: text().notNull() },
  (t) => [primaryKey({ columns: [t.userId, t.name] })],
)

/** When each user was last active and last idle; null: never. */
export const presence = sqliteTable(
  'presence',
  {
    userId: integer().primaryKey(),
    activeAt: seconds(),
    idleAt: seconds(),
    /** Increases with every change of any row, so that clients can fetch only changes. */
    updateId: integer().notNull(),
  },
  (t) => [uniqueIndex('presence_update').on(t.updateId)],
)

/** User statuses. The three emoji columns are null together. */
export const userStatuses = sqliteTable(
  'user_statuses',
  {
    userId: integer().primaryKey(),
    statusText: text().notNull(),
    emojiName: text(),
    emojiCode: text(),
    reactionType: text({ enum: reactionTypes }),
    /** When the status clears itself; null: never. */
    endsAt: seconds(),
  },
  (t) => [index('user_statuses_ending').on(t.endsAt).where(sql`ends_at IS NOT NULL`)],
)

/** The pause and the quiet hours of a user. A row with neither is deleted. */
export const quietTimes = sqliteTable('quiet_times', {
  userId: integer().primaryKey(),
  /** The end of the pause; null: there is none. */
  pausedUntil: seconds(),
  /** Declared in features/foundation/quiet-times/times.ts; null: no quiet hours. */
  schedule: text({ mode: 'json' }).$type<unknown>(),
})
