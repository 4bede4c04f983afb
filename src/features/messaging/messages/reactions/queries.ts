import { eq } from 'drizzle-orm'
import { preparedRows, preparedSql } from '#platform/store/prepared.ts'
import { reactions } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export { reactionTypes } from '#platform/store/schema.ts'

export type Reaction = typeof reactions.$inferSelect
export type NewReaction = Omit<Reaction, 'id'>

const onMessages = preparedRows(reactions, reactions.messageId)

/** All reactions to these messages by message id, oldest first: clients show them in this order. */
export function listReactionsOf(
  read: Read,
  messages: readonly { readonly id: number }[],
): Map<number, Reaction[]> {
  const byMessage = new Map<number, Reaction[]>()
  const ids = messages.map(({ id }) => id)
  for (const reaction of onMessages(read, ids)) {
    const list = byMessage.get(reaction.messageId) ?? []
    list.push(reaction)
    byMessage.set(reaction.messageId, list)
  }
  return byMessage
}

const counted = preparedSql<{ count: number }>(
  'SELECT count(*) AS count FROM reactions WHERE message_id = @messageId AND user_id = @userId',
)

/** The number of a user's reactions to a message. */
export function countReactionsBy(read: Read, messageId: number, userId: number): number {
  return counted(read).get({ messageId, userId })?.count ?? 0
}

export function insertReaction(tx: Tx, reaction: NewReaction): Reaction {
  return tx.db.insert(reactions).values(reaction).returning().get()
}

export function deleteReaction(tx: Tx, id: number): void {
  tx.db.delete(reactions).where(eq(reactions.id, id)).run()
}
