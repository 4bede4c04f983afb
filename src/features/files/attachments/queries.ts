import { and, desc, eq, sql } from 'drizzle-orm'
import { cached } from '#platform/store/cached.ts'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { attachments } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Attachment = typeof attachments.$inferSelect

const byPath = prepared((db) =>
  db
    .select()
    .from(attachments)
    .where(eq(attachments.pathId, sql.placeholder('pathId')))
    .prepare(),
)

export function findAttachment(read: Read, pathId: string): Attachment | undefined {
  return byPath(read).get({ pathId })
}

const byId = prepared((db) =>
  db
    .select()
    .from(attachments)
    .where(eq(attachments.id, sql.placeholder('id')))
    .prepare(),
)

export function findAttachmentById(read: Read, id: number): Attachment | undefined {
  return byId(read).get({ id })
}

/** Finds a file of this user by ID. */
export function findOwnAttachment(read: Read, ownerId: number, id: number): Attachment | undefined {
  const own = and(eq(attachments.id, id), eq(attachments.ownerId, ownerId))
  return read.db.select().from(attachments).where(own).get()
}

/** A user's uploads, newest first. */
export function listOwnAttachments(read: Read, ownerId: number): Attachment[] {
  return read.db
    .select()
    .from(attachments)
    .where(eq(attachments.ownerId, ownerId))
    .orderBy(desc(attachments.id))
    .all()
}

const unclaimed = preparedSql<{ files: number; bytes: number }>(`
  SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM attachments
  WHERE owner_id = @ownerId AND unclaimed_since IS NOT NULL
`)

/** The number and the total size, in bytes, of a user's unclaimed files. */
export function unclaimedOf(read: Read, ownerId: number): { files: number; bytes: number } {
  return unclaimed(read).get({ ownerId }) ?? { files: 0, bytes: 0 }
}

const promised = preparedSql<{ bytes: number }>(`
  SELECT coalesce(sum(length), 0) AS bytes FROM resumable_uploads WHERE attachment_id IS NULL
`)

/** The total size of all unfinished uploads when they are complete, in bytes. */
export function reservedBytes(read: Read): number {
  return promised(read).get({})?.bytes ?? 0
}

const promisedToOne = preparedSql<{ bytes: number }>(`
  SELECT coalesce(sum(length), 0) AS bytes FROM resumable_uploads
  WHERE owner_id = @ownerId AND attachment_id IS NULL
`)

/** The same for the unfinished uploads of one user. */
export function reservedBytesOf(read: Read, ownerId: number): number {
  return promisedToOne(read).get({ ownerId })?.bytes ?? 0
}

const total = preparedSql<{ bytes: number }>(
  'SELECT coalesce(sum(size), 0) AS bytes FROM attachments',
)
const space = cached((read, _key: 'all') => total(read).get({})?.bytes ?? 0)

/** The total size of all uploads, in bytes. */
export function uploadSpaceUsed(read: Read): number {
  return space.get(read, 'all')
}

const insertOne = preparedInsert(attachments)

export function insertAttachment(tx: Tx, file: typeof attachments.$inferInsert): Attachment {
  space.forget(tx, 'all')
  return insertOne(tx, file)
}

const clearFlags = preparedSql(`
  UPDATE messages SET has_attachment = 0
  WHERE id IN (SELECT message_id FROM attachment_claims WHERE attachment_id = @id)
    AND NOT EXISTS (
      SELECT 1 FROM attachment_claims other
      WHERE other.message_id = messages.id AND other.attachment_id <> @id
    )
`)
const deletions = [
  clearFlags,
  preparedSql('DELETE FROM attachment_claims WHERE attachment_id = @id'),
  preparedSql('DELETE FROM attachment_schedules WHERE attachment_id = @id'),
  preparedSql('DELETE FROM attachments WHERE id = @id'),
]

/** Deletes a file's row and its claims; messages that link to it stay. */
export function deleteAttachment(tx: Tx, id: number): void {
  space.forget(tx, 'all')
  for (const statement of deletions) statement(tx).run({ id })
}

const oldest = preparedSql<{ since: number | null }>(
  'SELECT min(unclaimed_since) AS since FROM attachments WHERE unclaimed_since IS NOT NULL',
)

/** When the file that has been unclaimed longest became so, in seconds since the epoch. */
export function earliestUnclaimed(read: Read): number | undefined {
  return oldest(read).get({})?.since ?? undefined
}

/** Files that have been unclaimed since `until` or longer. */
export function listUnclaimed(read: Read, until: number, most: number): Attachment[] {
  return read.db
    .select()
    .from(attachments)
    .where(sql`unclaimed_since IS NOT NULL AND unclaimed_since <= ${until}`)
    .orderBy(attachments.unclaimedSince)
    .limit(most)
    .all()
}
