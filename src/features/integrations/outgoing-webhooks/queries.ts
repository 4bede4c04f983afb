import { eq } from 'drizzle-orm'
import { preparedSql } from '#platform/store/prepared.ts'
import { webhookDeliveries } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Delivery = typeof webhookDeliveries.$inferSelect

const firstDue = preparedSql<{ at: number | null }>(
  'SELECT min(due_at) AS at FROM webhook_deliveries',
)

/** When the next delivery is due, in seconds since the epoch. */
export function nextDelivery(read: Read): number | undefined {
  return firstDue(read).get({})?.at ?? undefined
}

const dueNow = preparedSql<Delivery>(`
  SELECT id, bot_id AS botId, message_id AS messageId, "trigger", failures, due_at AS dueAt
  FROM webhook_deliveries
  WHERE id IN (SELECT min(id) FROM webhook_deliveries WHERE due_at <= @now GROUP BY bot_id)
  ORDER BY id
`)

/** The first due delivery of each bot. */
export function listDue(read: Read, now: number): Delivery[] {
  return dueNow(read).all({ now })
}

export function insertDelivery(tx: Tx, delivery: typeof webhookDeliveries.$inferInsert): void {
  tx.db.insert(webhookDeliveries).values(delivery).run()
}

export function deleteDelivery(tx: Tx, id: number): void {
  tx.db.delete(webhookDeliveries).where(eq(webhookDeliveries.id, id)).run()
}

const underWay = preparedSql(
  'SELECT 1 FROM webhook_deliveries WHERE bot_id = @botId AND message_id = @messageId',
)

/** Whether a message is still to be delivered to a bot's service. */
export function isUnderWay(read: Read, botId: number, messageId: number): boolean {
  return underWay(read).get({ botId, messageId }) !== undefined
}

/** Schedules the retry of a failed delivery. */
export function postponeDelivery(tx: Tx, { id, failures }: Delivery, dueAt: number): void {
  tx.db
    .update(webhookDeliveries)
    .set({ failures: failures + 1, dueAt })
    .where(eq(webhookDeliveries.id, id))
    .run()
}
