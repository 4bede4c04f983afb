import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'

const flag = () => integer({ mode: 'boolean' }).notNull().default(false)
/** Seconds since the epoch. */
const seconds = () => integer()
const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({ dataType: () => 'blob' })
/** A group-setting value: the id of a named, system or anonymous group. */
const groupSetting = () =>
  integer()
    .notNull()
    .references((): AnySQLiteColumn => userGroups.id)

/** The organization: one row, id 1. */
export const realm = sqliteTable('realm', {
  id: integer().primaryKey(),
  uuid: text().notNull(),
  name: text().notNull(),
  description: text().notNull().default(''),
  dateCreated: seconds().notNull(),
  /** Signs short-lived links; 32 random bytes in hex. */
  secret: text().notNull(),
  /** Null while people can use it. */
  deactivatedAt: seconds(),
  /** When everything in a deactivated organization is deleted; null: it is kept. */
  deletionAt: seconds(),
})

/** Realm settings that differ from their default; the registry in realm/settings.ts types them. */
export const realmSettings = sqliteTable('realm_settings', {
  name: text().primaryKey(),
  value: text({ mode: 'json' }).$type<unknown>().notNull(),
})

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The real address, as typed. */
    email: text().notNull(),
    /** Lower-cased `email`: what logins and look-ups compare. */
    emailKey: text().notNull(),
    /** What the API shows as `email`: the real address, or a placeholder while that is hidden. */
    apiEmail: text().notNull(),
    apiEmailKey: text().notNull(),
    fullName: text().notNull(),
    role: integer().notNull(),
    isActive: integer({ mode: 'boolean' }).notNull().default(true),
    /** Null for people; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
    botType: integer(),
    botOwnerId: integer(),
    /** Notification bot, welcome bot and the like: they belong to the server, not to a person. */
    isSystemBot: flag(),
    timezone: text().notNull().default(''),
    dateJoined: seconds().notNull(),
    passwordHash: text(),
    apiKey: text().notNull(),
    avatarSource: text({ enum: ['G', 'U'] })
      .notNull()
      .default('G'),
    avatarVersion: integer().notNull().default(1),
    /** SHA-256 of the uploaded picture in its two sizes; null: the server draws one. */
    avatarHash: text(),
    mediumAvatarHash: text(),
  },
  (t) => [
    uniqueIndex('users_email').on(t.emailKey),
    uniqueIndex('users_api_email').on(t.apiEmailKey),
    uniqueIndex('users_api_key').on(t.apiKey),
    index('users_inactive').on(t.id).where(sql`NOT is_active`),
    index('users_joined').on(t.dateJoined),
    index('users_bots').on(t.id).where(sql`bot_type IS NOT NULL`),
    index('users_full_name').on(sql`full_name COLLATE NOCASE`),
    index('users_avatar').on(t.avatarHash).where(sql`avatar_hash IS NOT NULL`),
    index('users_medium_avatar').on(t.mediumAvatarHash).where(sql`medium_avatar_hash IS NOT NULL`),
  ],
)

/** What users chose or started with; the registry in users/settings.ts has the built-in defaults. */
export const userSettings = sqliteTable(
  'user_settings',
  {
    userId: integer().notNull(),
    name: text().notNull(),
    value: text({ mode: 'json' }).$type<unknown>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.name] })],
)

/** What new users start with, where it differs from the built-in default. */
export const realmUserDefaults = sqliteTable('realm_user_defaults', {
  name: text().primaryKey(),
  value: text({ mode: 'json' }).$type<unknown>().notNull(),
})

/** Browser sessions; the cookie's value is kept only as its SHA-256. */
export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text().primaryKey(),
    userId: integer().notNull(),
    csrfToken: text().notNull(),
    expiresAt: seconds().notNull(),
  },
  (t) => [index('sessions_user').on(t.userId)],
)

