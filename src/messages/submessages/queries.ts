import { asc, sql } from 'drizzle-orm'
import { preparedInsert } from '#store/insert.ts'
import { prepared, preparedSql } from '#store/prepared.ts'
import { submessages } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type Submessage = typeof submessages.$inferSelect

const onMessages = prepared((db) =>
  db
    .select()
    .from(submessages)
    .where(
      sql`${submessages.messageId} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`,
    )
    .orderBy(asc(submessages.id))
    .prepare(),
)

/** What was added to these messages, by message id, the first first. */
export function listSubmessagesOf(
  read: Read,
  messages: readonly { readonly id: number }[],
): Map<number, Submessage[]> {
  const byMessage = new Map<number, Submessage[]>()
  const ids = JSON.stringify(messages.map(({ id }) => id))
  for (const submessage of onMessages(read).all({ ids })) {
    const list = byMessage.get(submessage.messageId)
    if (list) list.push(submessage)
    else byMessage.set(submessage.messageId, [submessage])
  }
  return byMessage
}

const extent = preparedSql<{ content: string | null; count: number; length: number }>(`
  SELECT count(*) AS count, coalesce(sum(length(content)), 0) AS length,
    (SELECT content FROM submessages WHERE message_id = @messageId ORDER BY id LIMIT 1) AS content
  FROM submessages WHERE message_id = @messageId
`)

/** How much was added to a message, in characters too, and the first of it; null when nothing was. */
export function submessageExtent(
  read: Read,
  messageId: number,
): { count: number; length: number; content: string | null } {
  return extent(read).get({ messageId }) ?? { count: 0, length: 0, content: null }
}

export const insertSubmessage: (tx: Tx, row: Omit<Submessage, 'id'>) => Submessage =
  preparedInsert(submessages)
