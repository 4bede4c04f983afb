import { ceiling, contains, each, type Ranges } from '#platform/ranges.ts'
import { prepared } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

/** Some ids of a recipient. */
export interface Part {
  readonly recipientId: number
  readonly set: Ranges
}

/**
 * The messages in parts: the ranges that `rangesOf` gives, each read from the index of their
 * recipient, so that nothing between them is read.
 */
const inParts = `FROM json_each(?) r CROSS JOIN messages m INDEXED BY messages_recipient
  ON m.recipient_id = (r.value ->> 0) AND m.id >= (r.value ->> 1) AND m.id < (r.value ->> 2)`

function rangesOf(parts: readonly Part[]): string {
  const ranges: [recipientId: number, from: number, to: number][] = []
  for (const { recipientId, set } of parts) {
    for (const [from, to] of each(set)) ranges.push([recipientId, from, to])
  }
  return JSON.stringify(ranges)
}

const idsIn = prepared((db) =>
  db.$client.prepare<[string], number>(`SELECT m.id ${inParts}`).pluck(),
)

/** Ids of the messages that are in the parts: part by part, ascending in each. */
export function listIds(read: Read, ...parts: readonly Part[]): number[] {
  return idsIn(read).all(rangesOf(parts))
}

/** Messages, one at each index. */
export interface Topics {
  readonly recipientIds: readonly number[]
  readonly ids: readonly number[]
  readonly topics: readonly string[]
}

// One row of JSON: a row for each message costs more to hand over than to find.
const topicsIn = prepared((db) =>
  db.$client
    .prepare<[string], string[]>(
      `SELECT json_group_array(m.recipient_id), json_group_array(m.id), json_group_array(m.topic)
       ${inParts}`,
    )
    .raw(),
)

/** Ids and topics of the messages that are in the parts, in the order of `listIds`. */
export function listTopics(read: Read, parts: readonly Part[]): Topics {
  const columns = topicsIn(read).get(rangesOf(parts)) ?? []
  const [recipientIds, ids, topics] = columns.map((column) => JSON.parse(column))
  return { recipientIds, ids, topics }
}

const newestBelow = prepared((db) =>
  db.$client
    .prepare<[number, number], number | null>(
      'SELECT max(id) FROM messages WHERE recipient_id = ? AND id < ?',
    )
    .pluck(),
)

const idPage = prepared((db) =>
  db.$client
    .prepare<[number, number, number, number], number>(
      `SELECT id FROM messages
       WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?`,
    )
    .pluck(),
)

/** The maximum and the initial number of rows per page. */
const pageSize = { most: 4096, first: 32 }

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

function nextSize(size: number, useful: number): number {
  return useful * 3 >= size ? Math.min(size * 2, pageSize.most) : Math.max(size >>> 1, 1)
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
