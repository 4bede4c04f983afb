import { eq } from 'drizzle-orm'
import { preparedSql } from '#platform/store/prepared.ts'
import { pinnedMessages } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Pin = typeof pinnedMessages.$inferSelect

/** The most pins in a list for a channel. */
export const mostListed = 100

const pins = (where: string, most: string) => `
  SELECT p.message_id AS messageId, p.recipient_id AS recipientId, p.user_id AS userId,
    p.pinned_at AS pinnedAt
  FROM pinned_messages p ${where}
  ORDER BY p.pinned_at DESC, p.message_id DESC LIMIT ${most}
`
const inRecipient = preparedSql<Pin>(pins('WHERE p.recipient_id = @recipientId', `${mostListed}`))
const inTopic = preparedSql<Pin>(
  pins(
    `CROSS JOIN messages m ON m.id = p.message_id AND m.topic_key = @topicKey
     WHERE p.recipient_id = @recipientId`,
    `${mostListed}`,
  ),
)

/** The pins of a topic, a channel or a direct conversation, newest first: at most `mostListed`. */
export function listPins(read: Read, recipientId: number, topicKey?: string): Pin[] {
  return topicKey === undefined
    ? inRecipient(read).all({ recipientId })
    : inTopic(read).all({ recipientId, topicKey })
}

const onMessages = preparedSql<Pin>(`
  SELECT message_id AS messageId, recipient_id AS recipientId, user_id AS userId,
    pinned_at AS pinnedAt
  FROM pinned_messages WHERE message_id IN (SELECT value FROM json_each(@ids))`)

/** The pins of these messages, by message ID. */
export function listPinsOf(
  read: Read,
  messages: readonly { readonly id: number }[],
): Map<number, Pin> {
  const ids = JSON.stringify(messages.map(({ id }) => id))
  const found = onMessages(read).all({ ids })
  return new Map(found.map((pin) => [pin.messageId, pin]))
}

const counted = preparedSql<{ count: number }>(
  'SELECT count(*) AS count FROM pinned_messages WHERE recipient_id = @recipientId',
)

/** The number of pinned messages of a channel or a direct conversation. */
export function countPins(read: Read, recipientId: number): number {
  return counted(read).get({ recipientId })?.count ?? 0
}

/** Returns false if the message is pinned already. */
export function insertPin(tx: Tx, pin: Pin): boolean {
  return tx.db.insert(pinnedMessages).values(pin).onConflictDoNothing().run().changes > 0
}

/** Returns false if the message is not pinned. */
export function deletePin(tx: Tx, messageId: number): boolean {
  return (
    tx.db.delete(pinnedMessages).where(eq(pinnedMessages.messageId, messageId)).run().changes > 0
  )
}
