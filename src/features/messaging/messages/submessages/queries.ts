import { preparedInsert } from '#platform/store/insert.ts'
import { preparedRows, preparedSql } from '#platform/store/prepared.ts'
import { submessages } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Submessage = typeof submessages.$inferSelect

const onMessages = preparedRows(submessages, submessages.messageId)

/** The submessages of these messages by message id, oldest first. */
export function listSubmessagesOf(
  read: Read,
  messages: readonly { readonly id: number }[],
): Map<number, Submessage[]> {
  const byMessage = new Map<number, Submessage[]>()
  const ids = messages.map(({ id }) => id)
  for (const submessage of onMessages(read, ids)) {
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

/**
 * The number of a message's submessages, their total length in characters, and the content of the
 * first; null when there are none.
 */
export function submessageExtent(
  read: Read,
  messageId: number,
): { count: number; length: number; content: string | null } {
  return extent(read).get({ messageId }) ?? { count: 0, length: 0, content: null }
}

export const insertSubmessage: (tx: Tx, row: Omit<Submessage, 'id'>) => Submessage =
  preparedInsert(submessages)
