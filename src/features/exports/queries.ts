import { asc, desc, eq, gt, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { messages, realmExports } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'

export type RealmExport = typeof realmExports.$inferSelect
export type ExportType = RealmExport['type']

/** All exports, including deleted and failed ones, newest first. */
export function listExports(read: Read): RealmExport[] {
  return read.db.select().from(realmExports).orderBy(desc(realmExports.id)).all()
}

export function findExport(read: Read, id: number): RealmExport | undefined {
  return read.db.select().from(realmExports).where(eq(realmExports.id, id)).get()
}

/** The export with this secret token in its URL. */
export function findExportByToken(read: Read, token: string): RealmExport | undefined {
  return read.db.select().from(realmExports).where(eq(realmExports.token, token)).get()
}

const pending = prepared((db) =>
  db
    .select()
    .from(realmExports)
    .where(sql`file_hash IS NULL AND failed_at IS NULL AND deleted_at IS NULL`)
    .orderBy(asc(realmExports.requestedAt))
    .limit(1)
    .prepare(),
)

/** The oldest export that is not finished. */
export function findPendingExport(read: Read): RealmExport | undefined {
  return pending(read).get()
}

export function insertExport(
  tx: Tx,
  wanted: Pick<RealmExport, 'actingUserId' | 'type' | 'requestedAt' | 'token'>,
): RealmExport {
  return tx.db.insert(realmExports).values(wanted).returning().get()
}

export function updateExport(tx: Tx, id: number, changes: Partial<RealmExport>): void {
  tx.db.update(realmExports).set(changes).where(eq(realmExports.id, id)).run()
}

export type ExportedMessage = typeof messages.$inferSelect

const nextMessages = prepared((db) =>
  db
    .select()
    .from(messages)
    .where(gt(messages.id, sql.placeholder('after')))
    .orderBy(asc(messages.id))
    .limit(sql.placeholder('most'))
    .prepare(),
)

/** At most `most` messages with ids above `after`, by id. */
export function listMessagesAfter(read: Read, after: number, most: number): ExportedMessage[] {
  return nextMessages(read).all({ after, most })
}

const linked = preparedSql<{ id: number }>(`
  SELECT DISTINCT attachment_id AS id FROM attachment_claims
  WHERE message_id IN (SELECT value FROM json_each(@ids))
`)

/** The ids of the uploads that these messages link to. */
export function listLinkedUploads(read: Read, messageIds: readonly number[]): number[] {
  return linked(read)
    .all({ ids: JSON.stringify(messageIds) })
    .map(({ id }) => id)
}