export const userGroups = sqliteTable(
  'user_groups',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Null for an anonymous group, which only holds the value of one setting. */
    name: text(),
    nameKey: text(),
    description: text().notNull().default(''),
    isSystem: flag(),
    creatorId: integer(),
    dateCreated: seconds(),
    deactivated: flag(),
    canAddMembersGroup: integer(),
    canJoinGroup: integer(),
    canLeaveGroup: integer(),
    canManageGroup: integer(),
    canMentionGroup: integer(),
    canRemoveMembersGroup: integer(),
  },
  (t) => [uniqueIndex('user_groups_name').on(t.nameKey)],
)

/** Direct members of named and anonymous groups; those of system groups follow from roles. */
export const groupMembers = sqliteTable(
  'group_members',
  { groupId: integer().notNull(), userId: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.groupId, t.userId] }),
    index('group_members_user').on(t.userId, t.groupId),
  ],
)

export const groupSubgroups = sqliteTable(
  'group_subgroups',
  { groupId: integer().notNull(), subgroupId: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.groupId, t.subgroupId] }),
    index('group_subgroups_subgroup').on(t.subgroupId, t.groupId),
  ],
)

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
    /** Null: the realm's setting; -1: keep for ever. */
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

/** One row for each user who ever subscribed; `isActive` tells who is subscribed now. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    userId: integer().notNull(),
    channelId: integer().notNull(),
    isActive: integer({ mode: 'boolean' }).notNull().default(true),
    color: text().notNull(),
    isMuted: flag(),
    pinToTop: flag(),
    /** The five notification switches: null inherits the user's setting. */
    desktopNotifications: integer({ mode: 'boolean' }),
    audibleNotifications: integer({ mode: 'boolean' }),
    pushNotifications: integer({ mode: 'boolean' }),
    emailNotifications: integer({ mode: 'boolean' }),
    wildcardMentionsNotify: integer({ mode: 'boolean' }),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.channelId] }),
    index('subscriptions_channel').on(t.channelId, t.isActive, t.userId),
  ],
)

/**
 * When a user was subscribed, in message ids: the messages with `fromMessage <= id < untilMessage`
 * are the user's own history. `untilMessage` is null while the subscription lasts.
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

/** Where a message goes: a channel, or one exact set of people. */
export const recipients = sqliteTable(
  'recipients',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    channelId: integer(),
    /** The sorted ids of all participants, joined by commas; null for a channel. */
    directKey: text(),
  },
  (t) => [
    uniqueIndex('recipients_direct').on(t.directKey),
    uniqueIndex('recipients_channel').on(t.channelId),
  ],
)

export const directMembers = sqliteTable(
  'direct_members',
  { userId: integer().notNull(), recipientId: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.userId, t.recipientId] }),
    index('direct_members_recipient').on(t.recipientId, t.userId),
  ],
)

/** One change of a message, as the API's `edit_history` lists it, newest first. */
export interface EditHistoryEntry {
  user_id: number | null
  timestamp: number
  prev_content?: string
  prev_rendered_content?: string
  prev_topic?: string
  topic?: string
  prev_stream?: number
  stream?: number
}

export const messages = sqliteTable(
  'messages',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    recipientId: integer().notNull(),
    senderId: integer().notNull(),
    /** Empty for direct messages and for the empty topic. */
    topic: text().notNull(),
    /** Lower-cased `topic`: topics are compared without regard to case. */
    topicKey: text().notNull(),
    content: text().notNull(),
    renderedContent: text().notNull(),
    sentAt: seconds().notNull(),
    /** Name of the client that sent it. */
    client: text().notNull(),
    hasLink: flag(),
    hasImage: flag(),
    hasAttachment: flag(),
    isMe: flag(),
    /** Mentions everyone in the channel; who that is, is decided on reading. */
    channelWildcard: flag(),
    lastEditAt: seconds(),
    lastMovedAt: seconds(),
    editHistory: text({ mode: 'json' }).$type<EditHistoryEntry[]>(),
  },
  (t) => [
    // With the topic, so that listing what is unread never visits the rows.
    index('messages_recipient').on(t.recipientId, t.id, t.topic),
    index('messages_topic').on(t.recipientId, t.topicKey, t.id),
    index('messages_sender').on(t.recipientId, t.senderId, t.id),
    index('messages_wildcard').on(t.recipientId, t.id).where(sql`channel_wildcard`),
    index('messages_resolved').on(t.recipientId, t.id).where(sql`substr(topic, 1, 2) = '✔ '`),
    index('messages_link').on(t.recipientId, t.id).where(sql`has_link`),
    index('messages_image').on(t.recipientId, t.id).where(sql`has_image`),
    index('messages_attachment').on(t.recipientId, t.id).where(sql`has_attachment`),
  ],
)

