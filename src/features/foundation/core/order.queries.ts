import { firstIdSince } from '#features/foundation/channels/traffic.queries.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

const disorder = preparedSql<{ maxDisorder: number }>(
  'SELECT max_disorder AS maxDisorder FROM message_order',
)

/** The most by which a message was sent before one with a smaller ID, in seconds. */
function findDisorder(read: Read): number {
  return disorder(read).get({})?.maxDisorder ?? 0
}

const raise = preparedSql(`
  INSERT INTO message_order (id, max_disorder) VALUES (1, @seconds)
  ON CONFLICT DO UPDATE SET max_disorder = max(max_disorder, excluded.max_disorder)`)

/** Records that a message was sent so many seconds before one with a smaller ID. */
export function noteDisorder(tx: Tx, seconds: number): void {
  raise(tx).run({ seconds })
}

const newestTime = preparedSql<{ sentAt: number }>(
  'SELECT sent_at AS sentAt FROM messages ORDER BY id DESC LIMIT 1',
)

/** A time that no message is later than; undefined until the first is sent. */
const latest = perDatabase((): { time: number | undefined } => ({ time: undefined }))

/** Takes note of the time of a message that is about to get the next ID. */
export function noteSentAt(tx: Tx, sentAt: number): void {
  const known = latest(tx)
  known.time ??= (newestTime(tx).get({})?.sentAt ?? sentAt) + findDisorder(tx)
  if (sentAt >= known.time) known.time = sentAt
  else if (known.time - sentAt > findDisorder(tx)) noteDisorder(tx, known.time - sentAt)
}

/** An ID that all messages sent at this time or later have, or a greater one. */
export function leastIdSince(read: Read, time: number): number {
  return firstIdSince(read, time - findDisorder(read))
}

/** An ID that all messages sent before this time are below. */
export function idAboveAllBefore(read: Read, time: number): number {
  return firstIdSince(read, time + findDisorder(read))
}
