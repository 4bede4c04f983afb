import { fromIds, type Ranges } from '#platform/ranges.ts'
import { derived } from '#platform/store/derived.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { messagePaths, movedMessages, type Openness } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** A move of messages to a channel. */
export interface Arrival {
  readonly channelId: number
  /** A message ID that no message has: whose subscription covers it was there. */
  readonly at: number
  /** To whom the channel was open then. */
  readonly openness: Openness
}

/** How messages came to the channel where they are. */
export interface Path {
  readonly id: number
  /** Where they were sent; null if that is forgotten. */
  readonly firstChannelId: number | null
  /** Where they are. */
  readonly channelId: number
  /** The earliest first; at least one. */
  readonly arrivals: readonly Arrival[]
}

/** The messages of a channel that were moved there. */
export interface MovedTo {
  readonly channelId: number
  /** Ascending. */
  readonly ids: readonly number[]
  /** The same as a set. */
  readonly all: Ranges
  /** For each of `ids`, the place of its path in `paths`. */
  readonly pathOf: readonly number[]
  readonly paths: readonly Path[]
}

interface PathRow extends Omit<Path, 'arrivals'> {
  readonly arrivals: string
}

function toPath({ arrivals, ...row }: PathRow): Path {
  const rows: [Arrival['channelId'], Arrival['at'], Arrival['openness']][] = JSON.parse(arrivals)
  return {
    ...row,
    arrivals: rows.map(([channelId, at, openness]) => ({ channelId, at, openness })),
  }
}

const columns = `p.id, p.first_channel_id AS firstChannelId, p.channel_id AS channelId, p.arrivals`

const pathsOf = preparedSql<PathRow & { messageId: number }>(`
  SELECT m.message_id AS messageId, ${columns}
  FROM moved_messages m JOIN message_paths p ON p.id = m.path_id
  WHERE m.message_id IN (SELECT value FROM json_each(@ids))`)

/** Only the ID, since most pages are newer than all messages that were ever moved. */
const newestMoved = derived(
  [movedMessages],
  (read, _key: 'newest') => newest(read).get({})?.id ?? 0,
  1,
)
const newest = preparedSql<{ id: number | null }>(
  'SELECT max(message_id) AS id FROM moved_messages',
)

/** The paths of those among these messages that were moved between channels, by message ID. */
export function listPathsOf(read: Read, messageIds: readonly number[]): Map<number, Path> {
  const limit = newestMoved(read, 'newest')
  const ids = messageIds.filter((id) => id <= limit)
  if (ids.length === 0) return new Map()
  const paths = new Map<number, Path>()
  const rows = pathsOf(read).all({ ids: JSON.stringify(ids) })
  return new Map(
    rows.map(({ messageId, ...row }) => {
      const path = paths.get(row.id) ?? toPath(row)
      paths.set(row.id, path)
      return [messageId, path]
    }),
  )
}

interface MovedRow {
  readonly channelId: number
  readonly ids: string
  readonly pathIds: string
}

/** One row for each channel: rows for each message take longer to hand over than to find. */
const movedTo = (condition: string) =>
  preparedSql<MovedRow>(`
    SELECT p.channel_id AS channelId, json_group_array(m.message_id ORDER BY m.message_id) AS ids,
      json_group_array(m.path_id ORDER BY m.message_id) AS pathIds
    FROM message_paths p JOIN moved_messages m ON m.path_id = p.id
    WHERE ${condition} GROUP BY p.channel_id`)

const movedToOne = movedTo('p.channel_id = @channelId')
const movedAnywhere = movedTo('true')

const somePaths = preparedSql<PathRow>(`
  SELECT ${columns} FROM message_paths p WHERE p.channel_id = @channelId`)

function toMoved(read: Read, { channelId, ids, pathIds }: MovedRow): MovedTo {
  const paths = somePaths(read).all({ channelId }).map(toPath)
  const places = new Map(paths.map(({ id }, place) => [id, place]))
  const moved: number[] = JSON.parse(ids)
  return {
    channelId,
    ids: moved,
    all: fromIds(moved),
    pathOf: (JSON.parse(pathIds) as number[]).map((id) => places.get(id) ?? 0),
    paths,
  }
}

/** The tables from which paths are read. */
export const pathTables = [messagePaths, movedMessages]

/** For how many channels it is kept in memory. */
const mostChannels = 500

const movedToChannel = derived(
  pathTables,
  (read, channelId): MovedTo | undefined => {
    const row = movedToOne(read).get({ channelId: Number(channelId) })
    return row && toMoved(read, row)
  },
  mostChannels,
)

