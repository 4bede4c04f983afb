import { bridged, ceiling, intersect, type Ranges, span } from '#platform/ranges.ts'
import { prepared } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import type { Clause } from './clause.ts'
import { isVisible, type Narrow } from './compile.ts'
import type { GlobalLane, Lane, RecipientLane } from './lanes.ts'

/** The direction of a walk through the ids, and its bounds: `from <= id < until`. */
export interface WalkBounds {
  readonly direction: 'older' | 'newer'
  readonly from: number
  readonly until: number
}

/** One ordered source of message ids, read in chunks as needed. */
export interface Cursor {
  /** The next id, or a bound that comes before it; undefined at the end. */
  readonly bound: () => number | undefined
  /** Takes the next id if it is loaded; else loads more, moves the bound and returns undefined. */
  readonly next: () => number | undefined
}

type Row = [id: number, recipientId: number]

/** The first and the largest number of rows that one of several cursors reads at a time. */
const firstChunk = 8
const largestChunk = 2048

/**
 * The number of ids in a cursor's first scan, for rows that meet the conditions (a search costs
 * most) or that a search index has. It scans more while that takes little time.
 */
const firstReach = { filtered: 64, global: 2048 } as const

/** The smallest number of ids that a cursor scans, however long that takes. */
const leastReach = 16

/** The largest number that it scans in a query that takes long. */
const longestReach = 65_536

/** How long one query may take, in milliseconds: a cursor scans fewer ids at a time after more. */
const queryMs = 3

/**
 * A cursor scans more ranges than this as one, and filters the rows afterwards; in the index of
 * recipients only those with gaps of so few ids between them.
 */
const manyRanges = 16
const smallGap = 64

/** The cursors of a lane; looks up the heads of its recipients in one query. */
export function* laneCursors(
  read: Read,
  narrow: Narrow,
  lane: Lane,
  course: WalkBounds,
  expected: number,
): Generator<Cursor> {
  if (lane.kind === 'global') {
    const ids = span(course.from, course.until)
    yield openCursor(read, narrow, course, {
      statement: laneSql(lane, narrow, course),
      key: lane.key.values,
      ids: () => ids,
      reach: isFiltered(narrow) ? firstReach.filtered : firstReach.global,
      expected,
      isAlone: true,
      isSearch: true,
    })
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
      reach: isFiltered(narrow) ? firstReach.filtered : ceiling,
      expected,
      isAlone,
    })
  }
}

function isFiltered({ remaining }: Narrow): boolean {
  return remaining.sql !== ''
}

function recipientIds(
  narrow: Narrow,
  lane: RecipientLane,
  recipientId: number,
  { from, until }: WalkBounds,
): Ranges {
  const ids = intersect(narrow.ranges(recipientId), span(from, until))
  if (ids.length <= 2 * manyRanges) return ids
  if (lane.index === 'messages_recipient') return bridged(ids, smallGap)
  return span(ids[0] ?? 0, ids.at(-1) ?? 0)
}

interface CursorOptions {
  readonly statement: string
  readonly key: Clause['values']
  /** The ids to scan; called when the cursor first loads rows. */
  readonly ids: () => Ranges
  /** The first ID within the bounds, if known. */
  readonly head?: number | undefined
  /** How many ids to scan at first. */
  readonly reach: number
  /** The number of ids that the walk needs. */
  readonly expected: number
  /** Whether it is the only cursor, so that it must supply all of the IDs. */
  readonly isAlone: boolean
  /** Whether a search index finds its rows. */
  readonly isSearch?: boolean
}

function openCursor(
  read: Read,
  narrow: Narrow,
  course: WalkBounds,
  options: CursorOptions,
): Cursor {
  const { direction } = course
  const conditions = narrow.remaining.values
  let ids: Ranges | undefined
  let rows: Row[] = []
  let at = 0
  const start = options.head ?? (direction === 'older' ? course.until - 1 : course.from)
  let bound: number | undefined = start
  /** The boundary between scanned and unscanned ids. */
  let edge = direction === 'older' ? start + 1 : start
  let chunk = options.isAlone ? options.expected : Math.min(firstChunk, options.expected)
  let reach = options.reach

  /** The next range of ids to scan. */
  function nextRange(): { from: number; to: number } | undefined {
    ids ??= options.ids()
    return direction === 'older' ? lastBelow(ids, edge, reach) : firstFrom(ids, edge, reach)
  }

  function load(): void {
    const range = nextRange()
    rows = []
    at = 0
    if (!range) {
      bound = undefined
      return
    }
    const { from, to } = range
    const began = read.clock.elapsed()
    const found = statement(read, options.statement).all(
      ...options.key,
      from,
      to,
      ...conditions,
      chunk,
    )
    const last = found.length < chunk ? undefined : found.at(-1)?.[0]
    if (direction === 'older') edge = last ?? from
    else edge = last === undefined ? to : last + 1
    const isSlow = read.clock.elapsed() - began > queryMs
    // A search for a phrase reads on beyond its bounds until it finds one: fewer IDs cost the same.
    if (isSlow && options.isSearch && found.length === 0) reach = Math.min(longestReach, reach * 4)
    else if (isSlow) reach = Math.max(leastReach, Math.floor(reach / 2))
    else if (last === undefined) reach = Math.min(ceiling, reach * 4)
    chunk = Math.min(largestChunk, chunk * 4)
    rows = found.filter(([id, recipientId]) => isVisible(narrow, recipientId, id))
    bound = rows[0]?.[0] ?? edgeBound()
  }

  function edgeBound(): number | undefined {
    const range = nextRange()
    return range && (direction === 'older' ? range.to - 1 : range.from)
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

/** The end of the last range below `edge`, limited to `reach` ids. */
function lastBelow(ids: Ranges, edge: number, reach: number) {
  for (let i = ids.length - 2; i >= 0; i -= 2) {
    const from = ids[i] ?? 0
    const to = Math.min(ids[i + 1] ?? 0, edge)
    if (from < to) return { from: Math.max(from, to - reach), to }
  }
  return undefined
}

/** The beginning of the first range from `edge` on, limited to `reach` ids. */
function firstFrom(ids: Ranges, edge: number, reach: number) {
  for (let i = 0; i + 1 < ids.length; i += 2) {
    const from = Math.max(ids[i] ?? 0, edge)
    const to = ids[i + 1] ?? 0
    if (from < to) return { from, to: Math.min(to, from + reach) }
  }
  return undefined
}

/**
 * The statement that reads a range of a lane. It casts the ids because the driver binds every
 * number as a real, and full-text tables ignore bounds that are not integers.
 */
export function laneSql(lane: Lane, narrow: Narrow, { direction }: WalkBounds): string {
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

/** The statement that finds the first ID within the bounds for each recipient of a lane. */
export function headsSql(lane: RecipientLane, { direction }: WalkBounds): string {
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

/** The recipients of a lane that have messages within the bounds, with the first ID of each. */
function heads(read: Read, lane: RecipientLane, course: WalkBounds): Head[] {
  const { recipients } = lane
  if (recipients.length === 1) {
    return recipients.map((recipientId) => ({ recipientId, head: undefined }))
  }
  return statement(read, headsSql(lane, course))
    .all(...lane.key.values, course.from, course.until, JSON.stringify(recipients))
    .flatMap(([recipientId, head]) => (head === null ? [] : [{ recipientId, head }]))
}

/**
 * The limit of cached statements. Narrows have few forms; a form beyond the limit is prepared
 * again.
 */
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

/** The prepared statement for this SQL, cached; it yields pairs of numbers. */
export function statement(read: Read, sql: string) {
  return statements(read)(sql)
}
