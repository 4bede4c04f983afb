import { eq } from 'drizzle-orm'
import { findMessage, type Message } from '#features/foundation/core/queries.ts'
import { expand, storedHtml } from '#features/foundation/core/rows.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { messages } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'

/** @returns the message with its changes; it must exist */
export function updateMessage(
  tx: Tx,
  id: number,
  changes: Partial<Omit<Message, 'id' | 'client' | 'clientId'>>,
): Message {
  const before = findMessage(tx, id)
  if (!before) throw new Error(`There is no message ${id} to change.`)
  const { content, renderedContent } = { ...before, ...changes }
  const columns = { ...changes, renderedContent: storedHtml(content, renderedContent) }
  return expand(
    tx,
    tx.db.update(messages).set(columns).where(eq(messages.id, id)).returning().get(),
  )
}

const clearBits = preparedSql(`
  UPDATE message_flags SET flags = flags & ~@bits WHERE message_id = @messageId
`)
const tidy = preparedSql('DELETE FROM message_flags WHERE message_id = @messageId AND flags = 0')

/** Clears flag bits of a message for all users. */
export function clearFlagsOf(tx: Tx, messageId: number, bits: number): void {
  clearBits(tx).run({ messageId, bits })
  tidy(tx).run({ messageId })
}
