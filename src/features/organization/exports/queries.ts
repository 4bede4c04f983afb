import { asc, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { listMessages, type Message } from '#features/foundation/core/queries.ts'
import {
  type Edit,
  type EditSize,
  findEditContents,
  listEdited,
  listEditSizesAfter,
} from '#features/messaging/messages/edit-history/queries.ts'
import { messageSizes } from '#features/messaging/messages/sizes.queries.ts'
import { atOnce } from '#platform/steps.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { realmExports } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type RealmExport = typeof realmExports.$inferSelect
export type ExportType = RealmExport['type']

/** All exports in Parley's own form, including deleted and failed ones, newest first. */
export function listExports(read: Read): RealmExport[] {
  return listOf(read, eq(realmExports.format, ownFormat))
}

/** All exports of the history, which only owners may see, newest first. */
export function listHistoryExports(read: Read): RealmExport[] {
  return listOf(read, ne(realmExports.format, ownFormat))
}

const ownFormat = 'parley'

function listOf(read: Read, which: SQL): RealmExport[] {
  return read.db.select().from(realmExports).where(which).orderBy(desc(realmExports.id)).all()
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
  wanted: Pick<RealmExport, 'actingUserId' | 'type' | 'requestedAt' | 'token'> &
    Partial<Pick<RealmExport, 'format' | 'zulipRelease'>>,
): RealmExport {
  return tx.db.insert(realmExports).values(wanted).returning().get()
}

export function updateExport(tx: Tx, id: number, changes: Partial<RealmExport>): void {
  tx.db.update(realmExports).set(changes).where(eq(realmExports.id, id)).run()
}

export type ExportedMessage = Message

const nextIds = preparedSql<{ id: number }>(
  'SELECT id FROM messages WHERE id > @after ORDER BY id LIMIT @most',
)

/** Limits on a file of an export. */
interface Most {
  readonly rows: number
  readonly bytes: number
}

/**
 * The messages with ids above `after`, by id.
 *
 * @param most how many, and how many bytes they may have, with their votes and reactions; there is
 *   always at least one message
 */
export function listMessagesAfter(read: Read, after: number, most: Most): ExportedMessage[] {
  const ids = nextIds(read)
    .all({ after, most: most.rows })
    .map(({ id }) => id)
  const sizes = atOnce(messageSizes(read, ids))
  let sum = 0
  const beyond = ids.findIndex((id) => {
    sum += sizes.get(id) ?? 0
    return sum > most.bytes
  })
  const count = beyond < 0 ? ids.length : Math.max(1, beyond)
  return listMessages(read, ids.slice(0, count))
}

/**
 * All edits of these messages, oldest first, in pages; however many a message has, one page is in
 * memory.
 *
 * @param most of a page; there is always at least one edit
 */
export function* editPages(
  read: Read,
  messages: readonly ExportedMessage[],
  most: Most,
): Generator<Edit[]> {
  let page: Edit[] = []
  let bytes = 0
  for (const edit of editsOf(read, listEdited(read, messages))) {
    const size = edit.contentBytes ?? 0
    if (page.length === most.rows || (page.length > 0 && bytes + size > most.bytes)) {
      yield page
      page = []
      bytes = 0
    }
    const contents = findEditContents(read, edit.id)
    // It may be gone since it was listed, with its message.
    if (contents) page.push({ ...edit, ...contents })
    bytes += size
  }
  if (page.length > 0) yield page
}

function* editsOf(read: Read, messageIds: readonly number[]): Generator<EditSize> {
  for (const messageId of messageIds) {
    let last: EditSize | undefined
    do {
      const edits = listEditSizesAfter(read, messageId, last?.id ?? 0)
      yield* edits
      last = edits.at(-1)
    } while (last)
  }
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
