import { eq } from 'drizzle-orm'
import type { Message } from '#features/messaging/core/queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { messages } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/write.ts'

export function updateMessage(
  tx: Tx,
  id: number,
  changes: Partial<Omit<typeof messages.$inferInsert, 'id'>>,
): Message {
  return tx.db.update(messages).set(changes).where(eq(messages.id, id)).returning().get()
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