/** Bits of `message_flags.flags`: what is rare, per person and message. */
export const flagBits = {
  starred: 1,
  mentioned: 2,
  topic_wildcard_mentioned: 4,
  has_alert_word: 8,
  collapsed: 16,
  hide_link_previews: 32,
} as const

export const messageFlags = sqliteTable(
  'message_flags',
  {
    userId: integer().notNull(),
    messageId: integer().notNull(),
    flags: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.messageId] }),
    index('message_flags_message').on(t.messageId),
  ],
)

/** What a user has read in one recipient: sorted ranges over message ids, delta-varint encoded. */
export const readState = sqliteTable(
  'read_state',
  {
    userId: integer().notNull(),
    recipientId: integer().notNull(),
    ranges: bytes().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.recipientId] }),
    index('read_state_recipient').on(t.recipientId),
  ],
)

export const reactionTypes = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const

export const reactions = sqliteTable(
  'reactions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    messageId: integer().notNull(),
    userId: integer().notNull(),
    emojiName: text().notNull(),
    emojiCode: text().notNull(),
    reactionType: text({ enum: reactionTypes }).notNull(),
  },
  (t) => [
    uniqueIndex('reactions_vote').on(t.messageId, t.userId, t.emojiCode, t.reactionType),
    index('reactions_user').on(t.userId, t.messageId),
  ],
)

/** Topics that a user muted (1), unmuted (2) or follows (3). */
export const userTopics = sqliteTable(
  'user_topics',
  {
    userId: integer().notNull(),
    channelId: integer().notNull(),
    topicKey: text().notNull(),
    topic: text().notNull(),
    policy: integer().notNull(),
    lastUpdated: seconds().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.channelId, t.topicKey] }),
    index('user_topics_topic').on(t.channelId, t.topicKey),
  ],
)

export const alertWords = sqliteTable(
  'alert_words',
  {
    userId: integer().notNull(),
    word: text().notNull(),
    /** Lower-cased `word`. */
    wordKey: text().notNull(),
    /** The first of the words it consists of, by which a message finds it (`firstWordOf`). */
    firstWord: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.wordKey] })],
)

export const mutedUsers = sqliteTable(
  'muted_users',
  { userId: integer().notNull(), mutedId: integer().notNull(), mutedAt: seconds().notNull() },
  (t) => [primaryKey({ columns: [t.userId, t.mutedId] })],
)

export const drafts = sqliteTable(
  'drafts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    type: text({ enum: ['', 'stream', 'private'] }).notNull(),
    to: text({ mode: 'json' }).$type<number[]>().notNull(),
    topic: text().notNull(),
    content: text().notNull(),
    editedAt: seconds().notNull(),
  },
  (t) => [index('drafts_user').on(t.userId)],
)

/** What was added to messages that show more than text: the steps of polls and to-do lists. */
export const submessages = sqliteTable(
  'submessages',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    messageId: integer().notNull(),
    senderId: integer().notNull(),
    msgType: text({ enum: ['widget'] }).notNull(),
    /** JSON text, as clients read it. */
    content: text().notNull(),
  },
  (t) => [index('submessages_message').on(t.messageId)],
)

