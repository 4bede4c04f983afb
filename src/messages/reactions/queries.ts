import { asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { reactions } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export { reactionTypes } from '#store/schema.ts'

export type Reaction = typeof reactions.$inferSelect
export type NewReaction = Omit<Reaction, 'id'>

const onMessages = prepared((db) =>
  db
    .select()
    .from(reactions)
    .where(sql`${reactions.messageId} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`)
    .orderBy(asc(reactions.id))
    .prepare(),
)

/** Every reaction on these messages by message id, oldest first: the order clients show them in. */
export function listReactionsOf(
  read: Read,
  messages: readonly { readonly id: number }[],
): Map<number, Reaction[]> {
  const byMessage = new Map<number, Reaction[]>()
  const ids = JSON.stringify(messages.map(({ id }) => id))
  for (const reaction of onMessages(read).all({ ids })) {
    const list = byMessage.get(reaction.messageId) ?? []
    list.push(reaction)
    byMessage.set(reaction.messageId, list)
  }
  return byMessage
}

export function insertReaction(tx: Tx, reaction: NewReaction): Reaction {
  return tx.db.insert(reactions).values(reaction).returning().get()
}

export function deleteReaction(tx: Tx, id: number): void {
  tx.db.delete(reactions).where(eq(reactions.id, id)).run()
}
