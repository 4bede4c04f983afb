import { prepared } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/write.ts'
import { ceiling, contains, each, firstFrom, type Ranges } from './ranges.ts'

/** The maximum and the initial number of rows per page. */
const pageSize = { most: 4096, first: 32 }

const idPage = prepared((db) =>
  db.$client
    .prepare<[number, number, number, number], number>(
      `SELECT id FROM messages
       WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?`,
    )
    .pluck(),
)

/** Ids of the recipient's messages that are in the set, ascending. */
export function listIds(read: Read, recipientId: number, set: Ranges): number[] {
  const pages = idPage(read)
  const page = (from: number, to: number, limit: number) => pages.all(recipientId, from, to, limit)
  return listIn(set, page, (id) => id)
}

const topicPage = prepared((db) =>
  db.$client
    .prepare<[number, number, number, number], [id: number, topic: string]>(
      `SELECT id, topic FROM messages
       WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?`,
    )
    .raw(),
)

/** Ids and topics of the recipient's messages that are in the set, ascending by id. */
export function listTopics(
  read: Read,
  recipientId: number,
  set: Ranges,
): [id: number, topic: string][] {
  const pages = topicPage(read)
  const page = (from: number, to: number, limit: number) => pages.all(recipientId, from, to, limit)
  return listIn(set, page, ([id]) => id)
}

/**
 * The rows that are in the set. Reads on across short gaps between its ranges, since a new query
 * costs as much as several rows, and skips long ones.
 */
function listIn<Row>(
  set: Ranges,
  page: (from: number, to: number, limit: number) => Row[],
  idOf: (row: Row) => number,
): Row[] {
  const found: Row[] = []
  const end = set.at(-1) ?? 0
  let size = pageSize.first
  for (let from = set[0]; from !== undefined; ) {
    const rows = page(from, end, size)
    const before = found.length
    for (const row of rows) if (contains(set, idOf(row))) found.push(row)
    const last = rows[size - 1]
    from = last === undefined ? undefined : firstFrom(set, idOf(last) + 1)
    size = nextSize(size, found.length - before)
  }
  return found
}

function nextSize(size: number, useful: number): number {
  return useful * 3 >= size ? Math.min(size * 2, pageSize.most) : Math.max(size >>> 1, 1)
}

const newestBelow = prepared((db) =>
  db.$client
    .prepare<[number, number], number | null>(
      'SELECT max(id) FROM messages WHERE recipient_id = ? AND id < ?',
    )
    .pluck(),
)

/**
 * The ids around the given ids, up to the recipient's next messages on both sides. The recipient
 * has no messages there, except perhaps the given ones.
 *
 * @param ids ascending
 */
export function voidsAround(read: Read, recipientId: number, ids: readonly number[]): Ranges {
  const voids: number[] = []
  let size = Math.min(ids.length * 2, pageSize.first * 2)
  for (let at = 0; at < ids.length; ) {
    const before = at
    const first = ids[at] ?? 0
    const page = idPage(read).all(recipientId, first, ceiling, size + 1)
    const rows = [newestBelow(read).get(recipientId, first) ?? -1, ...page]
    for (let below = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0
      while ((rows[below + 1] ?? ceiling) < id) below++
      const above = below + (rows[below + 1] === id ? 2 : 1)
      // The message above is on the next page; that of a page's first id never is.
      if (above === rows.length && page.length > size) break
      extend(voids, (rows[below] ?? 0) + 1, rows[above] ?? ceiling)
    }
    size = nextSize(size, at - before)
  }
  return voids
}

/** Adds a range that starts and ends no lower than the last one. */
function extend(bounds: number[], from: number, to: number): void {
  if (from <= (bounds.at(-1) ?? -1)) bounds[bounds.length - 1] = to
  else bounds.push(from, to)
}

const topicIds = prepared((db) =>
  db.$client
    .prepare<[number, string, number, number], number>(
      `SELECT id FROM messages
       WHERE recipient_id = ? AND topic_key = ? AND id >= ? AND id < ? ORDER BY id`,
    )
    .pluck(),
)

/** Ids of the topic's messages that are in the set, ascending. */
export function listTopicIds(read: Read, recipientId: number, key: string, set: Ranges): number[] {
  const from = set[0] ?? 0
  const ids = topicIds(read).all(recipientId, key, from, set.at(-1) ?? from)
  return ids.filter((id) => contains(set, id))
}

/** Id of the recipient's oldest message in the set. */
export function findFirst(read: Read, recipientId: number, set: Ranges): number | undefined {
  for (const [from, to] of each(set)) {
    const id = idPage(read).get(recipientId, from, to, 1)
    if (id !== undefined) return id
  }
  return undefined
}

const newestOf = prepared((db) =>
  db.$client
    .prepare<[number], number | null>('SELECT max(id) FROM messages WHERE recipient_id = ?')
    .pluck(),
)

/** Id of the recipient's newest message. */
export function newestId(read: Read, recipientId: number): number | undefined {
  return newestOf(read).get(recipientId) ?? undefined
}