/** Messages that are to be sent later. */
export const scheduledMessages = sqliteTable(
  'scheduled_messages',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    senderId: integer().notNull(),
    /** Null for a direct message. */
    channelId: integer(),
    /** The people of a direct message as its sender named them; empty for a channel. */
    to: text({ mode: 'json' }).$type<number[]>().notNull(),
    topic: text().notNull(),
    content: text().notNull(),
    renderedContent: text().notNull(),
    deliverAt: integer().notNull(),
    readBySender: integer({ mode: 'boolean' }).notNull(),
    /** Name of the client that scheduled it. */
    client: text().notNull(),
    /** Its time came and it could not be sent: it waits for its sender to change it. */
    failed: flag(),
  },
  (t) => [
    index('scheduled_messages_sender').on(t.senderId, t.deliverAt),
    index('scheduled_messages_due').on(t.deliverAt).where(sql`NOT failed`),
  ],
)

/** Messages of which people want to be reminded. */
export const reminders = sqliteTable(
  'reminders',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    messageId: integer().notNull(),
    /** What the user wrote beside it; empty for nothing. */
    note: text().notNull(),
    content: text().notNull(),
    renderedContent: text().notNull(),
    deliverAt: integer().notNull(),
  },
  (t) => [
    index('reminders_user').on(t.userId, t.deliverAt),
    index('reminders_due').on(t.deliverAt),
    index('reminders_message').on(t.messageId),
  ],
)

/** Texts that a user keeps to write them again. */
export const savedSnippets = sqliteTable(
  'saved_snippets',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    dateCreated: seconds().notNull(),
  },
  (t) => [index('saved_snippets_user').on(t.userId)],
)

/** Views in a user's left sidebar that are not as they are by default, or that the user made. */
export const navigationViews = sqliteTable(
  'navigation_views',
  {
    userId: integer().notNull(),
    /** The part of the view's address after `#`, such as `narrow/is/alerted`. */
    fragment: text().notNull(),
    isPinned: integer({ mode: 'boolean' }).notNull(),
    /** Null for a built-in view, which keeps its own name. */
    name: text(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.fragment] })],
)

/** The newest signs of life of each user; null means never. */
export const presence = sqliteTable(
  'presence',
  {
    userId: integer().primaryKey(),
    activeAt: seconds(),
    idleAt: seconds(),
    /** Increases with every change of any row, so that clients can ask for what is new. */
    updateId: integer().notNull(),
  },
  (t) => [uniqueIndex('presence_update').on(t.updateId)],
)

export const realmEmoji = sqliteTable(
  'realm_emoji',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    authorId: integer(),
    /** Of `emoji_pictures`. */
    fileName: text().notNull(),
    /** One that does not move, for an emoji that does. */
    stillFileName: text(),
    deactivated: flag(),
  },
  (t) => [index('realm_emoji_name').on(t.name)],
)

/** The pictures of custom emoji, by the last part of their address. */
export const emojiPictures = sqliteTable(
  'emoji_pictures',
  {
    fileName: text().primaryKey(),
    fileHash: text().notNull(),
    contentType: text().notNull(),
  },
  (t) => [index('emoji_pictures_file').on(t.fileHash)],
)

/** Pictures that an organization uploaded of itself. */
export const realmPictures = sqliteTable(
  'realm_pictures',
  {
    kind: text({ enum: ['icon', 'logo', 'night_logo'] }).primaryKey(),
    /** Null since it was removed. */
    fileHash: text(),
    /** Goes up with every change, so that clients fetch it again. */
    version: integer().notNull(),
  },
  (t) => [index('realm_pictures_file').on(t.fileHash)],
)

export const linkifiers = sqliteTable('linkifiers', {
  id: integer().primaryKey({ autoIncrement: true }),
  pattern: text().notNull(),
  urlTemplate: text().notNull(),
  exampleInput: text(),
  reverseTemplate: text(),
  alternativeUrlTemplates: text({ mode: 'json' }).$type<string[]>().notNull(),
  position: real().notNull(),
})

