import type { Read } from '#store/write.ts'
import { isVisible, type Narrow } from './compile.ts'
import { type Course, type Cursor, laneCursors, statement } from './cursor.ts'
import { createHeap } from './heap.ts'

/**
 * The first ids of a narrow along a course, `limit` at most, in the order of the course.
 *
 * Merges the cursors of the narrow's lanes, each of which is in order, so that the cost depends on
 * how far the page reaches and not on how long the history is.
 */
export function walk(read: Read, narrow: Narrow, course: Course, limit: number): number[] {
  if (limit <= 0 || course.from >= course.until) return []
  const isOlder = course.direction === 'older'
  const heap = createHeap<{ cursor: Cursor; bound: number }>(({ bound }) =>
    isOlder ? -bound : bound,
  )
  const push = (cursor: Cursor) => {
    const bound = cursor.bound()
    if (bound !== undefined) heap.push({ cursor, bound })
  }
  for (const lane of narrow.lanes) {
    for (const cursor of laneCursors(read, narrow, lane, course, limit)) push(cursor)
  }
  const ids: number[] = []
  for (let top = heap.pop(); top && ids.length < limit; top = heap.pop()) {
    const id = top.cursor.next()
    if (id !== undefined && id !== ids.at(-1)) ids.push(id)
    push(top.cursor)
  }
  return ids
}

/** Those of the ids that a narrow has, ascending. */
export function listMatching(read: Read, narrow: Narrow, ids: readonly number[]): number[] {
  const sql = `SELECT m.id, m.recipient_id FROM messages m
    WHERE m.id IN (SELECT value FROM json_each(?))${narrow.conditions.sql} ORDER BY m.id`
  return statement(read, sql)
    .all(JSON.stringify(ids), ...narrow.conditions.values)
    .flatMap(([id, recipientId]) => (isVisible(narrow, recipientId, id) ? [id] : []))
}
