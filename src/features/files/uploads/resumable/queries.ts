import { asc, eq, lte, min } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { resumableParts, resumableUploads } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type ResumableUpload = typeof resumableUploads.$inferSelect

export function findResumable(read: Read, id: string): ResumableUpload | undefined {
  return read.db.select().from(resumableUploads).where(eq(resumableUploads.id, id)).get()
}

const unfinished = preparedSql<{ uploads: number }>(`
  SELECT count(*) AS uploads FROM resumable_uploads
  WHERE owner_id = @ownerId AND attachment_id IS NULL
`)

export function countUnfinished(read: Read, ownerId: number): number {
  return unfinished(read).get({ ownerId })?.uploads ?? 0
}

export function insertResumable(
  tx: Tx,
  upload: typeof resumableUploads.$inferInsert,
): ResumableUpload {
  return tx.db.insert(resumableUploads).values(upload).returning().get()
}

export function updateResumable(
  tx: Tx,
  id: string,
  changes: Partial<Pick<ResumableUpload, 'received' | 'expiresAt' | 'attachmentId'>>,
): void {
  tx.db.update(resumableUploads).set(changes).where(eq(resumableUploads.id, id)).run()
}

export function deleteResumable(tx: Tx, id: string): void {
  tx.db.delete(resumableUploads).where(eq(resumableUploads.id, id)).run()
}

export function insertPart(tx: Tx, part: typeof resumableParts.$inferInsert): void {
  tx.db.insert(resumableParts).values(part).run()
}

const parts = preparedSql<{ parts: number }>(
  'SELECT count(*) AS parts FROM resumable_parts WHERE upload_id = @uploadId',
)

export function countParts(read: Read, uploadId: string): number {
  return parts(read).get({ uploadId })?.parts ?? 0
}

/** The hashes of an upload's parts, in their order in the file. */
export function listParts(read: Read, uploadId: string): string[] {
  return read.db
    .select({ hash: resumableParts.fileHash })
    .from(resumableParts)
    .where(eq(resumableParts.uploadId, uploadId))
    .orderBy(asc(resumableParts.start))
    .all()
    .map(({ hash }) => hash)
}

export function deleteParts(tx: Tx, uploadId: string): void {
  tx.db.delete(resumableParts).where(eq(resumableParts.uploadId, uploadId)).run()
}

const next = prepared((db) =>
  db
    .select({ at: min(resumableUploads.expiresAt) })
    .from(resumableUploads)
    .prepare(),
)

/** When the next upload expires, in seconds since the epoch. */
export function nextExpiry(read: Read): number | undefined {
  return next(read).get()?.at ?? undefined
}

export function listExpired(read: Read, now: number, most: number): ResumableUpload[] {
  return read.db
    .select()
    .from(resumableUploads)
    .where(lte(resumableUploads.expiresAt, now))
    .limit(most)
    .all()
}
