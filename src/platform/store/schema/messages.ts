import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { bytes, flag, seconds } from './columns.ts'
import { reactionTypes } from './emoji.ts'

/** The recipient of messages: a channel, or a fixed set of users. */
export const recipients = sqliteTable(
  'recipients',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    channelId: integer(),
    /** The sorted IDs of all participants, joined by commas; null for a channel. */
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

export const messages = sqliteTable(
  'messages',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    recipientId: integer().notNull(),
    senderId: integer().notNull(),
    /** Empty for direct messages and for the empty topic. */
    topic: text().notNull(),
    /** Lower-cased `topic`: topics are case-insensitive. */
    topicKey: text().notNull(),
    content: text().notNull(),
    /** Null: one paragraph, of `content` as it is. */
    renderedContent: text(),
    sentAt: seconds().notNull(),
    /** The name of the client that sent it; null if `clientId` stands for it. */
    client: text(),
    hasLink: flag(),
    hasImage: flag(),
    hasAttachment: flag(),
    isMe: flag(),
    /** Mentions everyone in the channel; evaluated on reading. */
    channelWildcard: flag(),
    lastEditAt: seconds(),
    lastMovedAt: seconds(),
    clientId: integer(),
  },
  (t) => [
    // Includes the topic, so that listing unread messages reads only the index.
    index('messages_recipient').on(t.recipientId, t.id, t.topic),
    // In the order of IDs, with which every index ends by itself: naming them stores them twice.
    index('messages_topic').on(t.recipientId, t.topicKey),
    index('messages_sender').on(t.recipientId, t.senderId),
    index('messages_wildcard').on(t.recipientId, t.id).where(sql`channel_wildcard`),
    index('messages_resolved').on(t.recipientId, t.id).where(sql`substr(topic, 1, 2) = '✔ '`),
    index('messages_link').on(t.recipientId, t.id).where(sql`has_link`),
    index('messages_image').on(t.recipientId, t.id).where(sql`has_image`),
    index('messages_attachment').on(t.recipientId, t.id).where(sql`has_attachment`),
  ],
)

/** Names of clients, as messages refer to them; none is ever removed. */
export const clients = sqliteTable(
  'clients',
  { id: integer().primaryKey(), name: text().notNull() },
  (t) => [uniqueIndex('clients_name').on(t.name)],
)

/** How far IDs of messages are from the order of their times: one row, id 1. */
export const messageOrder = sqliteTable('message_order', {
  id: integer().primaryKey(),
  /** The most by which a message was sent before one with a smaller ID, in seconds. */
  maxDisorder: integer().notNull(),
})

/**
 * Earlier states of messages, before each change of content, topic or channel. The newest change of
 * a message has the greatest ID.
 */
export const messageEdits = sqliteTable(
  'message_edits',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    messageId: integer().notNull(),
    /** Null if it is not known who made the change. */
    userId: integer(),
    editedAt: seconds().notNull(),
    /** Both null unless the topic changed. */
    prevTopic: text(),
    topic: text(),
    /** Both null unless the channel changed. */
    prevChannelId: integer(),
    channelId: integer(),
    /** Both null unless the content changed. The last columns, so that the others are read alone. */
    prevContent: text(),
    prevRenderedContent: text(),
  },
  (t) => [
    index('message_edits_message').on(t.messageId, t.id),
    index('message_edits_content').on(t.messageId, t.id).where(sql`prev_content IS NOT NULL`),
    index('message_edits_move')
      .on(t.messageId, t.id)
      .where(sql`(prev_topic IS NOT NULL OR prev_channel_id IS NOT NULL)`),
  ],
)

/**
 * The ways on which messages came to the channel where they are, of those that were moved between
 * channels. All others were sent there.
 */
export const messagePaths = sqliteTable(
  'message_paths',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Where they were sent; null if the path was too long to keep its beginning. */
    firstChannelId: integer(),
    /** Where they are. */
    channelId: integer().notNull(),
    /**
     * JSON text: for each move, the earliest first, `[channel, moment, openness]`. The moment is a
     * message ID that no message has, the openness one of `openness`, of the channel at the time.
     */
    arrivals: text().notNull(),
  },
  (t) => [index('message_paths_channel').on(t.channelId)],
)

/** To whom a channel is open without a subscription. */
export const openness = { nobody: 0, members: 1, everyone: 2 } as const
export type Openness = (typeof openness)[keyof typeof openness]

export const movedMessages = sqliteTable(
  'moved_messages',
  { messageId: integer().primaryKey(), pathId: integer().notNull() },
  (t) => [index('moved_messages_path').on(t.pathId)],
)

/** Bits of `message_flags.flags`: the rare flags, per user and message. */
export const flagBits = {
  /** As in the condition of `message_flags_starred`. */
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
    index('message_flags_starred').on(t.userId, t.messageId).where(sql`flags & 1`),
  ],
)

/**
 * What a user has read in one recipient: sorted ranges of message IDs, delta-varint encoded, except
 * for those in `olderReadState`.
 */
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

/**
 * The continuation of read states with many ranges. It is separate because a row is always written
 * completely, and users who send without reading get another range with each message.
 */
export const olderReadState = sqliteTable(
  'older_read_state',
  {
    userId: integer().notNull(),
    recipientId: integer().notNull(),
    ranges: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.recipientId] })],
)

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

/** Messages that are pinned in their conversation. */
export const pinnedMessages = sqliteTable(
  'pinned_messages',
  {
    messageId: integer().primaryKey(),
    /** That of the message, kept in step when it moves. */
    recipientId: integer().notNull(),
    userId: integer().notNull(),
    pinnedAt: seconds().notNull(),
  },
  (t) => [index('pinned_messages_place').on(t.recipientId, t.pinnedAt)],
)

/** Additions to messages with widgets: the steps of polls and to-do lists. */
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

/** The newest message that is in the search index by the form of an earlier version; at most one row. */
export const searchUpdates = sqliteTable('search_updates', {
  untilId: integer().primaryKey(),
})

/** The keys that clients gave messages lately, so that one that is posted again is not sent twice. */
export const messageKeys = sqliteTable(
  'message_keys',
  {
    /** The sender. */
    userId: integer().notNull(),
    /** Chosen by the client. */
    key: text().notNull(),
    messageId: integer().notNull(),
    sentAt: seconds().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.key] }),
    // For deleting the oldest.
    index('message_keys_sent').on(t.sentAt),
  ],
)
