import { deletePaths } from '#features/foundation/own-history/paths.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

const attached = [
  'reactions',
  'message_flags',
  'submessages',
  'message_edits',
  'pinned_messages',
] as const
const deletions = attached.map((table) =>
  preparedSql(`DELETE FROM ${table} WHERE message_id IN (SELECT value FROM json_each(@ids))`),
)
const deletion = preparedSql('DELETE FROM messages WHERE id IN (SELECT value FROM json_each(@ids))')

/** Deletes messages with their reactions, flags, submessages, edits and pins. */
export function deleteMessageRows(tx: Tx, messageIds: readonly number[]): void {
  const ids = JSON.stringify(messageIds)
  for (const statement of [...deletions, deletion]) statement(tx).run({ ids })
  deletePaths(tx, messageIds)
}

const newestOfTopic = preparedSql<{ id: number }>(`
  SELECT id FROM messages WHERE recipient_id = @recipientId AND topic_key = @topicKey
  ORDER BY id DESC LIMIT @limit
`)

/** Ids of the newest messages of a topic, at most `limit`, newest first. */
export function listNewestOfTopic(
  read: Read,
  recipientId: number,
  topicKey: string,
  limit: number,
): number[] {
  return newestOfTopic(read)
    .all({ recipientId, topicKey, limit })
    .map(({ id }) => id)
}
