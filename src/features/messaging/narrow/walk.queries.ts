import TinyQueue from 'tinyqueue'
import { slices } from '#platform/slices.ts'
import type { Steps } from '#platform/steps.ts'
import type { Read } from '#platform/store/write.ts'
import { isVisible, type Narrow } from './compile.ts'
import { type Cursor, laneCursors, statement, type WalkBounds } from './cursor.queries.ts'

/**
 * The first IDs of a narrow within the bounds, at most `limit`, in the direction of the walk.
 *
 * Merges the ordered cursors of the narrow's lanes, so that the cost depends on the length of the
 * page and not on that of the history. Pauses after each query of a cursor.
 */
export function* walk(
  read: Read,
  narrow: Narrow,
  course: WalkBounds,
  limit: number,
): Steps<number[]> {
  if (limit <= 0 || course.from >= course.until) return []
  const isOlder = course.direction === 'older'
  const queue = new TinyQueue<{ cursor: Cursor; bound: number }>([], (a, b) =>
    isOlder ? b.bound - a.bound : a.bound - b.bound,
  )
  const push = (cursor: Cursor) => {
    const bound = cursor.bound()
    if (bound !== undefined) queue.push({ cursor, bound })
  }
  for (const lane of narrow.lanes) {
    for (const cursor of laneCursors(read, narrow, lane, course, limit)) push(cursor)
  }
  const ids: number[] = []
  for (let top = queue.pop(); top && ids.length < limit; top = queue.pop()) {
    const id = top.cursor.next()
    if (id === undefined) yield
    else if (id !== ids.at(-1)) ids.push(id)
    push(top.cursor)
  }
  return ids
}

/** How many ids are looked up at a time. */
const slice = 64

/** The ids among `ids` that are in the narrow, ascending. */
export function* listMatching(read: Read, narrow: Narrow, ids: readonly number[]): Steps<number[]> {
  const sql = `SELECT m.id, m.recipient_id FROM messages m
    WHERE m.id IN (SELECT value FROM json_each(?))${narrow.conditions.sql} ORDER BY m.id`
  const ascending = [...new Set(ids)].sort((a, b) => a - b)
  const matching: number[] = []
  for (const next of slices(ascending, slice)) {
    const rows = statement(read, sql).all(JSON.stringify(next), ...narrow.conditions.values)
    for (const [id, recipientId] of rows) if (isVisible(narrow, recipientId, id)) matching.push(id)
    yield
  }
  return matching
}
