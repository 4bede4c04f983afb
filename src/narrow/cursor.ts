import { ceiling, intersect, type Ranges, span } from '#read-state/ranges.ts'
import { prepared } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import type { Clause } from './clause.ts'
import { isVisible, type Narrow } from './compile.ts'
import type { GlobalLane, Lane, RecipientLane } from './lanes.ts'

/** Which way a walk goes through the ids, and between which: `from <= id < until`. */
export interface Course {
  readonly direction: 'older' | 'newer'
  readonly from: number
  readonly until: number
}

/** One ordered source of messages, read in pieces as far as they are needed. */
export interface Cursor {
  /** The id that comes next, or one that is not behind it; undefined at the end. */
  readonly bound: () => number | undefined
  /** Takes the next id if it is known already; else reads on, and the bound moves. */
  readonly next: () => number | undefined
}

type Row = [id: number, recipientId: number]

/** How many rows a cursor among several reads first, and at most. */
const firstChunk = 8
const largestChunk = 2048

/** How many ids a cursor among several looks through at first for what meets the conditions. */
const firstReach = 2048

/** More ranges than this are looked through as one, and sifted afterwards. */
const manyRanges = 16

/** The cursors of a lane; the heads of its recipients are looked up together. */
export function* laneCursors(
  read: Read,
  narrow: Narrow,
  lane: Lane,
  course: Course,
  expected: number,
): Generator<Cursor> {
  if (lane.kind === 'global') {
    const step = { statement: laneSql(lane, narrow, course), key: lane.key.values }
    const ids = span(course.from, course.until)
    yield openCursor(read, narrow, course, { ...step, ids: () => ids, expected, isAlone: true })
    return
  }
  const isAlone = lane.recipients.length === 1
  const statement = laneSql(lane, narrow, course)
  for (const { recipientId, head } of heads(read, lane, course)) {
    yield openCursor(read, narrow, course, {
      statement,
      key: [recipientId, ...lane.key.values],
      ids: () => recipientIds(narrow, lane, recipientId, course),
      head,
      expected,
      isAlone,
    })
  }
}

function recipientIds(
  narrow: Narrow,
  lane: RecipientLane,
  recipientId: number,
  { from, until }: Course,
): Ranges {
  const ids = intersect(narrow.ranges(recipientId), span(from, until))
  if (lane.index === 'messages_recipient' || ids.length <= 2 * manyRanges) return ids
  return span(ids[0] ?? 0, ids.at(-1) ?? 0)
}

interface Opening {
  readonly statement: string
  readonly key: Clause['values']
  /** The ids to look at; asked for when the cursor is first read. */
  readonly ids: () => Ranges
  readonly head?: number | undefined
  readonly expected: number
  /** Whether it is the only one of its lane, so that nobody else can spare it from reading on. */
  readonly isAlone: boolean
}

function openCursor(read: Read, narrow: Narrow, course: Course, opening: Opening): Cursor {
  const { direction } = course
  const conditions = narrow.remaining.values
  const isSifted = narrow.remaining.sql !== ''
  let ids: Ranges | undefined
  let rows: Row[] = []
  let at = 0
  const start = opening.head ?? (direction === 'older' ? course.until - 1 : course.from)
  let bound: number | undefined = start
  /** Where what is still to be read begins, seen in the direction of the walk. */
  let edge = direction === 'older' ? start + 1 : start
  let chunk = opening.isAlone ? opening.expected : Math.min(firstChunk, opening.expected)
  let reach = isSifted && !opening.isAlone ? firstReach : ceiling

  /** The next stretch of ids to read. */
  function stretch(): { from: number; to: number } | undefined {
    ids ??= opening.ids()
    return direction === 'older' ? lastBelow(ids, edge, reach) : firstFrom(ids, edge, reach)
  }

  function load(): void {
    const part = stretch()
    rows = []
    at = 0
    if (!part) {
      bound = undefined
      return
    }
    const { from, to } = part
    const found = statement(read, opening.statement).all(
      ...opening.key,
      from,
      to,
      ...conditions,
      chunk,
    )
    const last = found.length < chunk ? undefined : found.at(-1)?.[0]
    if (direction === 'older') edge = last ?? from
    else edge = last === undefined ? to : last + 1
    if (last === undefined) reach *= 2
    chunk = Math.min(largestChunk, chunk * 4)
    rows = found.filter(([id, recipientId]) => isVisible(narrow, recipientId, id))
    bound = rows[0]?.[0] ?? edgeBound()
  }

  function edgeBound(): number | undefined {
    const part = stretch()
    return part && (direction === 'older' ? part.to - 1 : part.from)
  }

  return {
    bound: () => bound,
    next() {
      const row = rows[at]
      if (!row) {
        load()
        return undefined
      }
      at += 1
      bound = rows[at]?.[0] ?? edgeBound()
      return row[0]
    },
  }
}

