import type { Ranges } from '#platform/ranges.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { appendId, decode, encode, splitNewest } from './codec.ts'

/**
 * SQL for all stored ranges of the row `s` of `read_state`, with those that were set aside; null
 * without a row.
 */
export const wholeRanges = `coalesce(
  CAST(s.ranges || (SELECT o.ranges FROM older_read_state o
    WHERE o.user_id = s.user_id AND o.recipient_id = s.recipient_id) AS BLOB),
  s.ranges)`

interface StateRow {
  userId: number
  bytes: Uint8Array
}

const statesOf = preparedSql<StateRow>(`
  SELECT s.user_id AS userId, ${wholeRanges} AS bytes FROM read_state s
  WHERE s.recipient_id = @recipientId`)

/** The ids that each user has read in a recipient, current subscribers or not. */
export function listStates(read: Read, recipientId: number): { userId: number; ranges: Ranges }[] {
  const rows = statesOf(read).all({ recipientId })
  return rows.map(({ userId, bytes }) => ({ userId, ranges: decode(bytes) }))
}

const someStates = preparedSql<StateRow>(`
  SELECT s.user_id AS userId, ${wholeRanges} AS bytes FROM read_state s
  WHERE s.recipient_id = @recipientId AND s.user_id > @afterUserId ORDER BY s.user_id LIMIT @most`)

/** The same for the `most` users with the next ids above `afterUserId`, ascending. */
export function listStatesAfter(
  read: Read,
  recipientId: number,
  afterUserId: number,
  most: number,
): { userId: number; ranges: Ranges }[] {
  const rows = someStates(read).all({ recipientId, afterUserId, most })
  return rows.map(({ userId, bytes }) => ({ userId, ranges: decode(bytes) }))
}

const stateOf = preparedSql<Pick<StateRow, 'bytes'>>(`
  SELECT ${wholeRanges} AS bytes FROM read_state s
  WHERE s.user_id = @userId AND s.recipient_id = @recipientId`)

/** The ids that a user has read in a recipient, subscribed or not. */
export function findState(read: Read, userId: number, recipientId: number): Ranges {
  const row = stateOf(read).get({ userId, recipientId })
  return row ? decode(row.bytes) : []
}

interface Appendable {
  bytes: Uint8Array
  previous: number | null
}

const previousId = `
  (SELECT max(id) FROM messages WHERE recipient_id = @recipientId AND id < @messageId)`

const appendableOf = preparedSql<Appendable>(`
  SELECT ranges AS bytes, ${previousId} AS previous FROM read_state
  WHERE user_id = @userId AND recipient_id = @recipientId`)

const newDirectOf = preparedSql<Appendable>(`
  SELECT x'' AS bytes, ${previousId} AS previous FROM direct_members
  WHERE user_id = @userId AND recipient_id = @recipientId`)

/** The most bytes of ranges that are written with each message: some 300 ranges. */
const mostBytes = 1024

/**
 * Adds a message that is newer than all others of the recipient to what the user has read. The cost
 * is that of the newest ranges, however many there are. A user who never subscribed has no state to
 * change.
 */
export function appendRead(tx: Tx, userId: number, recipientId: number, messageId: number): void {
  const place = { userId, recipientId, messageId }
  const found = appendableOf(tx).get(place) ?? newDirectOf(tx).get(place)
  if (!found) return
  const bytes = appendId(found.bytes, messageId, found.previous ?? undefined)
  upsertState(tx).run({ userId, recipientId, bytes })
  if (bytes.length > mostBytes) setAside(tx, userId, recipientId)
}

const newestOf = preparedSql<Pick<StateRow, 'bytes'>>(`
  SELECT ranges AS bytes FROM read_state WHERE user_id = @userId AND recipient_id = @recipientId`)

const prependOlder = preparedSql(`
  INSERT INTO older_read_state (user_id, recipient_id, ranges)
  VALUES (@userId, @recipientId, @bytes)
  ON CONFLICT (user_id, recipient_id)
  DO UPDATE SET ranges = CAST(excluded.ranges || ranges AS BLOB)`)

/** Stores all ranges of a state but the newest where appending to it leaves them alone. */
export function setAside(tx: Tx, userId: number, recipientId: number): void {
  const row = newestOf(tx).get({ userId, recipientId })
  if (!row) return
  const { newest, older } = splitNewest(row.bytes)
  if (older.length === 0) return
  prependOlder(tx).run({ userId, recipientId, bytes: older })
  upsertState(tx).run({ userId, recipientId, bytes: newest })
}

const upsertState = preparedSql(`
  INSERT INTO read_state (user_id, recipient_id, ranges) VALUES (@userId, @recipientId, @bytes)
  ON CONFLICT (user_id, recipient_id) DO UPDATE SET ranges = excluded.ranges`)

const insertState = preparedSql(`
  INSERT INTO read_state (user_id, recipient_id, ranges) VALUES (@userId, @recipientId, @bytes)
  ON CONFLICT DO NOTHING`)

/** Saves what a user has read who has no state of this recipient; returns false if there is one. */
export function addState(tx: Tx, userId: number, recipientId: number, ranges: Ranges): boolean {
  return insertState(tx).run({ userId, recipientId, bytes: encode(ranges) }).changes > 0
}

const deleteOlder = preparedSql(`
  DELETE FROM older_read_state WHERE user_id = @userId AND recipient_id = @recipientId`)

/** Saves what a user has read in a recipient in place of what is stored. */
export function saveState(tx: Tx, userId: number, recipientId: number, ranges: Ranges): void {
  deleteOlder(tx).run({ userId, recipientId })
  upsertState(tx).run({ userId, recipientId, bytes: encode(ranges) })
}
