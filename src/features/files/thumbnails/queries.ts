import { eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { placeholderMessages, thumbnails, uploadPictures } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type UploadPicture = typeof uploadPictures.$inferSelect
export type Thumbnail = typeof thumbnails.$inferSelect

const ofAttachment = prepared((db) =>
  db
    .select()
    .from(uploadPictures)
    .where(eq(uploadPictures.attachmentId, sql.placeholder('attachmentId')))
    .prepare(),
)

/** An upload's image properties; undefined if it is not an image. */
export function findUploadPicture(read: Read, attachmentId: number): UploadPicture | undefined {
  return ofAttachment(read).get({ attachmentId })
}

const waiting = preparedSql<{ id: number; ownerId: number }>(`
  SELECT p.attachment_id AS id, coalesce(a.owner_id, 0) AS ownerId FROM upload_pictures p
  LEFT JOIN attachments a ON a.id = p.attachment_id
  WHERE p.state = 'pending'
  ORDER BY ownerId <= @afterOwner, ownerId, p.attachment_id LIMIT 1`)

/**
 * The next upload that waits for its thumbnails: in turn between users, by ID, and in order within
 * each.
 *
 * @param afterOwner the ID of the user who had the last turn
 */
export function nextPending(
  read: Read,
  afterOwner = 0,
): { id: number; ownerId: number } | undefined {
  return waiting(read).get({ afterOwner })
}

export function insertUploadPicture(tx: Tx, picture: UploadPicture): void {
  tx.db.insert(uploadPictures).values(picture).run()
}

export function updateUploadPicture(
  tx: Tx,
  attachmentId: number,
  changes: Partial<Pick<UploadPicture, 'animated' | 'state'>>,
): void {
  tx.db
    .update(uploadPictures)
    .set(changes)
    .where(eq(uploadPictures.attachmentId, attachmentId))
    .run()
}

const oneOf = preparedSql<{ fileHash: string }>(`
  SELECT file_hash AS fileHash FROM thumbnails
  WHERE attachment_id = @attachmentId AND format = @format`)

/** The content hash of an upload's thumbnail. */
export function findThumbnail(
  read: Read,
  attachmentId: number,
  format: string,
): string | undefined {
  return oneOf(read).get({ attachmentId, format })?.fileHash
}

export function insertThumbnail(tx: Tx, thumbnail: Thumbnail): void {
  tx.db.insert(thumbnails).values(thumbnail).run()
}

/** Deletes an upload's image properties and thumbnails; returns the thumbnails' content hashes. */
export function deleteUploadPicture(tx: Tx, attachmentId: number): string[] {
  const gone = tx.db
    .delete(thumbnails)
    .where(eq(thumbnails.attachmentId, attachmentId))
    .returning()
    .all()
  tx.db.delete(uploadPictures).where(eq(uploadPictures.attachmentId, attachmentId)).run()
  return gone.map(({ fileHash }) => fileHash)
}

export function insertPlaceholderMessage(tx: Tx, messageId: number): void {
  tx.db.insert(placeholderMessages).values({ messageId }).onConflictDoNothing().run()
}

export function deletePlaceholderMessage(tx: Tx, messageId: number): void {
  tx.db.delete(placeholderMessages).where(eq(placeholderMessages.messageId, messageId)).run()
}

const settled = preparedSql<{ id: number }>(`
  SELECT p.message_id AS id FROM placeholder_messages p
  WHERE NOT EXISTS (
    SELECT 1 FROM attachment_claims c
    JOIN upload_pictures u ON u.attachment_id = c.attachment_id AND u.state = 'pending'
    WHERE c.message_id = p.message_id
  )
  ORDER BY p.message_id LIMIT 1`)

/** The first message with placeholders whose thumbnails are all ready or failed. */
export function nextSettledMessage(read: Read): number | undefined {
  return settled(read).get({})?.id
}