/** The end of the last range below `edge`, at most `reach` ids of it. */
function lastBelow(ids: Ranges, edge: number, reach: number) {
  for (let i = ids.length - 2; i >= 0; i -= 2) {
    const from = ids[i] ?? 0
    const to = Math.min(ids[i + 1] ?? 0, edge)
    if (from < to) return { from: Math.max(from, to - reach), to }
  }
  return undefined
}

/** The beginning of the first range from `edge` on, at most `reach` ids of it. */
function firstFrom(ids: Ranges, edge: number, reach: number) {
  for (let i = 0; i + 1 < ids.length; i += 2) {
    const from = Math.max(ids[i] ?? 0, edge)
    const to = ids[i + 1] ?? 0
    if (from < to) return { from, to: Math.min(to, from + reach) }
  }
  return undefined
}

/**
 * The statement that reads a stretch of a lane. The ids are cast because the driver binds every
 * number as a real one, and full-text tables leave bounds alone that are no integers.
 */
export function laneSql(lane: Lane, narrow: Narrow, { direction }: Course): string {
  const { from, id, key } = lane.kind === 'global' ? lane : recipientSource(lane)
  return `SELECT ${id}, m.recipient_id FROM ${from}
    WHERE ${key.sql} AND ${id} >= CAST(? AS INTEGER) AND ${id} < CAST(? AS INTEGER)
      ${narrow.remaining.sql}
    ORDER BY ${id} ${direction === 'older' ? 'DESC' : 'ASC'} LIMIT ?`
}

function recipientSource({ index, key }: RecipientLane): Omit<GlobalLane, 'kind'> {
  return {
    from: `messages m INDEXED BY ${index}`,
    id: 'm.id',
    key: { ...key, sql: `m.recipient_id = ? AND ${key.sql}` },
  }
}

/** The statement that finds where each recipient of a lane begins. */
export function headsSql(lane: RecipientLane, { direction }: Course): string {
  const { from } = recipientSource(lane)
  return `SELECT r.value, (
      SELECT ${direction === 'older' ? 'max' : 'min'}(m.id) FROM ${from}
      WHERE m.recipient_id = r.value AND ${lane.key.sql} AND m.id >= ? AND m.id < ?
    ) FROM json_each(?) r`
}

interface Head {
  readonly recipientId: number
  readonly head: number | undefined
}

/** The recipients of a lane with messages on the course, and the id that comes first in each. */
function heads(read: Read, lane: RecipientLane, course: Course): Head[] {
  const { recipients } = lane
  if (recipients.length === 1) {
    return recipients.map((recipientId) => ({ recipientId, head: undefined }))
  }
  return statement(read, headsSql(lane, course))
    .all(...lane.key.values, course.from, course.until, JSON.stringify(recipients))
    .flatMap(([recipientId, head]) => (head === null ? [] : [{ recipientId, head }]))
}

/** Shapes of narrows are few; a client that makes up ever new ones only costs preparing them. */
const maxStatements = 500

const statements = prepared((db) => {
  const known = new Map<string, ReturnType<typeof prepare>>()
  const prepare = (sql: string) =>
    db.$client.prepare<(number | string)[], [number, number]>(sql).raw()
  return (sql: string) => {
    let found = known.get(sql)
    if (!found) {
      if (known.size >= maxStatements) known.clear()
      found = prepare(sql)
      known.set(sql, found)
    }
    return found
  }
})

/** The statement of this text, prepared once, that yields pairs of numbers. */
export function statement(read: Read, sql: string) {
  return statements(read)(sql)
}
