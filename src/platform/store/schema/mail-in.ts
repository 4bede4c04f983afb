import { index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { seconds } from './columns.ts'

/** Addresses whose mail becomes messages in a channel. */
export const channelMailAddresses = sqliteTable(
  'channel_mail_addresses',
  {
    /** The secret part of the address: 32 hex digits. */
    token: text().primaryKey(),
    channelId: integer().notNull(),
    /** Who asked for the address. */
    creatorId: integer().notNull(),
    /** Who sends the messages: the creator, a bot of the creator, or Email Gateway. */
    senderId: integer().notNull(),
    createdAt: seconds().notNull(),
  },
  (t) => [
    unique('channel_mail_addresses_of').on(t.channelId, t.creatorId, t.senderId),
    index('channel_mail_addresses_creator').on(t.creatorId),
    index('channel_mail_addresses_sender').on(t.senderId),
  ],
)

/** Mails that came in recently, so that one that is sent again is not posted twice. */
export const receivedMail = sqliteTable(
  'received_mail',
  {
    /** The SHA-256 of its recipient and its `Message-ID`. */
    key: text().primaryKey(),
    receivedAt: seconds().notNull(),
  },
  (t) => [index('received_mail_time').on(t.receivedAt)],
)

/** Addresses to answer mail about messages; only the SHA-256 of the secret part is stored. */
export const replyAddresses = sqliteTable(
  'reply_addresses',
  {
    tokenHash: text().primaryKey(),
    /** Who got the mail, and sends the answer. */
    userId: integer().notNull(),
    /** A message of the conversation. */
    messageId: integer().notNull(),
    createdAt: seconds().notNull(),
  },
  (t) => [
    index('reply_addresses_user').on(t.userId),
    index('reply_addresses_created').on(t.createdAt),
  ],
)
