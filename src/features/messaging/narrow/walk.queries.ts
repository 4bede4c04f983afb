import TinyQueue from 'tinyqueue'
import { slices } from '#platform/slices.ts'
import type { Steps } from '#platform/steps.ts'
import type { Read } from '#platform/store/store.ts'
import { isVisible, type Narrow } from './compile.ts'
import { type Cursor, laneCursors, statement, type WalkBounds } from './cursor.queries.ts'
import { withHits } from './hits.queries.ts'

/** Narrows of fewer recipients than this are read by recipient only. */
const manyRecipients = 4

/** How many messages of the whole history are looked at in one query. */
const strip = { least: 8, most: 1024 } as const

/**
 * The first IDs of a narrow within the bounds, at most `limit`, in the direction of the walk.
 *
 * Merges the ordered cursors of the narrow's lanes, so that the cost depends on the length of the
 * page and not on that of the history. Pauses after each query. While most messages are the
 * reader's, it reads the history as it is, without asking each recipient for its first ID.
 */
export function* walk(
  read: Read,
  narrow: Narrow,
  course: WalkBounds,
  limit: number,
): Steps<number[]> {
  if (limit <= 0) return []
  const others = narrow.slowSearches.filter(({ isLane }) => !isLane)
  const found = yield* withHits(read, narrow, others)
  const ids: number[] = []
  const rest = isManyPlaces(found) ? yield* walkAll(read, found, course, limit, ids) : course
  if (ids.length < limit) yield* walkLanes(read, found, rest, limit, ids)
  return ids
}

/** Whether a narrow is all that is visible in many recipients. */
function isManyPlaces({ lanes, conditions }: Narrow): boolean {
  const [lane, ...others] = lanes
  return (
    others.length === 0 &&
    lane?.kind === 'recipients' &&
    lane.recipients.length >= manyRecipients &&
    conditions.sql === ''
  )
}

/** The statement that reads the history within bounds. */
export function historySql({ direction }: WalkBounds): string {
  return `SELECT m.id, m.recipient_id FROM messages m WHERE m.id >= ? AND m.id < ?
    ORDER BY m.id ${direction === 'older' ? 'DESC' : 'ASC'} LIMIT ?`
}

/**
 * Adds IDs to `ids` while at least half of the messages are in the narrow.
 *
 * @returns the bounds of what is left
 */
function* walkAll(
  read: Read,
  narrow: Narrow,
  course: WalkBounds,
  limit: number,
  ids: number[],
): Steps<WalkBounds> {
  let rest = course
  while (ids.length < limit && rest.from < rest.until) {
    const count = Math.min(strip.most, Math.max(strip.least, 2 * (limit - ids.length)))
    const rows = statement(read, historySql(course)).all(rest.from, rest.until, count)
    const found = rows.filter(([id, recipientId]) => isVisible(narrow, recipientId, id))
    for (const [id] of found.slice(0, limit - ids.length)) ids.push(id)
    const last = rows.length < count ? undefined : rows.at(-1)?.[0]
    rest = beyond(rest, last)
    if (2 * found.length < rows.length) break
    yield
  }
  return rest
}

/** The bounds of what follows an ID in the course of a walk: nothing if there is none. */
function beyond(course: WalkBounds, last: number | undefined): WalkBounds {
  if (last === undefined) return { ...course, until: course.from }
  return course.direction === 'older' ? { ...course, until: last } : { ...course, from: last + 1 }
}

/** Adds the IDs within the bounds to `ids`, up to `limit`, from the lanes of the narrow. */
function* walkLanes(
  read: Read,
  narrow: Narrow,
  course: WalkBounds,
  limit: number,
  ids: number[],
): Steps<void> {
  if (course.from >= course.until) return
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
  for (let top = queue.pop(); top && ids.length < limit; top = queue.pop()) {
    const id = top.cursor.next()
    if (id === undefined) yield
    else if (id !== ids.at(-1)) ids.push(id)
    push(top.cursor)
  }
}

/** How many ids are looked up at a time. */
const slice = 64

/** The ids among `ids` that are in the narrow, ascending. */
export function* listMatching(read: Read, asked: Narrow, ids: readonly number[]): Steps<number[]> {
  const narrow = yield* withHits(read, asked, asked.slowSearches)
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
