import { asc, desc, eq, sql } from 'drizzle-orm'
import { listMessages, type Message } from '#features/messages/queries.ts'
import { messageSizes } from '#features/messages/sizes.queries.ts'
import { atOnce } from '#platform/steps.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { realmExports } from '#platform/store/schema.ts'
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

export type ExportedMessage = Message

const nextIds = preparedSql<{ id: number; editBytes: number }>(`
  SELECT id, coalesce((
      SELECT sum(coalesce(octet_length(prev_content) + octet_length(prev_rendered_content), 0))
      FROM message_edits WHERE message_id = messages.id
    ), 0) AS editBytes
  FROM messages WHERE id > @after ORDER BY id LIMIT @most
`)

/**
 * The messages with ids above `after`, by id.
 *
 * @param most how many, and how many bytes they may have, with their edits, votes and reactions;
 * one message is always there
 */
export function listMessagesAfter(
  read: Read,
  after: number,
  most: { readonly messages: number; readonly bytes: number },
): ExportedMessage[] {
  const rows = nextIds(read).all({ after, most: most.messages })
  const ids = rows.map(({ id }) => id)
  const sizes = atOnce(messageSizes(read, ids))
  let sum = 0
  const beyond = rows.findIndex(({ id, editBytes }) => {
    sum += editBytes + (sizes.get(id) ?? 0)
    return sum > most.bytes
  })
  const count = beyond < 0 ? rows.length : Math.max(1, beyond)
  return listMessages(read, ids.slice(0, count))
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
