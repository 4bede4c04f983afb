import { day } from '#platform/quotas/quota.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

/** People who were not seen for so many days are idle, as in Zulip. */
const idleDays = 60

const notSeen = preparedSql<{ id: number }>(`
  SELECT u.id FROM users u LEFT JOIN presence p ON p.user_id = u.id
  WHERE u.bot_type IS NULL AND (u.awaits_first_login OR max(
    u.date_joined, coalesce(p.active_at, 0), coalesce(p.idle_at, 0),
    coalesce((SELECT max(s.created_at) FROM sessions s WHERE s.user_id = u.id), 0)) < @since)`)

/** The people who have not logged in since they were imported, or were not seen for a long time. */
export function listIdle(read: Read, now: number): ReadonlySet<number> {
  const rows = notSeen(read).all({ since: now - idleDays * day })
  return new Set(rows.map(({ id }) => id))
}
