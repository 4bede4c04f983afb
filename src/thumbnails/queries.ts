import { eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#store/prepared.ts'
import { placeholderMessages, thumbnails, uploadPictures } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type UploadPicture = typeof uploadPictures.$inferSelect
export type Thumbnail = typeof thumbnails.$inferSelect

const ofAttachment = prepared((db) =>
  db
    .select()
    .from(uploadPictures)
    .where(eq(uploadPictures.attachmentId, sql.placeholder('attachmentId')))
    .prepare(),
)

/** What is known of an upload as a picture; undefined: it is none. */
export function findUploadPicture(read: Read, attachmentId: number): UploadPicture | undefined {
  return ofAttachment(read).get({ attachmentId })
}

const waiting = preparedSql<{ id: number }>(`
  SELECT attachment_id AS id FROM upload_pictures WHERE state = 'pending'
  ORDER BY attachment_id LIMIT 1`)

/** The upload that has waited longest for its thumbnails. */
export function nextPending(read: Read): number | undefined {
  return waiting(read).get({})?.id
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

/** The contents of a thumbnail in one format. */
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

/** Deletes what is known of an upload as a picture; returns the contents of its thumbnails. */
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

/** A message that shows placeholders, and waits for no thumbnail any more. */
export function nextSettledMessage(read: Read): number | undefined {
  return settled(read).get({})?.id
}
