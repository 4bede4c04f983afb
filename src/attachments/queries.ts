import { and, desc, eq, sql } from 'drizzle-orm'
import { cached } from '#store/cached.ts'
import { preparedInsert } from '#store/insert.ts'
import { prepared, preparedSql } from '#store/prepared.ts'
import { attachments } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

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

/** The user's own file of this id. */
export function findOwnAttachment(read: Read, ownerId: number, id: number): Attachment | undefined {
  const own = and(eq(attachments.id, id), eq(attachments.ownerId, ownerId))
  return read.db.select().from(attachments).where(own).get()
}

/** What a user uploaded, newest first. */
export function listOwnAttachments(read: Read, ownerId: number): Attachment[] {
  return read.db
    .select()
    .from(attachments)
    .where(eq(attachments.ownerId, ownerId))
    .orderBy(desc(attachments.id))
    .all()
}

const unclaimed = preparedSql<{ files: number }>(`
  SELECT count(*) AS files FROM attachments
  WHERE owner_id = @ownerId AND unclaimed_since IS NOT NULL
`)

/** How many files of a user nothing links to. */
export function countUnclaimed(read: Read, ownerId: number): number {
  return unclaimed(read).get({ ownerId })?.files ?? 0
}

const total = preparedSql<{ bytes: number }>(
  'SELECT coalesce(sum(size), 0) AS bytes FROM attachments',
)
const space = cached((read, _key: 'all') => total(read).get({})?.bytes ?? 0)

/** The sizes of all uploads together, in bytes. */
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

/** Deletes a file's row with all that hangs on it; messages that link to it stay. */
export function deleteAttachment(tx: Tx, id: number): void {
  space.forget(tx, 'all')
  for (const statement of deletions) statement(tx).run({ id })
}

const oldest = preparedSql<{ since: number | null }>(
  'SELECT min(unclaimed_since) AS since FROM attachments WHERE unclaimed_since IS NOT NULL',
)

/** Since when nothing links to the file that has waited longest; seconds since the epoch. */
export function earliestUnclaimed(read: Read): number | undefined {
  return oldest(read).get({})?.since ?? undefined
}

/** Files that nothing has linked to since `until` or before. */
export function listUnclaimed(read: Read, until: number, most: number): Attachment[] {
  return read.db
    .select()
    .from(attachments)
    .where(sql`unclaimed_since IS NOT NULL AND unclaimed_since <= ${until}`)
    .orderBy(attachments.unclaimedSince)
    .limit(most)
    .all()
}