/** The messages that were moved to a channel and are still there; undefined if there are none. */
export function findMovedTo(read: Read, channelId: number): MovedTo | undefined {
  return movedToChannel(read, String(channelId))
}

const allMoved = derived(
  pathTables,
  (read, _key: 'all') =>
    movedAnywhere(read)
      .all({})
      .map((row) => toMoved(read, row)),
  1,
)

/** The same for all channels that have any. */
export function listMoved(read: Read): readonly MovedTo[] {
  return allMoved(read, 'all')
}

const lastMoment = preparedSql<{ id: number }>(
  "SELECT seq AS id FROM sqlite_sequence WHERE name = 'messages'",
)

/** The ID of the next message or move: what happens now is after all smaller ones. */
export function nextMoment(read: Read): number {
  return (lastMoment(read).get({})?.id ?? 0) + 1
}

const takeMoment = preparedSql("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'messages'")

const groups = preparedSql<{ pathId: number | null; ids: string }>(`
  SELECT m.path_id AS pathId, json_group_array(i.value) AS ids
  FROM json_each(@ids) i LEFT JOIN moved_messages m ON m.message_id = i.value GROUP BY m.path_id`)

const onePath = preparedSql<PathRow>(`SELECT ${columns} FROM message_paths p WHERE p.id = @id`)

const insertPath = preparedSql(`
  INSERT INTO message_paths (first_channel_id, channel_id, arrivals)
  VALUES (@firstChannelId, @channelId, @arrivals)`)

const setPath = preparedSql(`
  INSERT INTO moved_messages (message_id, path_id) SELECT value, @pathId FROM json_each(@ids) WHERE true
  ON CONFLICT (message_id) DO UPDATE SET path_id = excluded.path_id`)

/** Longer paths lose their beginning: who had messages only from there loses them. */
const mostArrivals = 50

/**
 * Notes that messages arrived in a channel by a move, which takes an ID of its own: subscriptions
 * that begin or end before and after it differ, even if no message is sent in between.
 */
export function addArrival(
  tx: Tx,
  messageIds: readonly number[],
  fromChannelId: number,
  to: Pick<Arrival, 'channelId' | 'openness'>,
): void {
  const at = nextMoment(tx)
  takeMoment(tx).run({})
  const left = new Set<number>()
  for (const { pathId, ids } of groups(tx).all({ ids: JSON.stringify(messageIds) })) {
    const row = pathId === null ? undefined : onePath(tx).get({ id: pathId })
    const before = row && toPath(row)
    if (before) left.add(before.id)
    const arrivals = [...(before?.arrivals ?? []), { ...to, at }]
    const isWhole = arrivals.length <= mostArrivals
    const { lastInsertRowid } = insertPath(tx).run({
      firstChannelId: isWhole ? (before ? before.firstChannelId : fromChannelId) : null,
      channelId: to.channelId,
      arrivals: JSON.stringify(
        arrivals
          .slice(-mostArrivals)
          .map(({ channelId, at, openness }) => [channelId, at, openness]),
      ),
    })
    setPath(tx).run({ pathId: Number(lastInsertRowid), ids })
  }
  deleteUnused(tx, left)
}

const deletePathsOf = preparedSql<{ pathId: number }>(`
  DELETE FROM moved_messages WHERE message_id IN (SELECT value FROM json_each(@ids))
  RETURNING path_id AS pathId`)

/** Deletes the paths of messages that are being deleted. */
export function deletePaths(tx: Tx, messageIds: readonly number[]): void {
  const deleted = deletePathsOf(tx).all({ ids: JSON.stringify(messageIds) })
  deleteUnused(tx, new Set(deleted.map(({ pathId }) => pathId)))
}

const unusedAmong = preparedSql(`
  DELETE FROM message_paths WHERE id IN (SELECT value FROM json_each(@ids))
    AND NOT EXISTS (SELECT 1 FROM moved_messages m WHERE m.path_id = message_paths.id)`)

function deleteUnused(tx: Tx, pathIds: ReadonlySet<number>): void {
  if (pathIds.size > 0) unusedAmong(tx).run({ ids: JSON.stringify([...pathIds]) })
}

const openingGroups = preparedSql<{ id: number }>(`
  SELECT can_subscribe_group AS id FROM channels WHERE id = @channelId
  UNION SELECT can_add_subscribers_group FROM channels WHERE id = @channelId`)

/** Ids of the groups whose members can read a channel without a subscription. */
export function listOpeningGroups(read: Read, channelId: number): number[] {
  return openingGroups(read)
    .all({ channelId })
    .map(({ id }) => id)
}
