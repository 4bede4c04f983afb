import { findState } from '#features/foundation/read-state/states.queries.ts'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { contains } from '#platform/ranges.ts'
import type { Db } from '#platform/store/open.ts'

/** Whether someone has read a message, as far as it concerns them. */
export function isRead(db: Db, userId: number, messageId: number): boolean {
  const read = { db, clock: systemClock, config: defaultConfig }
  const recipient = db.$client
    .prepare<[number], number>('SELECT recipient_id FROM messages WHERE id = ?')
    .pluck()
    .get(messageId)
  return contains(findState(read, userId, recipient ?? 0), messageId)
}