/** Places on the web where code of a language can be tried out. */
export const playgrounds = sqliteTable('playgrounds', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  /** The language's name as code blocks and their highlighting have it. */
  language: text().notNull(),
  urlTemplate: text().notNull(),
})

export const realmDomains = sqliteTable('realm_domains', {
  domain: text().primaryKey(),
  allowSubdomains: flag(),
})

/** Copies of the organization's data that administrators asked for. */
export const realmExports = sqliteTable(
  'realm_exports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    actingUserId: integer().notNull(),
    /** Everything that is public, or also what is private to those who let it be exported. */
    type: text({ enum: ['public', 'full_with_consent'] }).notNull(),
    requestedAt: seconds().notNull(),
    /** The part of the address that nobody can guess; 32 hexadecimal digits. */
    token: text().notNull(),
    /** Null until it is there, and after it was deleted. */
    fileHash: text(),
    failedAt: seconds(),
    deletedAt: seconds(),
  },
  (t) => [
    uniqueIndex('realm_exports_token').on(t.token),
    index('realm_exports_file').on(t.fileHash),
    index('realm_exports_pending')
      .on(t.requestedAt)
      .where(sql`file_hash IS NULL AND failed_at IS NULL AND deleted_at IS NULL`),
  ],
)

/** Custom profile fields; `fieldType` 1 to 8 as the contract numbers them. */
export const profileFields = sqliteTable('profile_fields', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  hint: text().notNull().default(''),
  fieldType: integer().notNull(),
  fieldData: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  position: integer().notNull(),
  displayInProfileSummary: flag(),
  required: flag(),
  editableByUser: integer({ mode: 'boolean' }).notNull().default(true),
  useForUserMatching: flag(),
})

export const profileValues = sqliteTable(
  'profile_values',
  {
    userId: integer().notNull(),
    fieldId: integer().notNull(),
    value: text().notNull(),
    /** HTML, for the types that support Markdown (1 and 2). */
    renderedValue: text(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.fieldId] }),
    index('profile_values_field').on(t.fieldId),
  ],
)

/** Where an outgoing webhook bot posts to. */
export const botServices = sqliteTable('bot_services', {
  userId: integer().primaryKey(),
  baseUrl: text().notNull(),
  /** 1: our own format; 2: the Slack-compatible one. */
  interface: integer().$type<1 | 2>().notNull(),
  token: text().notNull(),
})

/** What bots were configured with, where it differs from nothing at all. */
export const botOptions = sqliteTable('bot_options', {
  userId: integer().primaryKey(),
  /** Where messages go that name no channel. */
  sendingChannelId: integer(),
  /** Which channel's messages its event queues are about, unless they say. */
  eventsChannelId: integer(),
  /** Whether its event queues get the messages of all public channels, unless they say. */
  allPublicChannels: flag(),
  /** For which integration an incoming webhook bot was made; null: any. */
  integration: text(),
  /** What that integration has to know, such as a secret. */
  config: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
})

/** What bots keep here for themselves. */
export const botStorage = sqliteTable(
  'bot_storage',
  {
    userId: integer().notNull(),
    key: text().notNull(),
    value: text().notNull(),
    /** Length of key and value together, in characters. */
    size: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
)

/** Messages that outgoing webhook bots are still to be told of. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    botId: integer().notNull(),
    messageId: integer().notNull(),
    trigger: text({ enum: ['direct_message', 'mention'] }).notNull(),
    /** How often it was tried in vain. */
    failures: integer().notNull().default(0),
    dueAt: seconds().notNull(),
  },
  (t) => [index('webhook_deliveries_due').on(t.dueAt), index('webhook_deliveries_bot').on(t.botId)],
)

/** Event queues that a clean shutdown left behind, for the next start. */
export const savedQueues = sqliteTable('saved_queues', {
  id: text().primaryKey(),
  userId: integer().notNull(),
  state: text({ mode: 'json' }).$type<unknown>().notNull(),
})

