import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'

/** File contents that may be unreferenced: files/jobs.ts checks them after a grace period. */
export const looseFiles = sqliteTable(
  'loose_files',
  {
    /** SHA-256 in hex. */
    hash: text().primaryKey(),
    since: seconds().notNull(),
  },
  (t) => [index('loose_files_since').on(t.since)],
)

/** Uploaded files. */
export const attachments = sqliteTable(
  'attachments',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The unescaped path after `/user_uploads/`: realm, two characters, a random part, name. */
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

/** Uploads that arrive in several requests. */
export const resumableUploads = sqliteTable(
  'resumable_uploads',
  {
    /** The last part of its URL. */
    id: text().primaryKey(),
    ownerId: integer().notNull(),
    /** The client's `Upload-Metadata` header, unchanged. */
    metadata: text().notNull(),
    /** The size of the whole file, in bytes. */
    length: integer().notNull(),
    /** The number of bytes received. */
    received: integer().notNull().default(0),
    expiresAt: seconds().notNull(),
    /** The file, once complete; null before. */
    attachmentId: integer(),
  },
  (t) => [
    index('resumable_uploads_owner').on(t.ownerId),
    index('resumable_uploads_expiry').on(t.expiresAt),
  ],
)

/** The parts of unfinished uploads, one row per request. */
export const resumableParts = sqliteTable(
  'resumable_parts',
  {
    uploadId: text().notNull(),
    /** The offset of the part in the file, in bytes. */
    start: integer().notNull(),
    fileHash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.uploadId, t.start] }),
    index('resumable_parts_file').on(t.fileHash),
  ],
)

/** Uploaded pictures that have thumbnails. */
export const uploadPictures = sqliteTable(
  'upload_pictures',
  {
    attachmentId: integer().primaryKey(),
    /** In pixels, after rotation to upright. */
    width: integer().notNull(),
    height: integer().notNull(),
    animated: flag(),
    /** Whether the thumbnails are still to be made, exist, or cannot be made. */
    state: text({ enum: ['pending', 'ready', 'failed'] }).notNull(),
  },
  (t) => [index('upload_pictures_pending').on(t.attachmentId).where(sql`state = 'pending'`)],
)

/** Thumbnails of uploaded pictures, one row for each of the `server_thumbnail_formats`. */
export const thumbnails = sqliteTable(
  'thumbnails',
  {
    attachmentId: integer().notNull(),
    /** For example `840x560.webp`. */
    format: text().notNull(),
    fileHash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.attachmentId, t.format] }),
    index('thumbnails_file').on(t.fileHash),
  ],
)

/**
 * Messages to render again: those with placeholders, once the thumbnails of their pictures are ready;
 * those whose links got or lost cards; and those from before the server served external pictures.
 */
export const placeholderMessages = sqliteTable('placeholder_messages', {
  messageId: integer().primaryKey(),
})

/** What is known about web pages to which messages link, until newer ones replace it. */
export const linkPages = sqliteTable(
  'link_pages',
  {
    url: text().primaryKey(),
    /** When it was last asked for; null: never. */
    fetchedAt: seconds(),
    /** The sender whose message asks for it, while it is to be fetched; null afterwards. */
    askedBy: integer(),
    /** Empty if the page has no card, or could not be read. */
    title: text().notNull().default(''),
    description: text().notNull().default(''),
    /** The address of its picture; empty: none. */
    picture: text().notNull().default(''),
  },
  (t) => [
    index('link_pages_asked').on(t.askedBy).where(sql`asked_by IS NOT NULL`),
    index('link_pages_fetched').on(t.fetchedAt),
  ],
)

/** The pages that a message waits for, to show their cards. */
export const pageWaits = sqliteTable(
  'page_waits',
  {
    messageId: integer().notNull(),
    url: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.messageId, t.url] }), index('page_waits_url').on(t.url)],
)

/** Messages whose author hid the previews of their links. */
export const hiddenPreviews = sqliteTable('hidden_previews', {
  messageId: integer().primaryKey(),
})

/** The messages that link to a file. Users who can read one of them can read the file. */
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

/** The scheduled messages that link to a file. They keep the file, but give nobody access to it. */
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
