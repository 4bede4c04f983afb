import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'
import { groupSetting } from './groups.ts'

export const topicsPolicies = [
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
] as const

export const channels = sqliteTable(
  'channels',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    nameKey: text().notNull(),
    description: text().notNull().default(''),
    renderedDescription: text().notNull().default(''),
    creatorId: integer(),
    dateCreated: seconds().notNull(),
    recipientId: integer().notNull(),
    isPrivate: flag(),
    isWebPublic: flag(),
    historyPublic: integer({ mode: 'boolean' }).notNull().default(true),
    isArchived: flag(),
    isDefault: flag(),
    /** Null: the organization's setting; -1: keep messages forever. */
    retentionDays: integer(),
    topicsPolicy: text({ enum: topicsPolicies }).notNull().default('inherit'),
    folderId: integer(),
    firstMessageId: integer(),
    defaultPushNotifications: flag(),
    canAddSubscribersGroup: groupSetting(),
    canAdministerChannelGroup: groupSetting(),
    canCreateTopicGroup: groupSetting(),
    canDeleteAnyMessageGroup: groupSetting(),
    canDeleteOwnMessageGroup: groupSetting(),
    canMoveMessagesOutOfChannelGroup: groupSetting(),
    canMoveMessagesWithinChannelGroup: groupSetting(),
    canRemoveSubscribersGroup: groupSetting(),
    canResolveTopicsGroup: groupSetting(),
    canSendMessageGroup: groupSetting(),
    canSubscribeGroup: groupSetting(),
  },
  (t) => [
    uniqueIndex('channels_name').on(t.nameKey),
    uniqueIndex('channels_recipient').on(t.recipientId),
    index('channels_retention').on(t.id).where(sql`retention_days > 0`),
  ],
)

export const channelFolders = sqliteTable('channel_folders', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  description: text().notNull().default(''),
  renderedDescription: text().notNull().default(''),
  position: integer().notNull(),
  dateCreated: seconds(),
  creatorId: integer(),
  isArchived: flag(),
})

/** One row for each user who ever subscribed; `isActive` marks current subscribers. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    userId: integer().notNull(),
    channelId: integer().notNull(),
    isActive: integer({ mode: 'boolean' }).notNull().default(true),
    color: text().notNull(),
    isMuted: flag(),
    pinToTop: flag(),
    /** Five notification settings; null: the user's own setting applies. */
    desktopNotifications: integer({ mode: 'boolean' }),
    audibleNotifications: integer({ mode: 'boolean' }),
    pushNotifications: integer({ mode: 'boolean' }),
    emailNotifications: integer({ mode: 'boolean' }),
    wildcardMentionsNotify: integer({ mode: 'boolean' }),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.channelId] }),
    index('subscriptions_channel').on(t.channelId, t.isActive, t.userId),
    index('subscriptions_notified')
      .on(t.channelId, t.userId)
      .where(sql`is_active AND (push_notifications OR email_notifications)`),
  ],
)

/**
 * When a user was subscribed, in message IDs: the messages with `fromMessage <= id < untilMessage`
 * are in the user's message history. `untilMessage` is null during a current subscription.
 */
export const subscriptionSpans = sqliteTable(
  'subscription_spans',
  {
    userId: integer().notNull(),
    channelId: integer().notNull(),
    fromMessage: integer().notNull(),
    untilMessage: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.channelId, t.fromMessage] }),
    index('subscription_spans_channel').on(t.channelId, t.userId),
  ],
)

/** A user's visibility policy for a topic. @source Zulip API, "Register an event queue" */
export const visibilityPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type VisibilityPolicy = (typeof visibilityPolicies)[keyof typeof visibilityPolicies]

/** Topics that a user muted, unmuted or follows. */
export const userTopics = sqliteTable(
  'user_topics',
  {
    userId: integer().notNull(),
    channelId: integer().notNull(),
    topicKey: text().notNull(),
    topic: text().notNull(),
    policy: integer().$type<VisibilityPolicy>().notNull(),
    lastUpdated: seconds().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.channelId, t.topicKey] }),
    index('user_topics_topic').on(t.channelId, t.topicKey),
    index('user_topics_followed').on(t.channelId, t.topicKey, t.userId).where(sql`policy = 3`),
  ],
)