/** What people say of themselves for a while; the members of the emoji are null together. */
export const userStatuses = sqliteTable('user_statuses', {
  userId: integer().primaryKey(),
  statusText: text().notNull(),
  emojiName: text(),
  emojiCode: text(),
  reactionType: text({ enum: reactionTypes }),
})

/** Contents that perhaps no row names: files/jobs.ts looks when they have waited long enough. */
export const looseFiles = sqliteTable(
  'loose_files',
  {
    /** SHA-256 in hex. */
    hash: text().primaryKey(),
    since: seconds().notNull(),
  },
  (t) => [index('loose_files_since').on(t.since)],
)

/** Files that people uploaded. */
export const attachments = sqliteTable(
  'attachments',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** What follows `/user_uploads/`: realm, two characters, a random part, the name. Not escaped. */
    pathId: text().notNull(),
    ownerId: integer().notNull(),
    name: text().notNull(),
    contentType: text().notNull(),
    fileHash: text().notNull(),
    size: integer().notNull(),
    createdAt: seconds().notNull(),
    /** Since when no message links to it; null while one does. */
    unclaimedSince: seconds(),
  },
  (t) => [
    uniqueIndex('attachments_path').on(t.pathId),
    index('attachments_owner').on(t.ownerId),
    index('attachments_file').on(t.fileHash),
    index('attachments_unclaimed').on(t.unclaimedSince).where(sql`unclaimed_since IS NOT NULL`),
  ],
)

/** Uploads that come in several requests. */
export const resumableUploads = sqliteTable(
  'resumable_uploads',
  {
    /** The end of its address. */
    id: text().primaryKey(),
    ownerId: integer().notNull(),
    /** What the client said of the file, as it said it. */
    metadata: text().notNull(),
    /** Of the whole file, in bytes. */
    length: integer().notNull(),
    /** How many bytes have come. */
    received: integer().notNull().default(0),
    expiresAt: seconds().notNull(),
    /** The file, once all of it has come; null before. */
    attachmentId: integer(),
  },
  (t) => [
    index('resumable_uploads_owner').on(t.ownerId),
    index('resumable_uploads_expiry').on(t.expiresAt),
  ],
)

/** What has come of an unfinished upload, a row for each request. */
export const resumableParts = sqliteTable(
  'resumable_parts',
  {
    uploadId: text().notNull(),
    /** Where in the file it begins, in bytes. */
    start: integer().notNull(),
    fileHash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.uploadId, t.start] }),
    index('resumable_parts_file').on(t.fileHash),
  ],
)

/** Uploads that are pictures with previews. */
export const uploadPictures = sqliteTable(
  'upload_pictures',
  {
    attachmentId: integer().primaryKey(),
    /** In pixels, upright. */
    width: integer().notNull(),
    height: integer().notNull(),
    animated: flag(),
    /** Whether its thumbnails are there, are still to be made, or cannot be made. */
    state: text({ enum: ['pending', 'ready', 'failed'] }).notNull(),
  },
  (t) => [index('upload_pictures_pending').on(t.attachmentId).where(sql`state = 'pending'`)],
)

/** Smaller versions of uploaded pictures, each in one of the formats that clients are told of. */
export const thumbnails = sqliteTable(
  'thumbnails',
  {
    attachmentId: integer().notNull(),
    /** Such as `840x560.webp`. */
    format: text().notNull(),
    fileHash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.attachmentId, t.format] }),
    index('thumbnails_file').on(t.fileHash),
  ],
)

/** Messages that show placeholders until the thumbnails of what they link to are there. */
export const placeholderMessages = sqliteTable('placeholder_messages', {
  messageId: integer().primaryKey(),
})

/** Which messages link to a file: whoever may read one of them may read the file. */
export const attachmentClaims = sqliteTable(
  'attachment_claims',
  {
    attachmentId: integer().notNull(),
    messageId: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.attachmentId, t.messageId] }),
    index('attachment_claims_message').on(t.messageId),
  ],
)

