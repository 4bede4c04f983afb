import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** When a user was last seen, in seconds since the epoch. */
export interface Presence {
  readonly userId: number
  readonly apiEmail: string
  /** The last activity; if there was none, when the user joined. */
  readonly activeAt: number
  /** The last time a client was open; never before `activeAt`. */
  readonly connectedAt: number
  /** Grows with every update. */
  readonly updateId: number
}

const columns = `
  p.user_id AS userId, u.api_email AS apiEmail, p.update_id AS updateId,
  coalesce(p.active_at, min(u.date_joined, p.idle_at)) AS activeAt, p.idle_at AS connectedAt
  FROM presence p JOIN users u ON u.id = p.user_id AND u.is_active`

const since = preparedSql<Presence>(
  `SELECT ${columns} WHERE p.idle_at >= @since AND p.update_id > @updateId ORDER BY p.user_id`,
)

/**
 * All presences since a time that changed after an update.
 *
 * @param after seconds since the epoch
 * @param updateId -1 for all
 */
export function listPresences(read: Read, after: number, updateId: number): Presence[] {
  return since(read).all({ since: after, updateId })
}

const ofUser = preparedSql<Presence>(`SELECT ${columns} WHERE p.user_id = @userId`)

export function findPresence(read: Read, userId: number): Presence | undefined {
  return ofUser(read).get({ userId })
}

const upsert = preparedSql(`
  INSERT INTO presence (user_id, active_at, idle_at, update_id)
  VALUES (@userId, @activeAt, @now, (SELECT coalesce(max(update_id), 0) + 1 FROM presence))
  ON CONFLICT (user_id) DO UPDATE SET
    active_at = coalesce(excluded.active_at, active_at),
    idle_at = excluded.idle_at,
    update_id = excluded.update_id`)

const replaceOne = preparedSql(`
  INSERT INTO presence (user_id, active_at, idle_at, update_id)
  VALUES (@userId, @at, @at, (SELECT coalesce(max(update_id), 0) + 1 FROM presence))
  ON CONFLICT (user_id) DO UPDATE SET
    active_at = excluded.active_at, idle_at = excluded.idle_at, update_id = excluded.update_id`)

/** Makes a time, in seconds since the epoch, the only one at which a user was seen. */
export function replacePresence(tx: Tx, userId: number, at: number): void {
  replaceOne(tx).run({ userId, at })
}

/** Stores that a user was seen now, in seconds since the epoch, and whether they were active. */
export function upsertPresence(tx: Tx, userId: number, now: number, isActive: boolean): void {
  upsert(tx).run({ userId, now, activeAt: isActive ? now : null })
}
