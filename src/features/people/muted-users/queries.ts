import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

const sentBy = preparedSql<{ id: number; recipientId: number }>(`
  SELECT id, recipient_id AS recipientId FROM messages
  WHERE id IN (SELECT value FROM json_each(@ids)) AND sender_id = @senderId
`)

/** The messages among these that one user sent. */
export function listSentBy(
  read: Read,
  senderId: number,
  ids: readonly number[],
): { id: number; recipientId: number }[] {
  return sentBy(read).all({ senderId, ids: JSON.stringify(ids) })
}