/** Which scheduled messages link to a file: they keep it, for nobody else to see yet. */
export const attachmentSchedules = sqliteTable(
  'attachment_schedules',
  {
    attachmentId: integer().notNull(),
    scheduledMessageId: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.attachmentId, t.scheduledMessageId] }),
    index('attachment_schedules_message').on(t.scheduledMessageId),
  ],
)

/** Ways into the organization: links that many may use, and invitations sent to one address. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The secret part of the link. */
    key: text().notNull(),
    /** Whom it was sent to; null for a link that many may use. */
    email: text(),
    inviterId: integer().notNull(),
    /** Role of the account that it makes. */
    role: integer().notNull(),
    channelIds: text({ mode: 'json' }).$type<number[]>().notNull(),
    groupIds: text({ mode: 'json' }).$type<number[]>().notNull(),
    joinDefaultChannels: flag(),
    /** Markdown that ends the welcome message; null: what the organization says then. */
    welcomeText: text(),
    /** Whether the inviter hears of it when somebody joins. */
    tellInviter: flag(),
    /** How often its mail went out again. */
    reminders: integer().notNull().default(0),
    createdAt: seconds().notNull(),
    /** Null: never. */
    expiresAt: seconds(),
    /** When it was used up or revoked; null while it works. */
    endedAt: seconds(),
  },
  (t) => [
    uniqueIndex('invitations_key').on(t.key),
    index('invitations_open').on(t.id).where(sql`ended_at IS NULL`),
    index('invitations_inviter').on(t.inviterId),
    index('invitations_created').on(t.createdAt),
  ],
)

/** Mail that is to be sent; a row goes when the mail server has it, or nobody tries any more. */
export const outgoingMail = sqliteTable(
  'outgoing_mail',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    address: text().notNull(),
    subject: text().notNull(),
    body: text().notNull(),
    failures: integer().notNull().default(0),
    dueAt: seconds().notNull(),
  },
  (t) => [index('outgoing_mail_due').on(t.dueAt)],
)

/** Links in mail that show who can read it; the secret part is kept only as its SHA-256. */
export const mailLinks = sqliteTable(
  'mail_links',
  {
    keyHash: text().primaryKey(),
    purpose: text({ enum: ['email_change', 'password_reset', 'registration'] }).notNull(),
    /** Whose account it is about; null for a registration. */
    userId: integer(),
    /** The address that the link was sent to. */
    email: text().notNull(),
    /** The invitation that a registration is by. */
    invitationId: integer(),
    expiresAt: seconds().notNull(),
  },
  (t) => [index('mail_links_user').on(t.userId), index('mail_links_expiry').on(t.expiresAt)],
)

/** Phones that get encrypted notifications, and how far their registration has come. */
export const pushDevices = sqliteTable(
  'push_devices',
  {
    userId: integer().notNull(),
    /** The client's own number for the account. */
    pushAccountId: integer().notNull(),
    tokenKind: text({ enum: ['apns', 'fcm'] }).notNull(),
    publicKey: text().notNull(),
    servicePublicKey: text().notNull(),
    encryptedRegistration: text().notNull(),
    /** The push service's id of the device; null until it is registered there. */
    serviceDeviceId: integer(),
    /** Why the push service refused it; null unless it did. */
    errorCode: text(),
    failures: integer().notNull().default(0),
    /** When it is offered to the push service next; null: never again. */
    dueAt: seconds(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.pushAccountId] }),
    index('push_devices_due').on(t.dueAt).where(sql`due_at IS NOT NULL`),
  ],
)

/** Phones' addresses in Apple's and Google's services, as older apps register them. */
export const pushTokens = sqliteTable(
  'push_tokens',
  {
    kind: text({ enum: ['apns', 'fcm'] }).notNull(),
    token: text().notNull(),
    userId: integer().notNull(),
    /** Which app of Apple's: its bundle; null for Google's. */
    appId: text(),
    registeredAt: seconds().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind, t.token] })],
)
