import { eq, sql } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { quietTimes } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { QuietSchedule, QuietTimes } from './times.ts'

const ofUser = prepared((db) =>
  db
    .select()
    .from(quietTimes)
    .where(eq(quietTimes.userId, sql.placeholder('userId')))
    .prepare(),
)

/** The quiet times of a user, without a pause that is over. @param now in seconds */
export function findQuietTimes(read: Read, userId: number, now: number): QuietTimes {
  const row = ofUser(read).get({ userId })
  const pausedUntil = row?.pausedUntil ?? null
  return {
    pausedUntil: pausedUntil !== null && pausedUntil > now ? pausedUntil : null,
    schedule: (row?.schedule ?? null) as QuietSchedule | null,
  }
}

export function storeQuietTimes(tx: Tx, userId: number, times: QuietTimes): void {
  const { pausedUntil, schedule } = times
  if (pausedUntil === null && schedule === null) {
    tx.db.delete(quietTimes).where(eq(quietTimes.userId, userId)).run()
    return
  }
  tx.db
    .insert(quietTimes)
    .values({ userId, ...times })
    .onConflictDoUpdate({ target: quietTimes.userId, set: { pausedUntil, schedule } })
    .run()
}
