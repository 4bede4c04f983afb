import { fromIds, type Ranges } from '#platform/ranges.ts'
import { derived } from '#platform/store/derived.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { messagePaths, movedMessages, type Openness } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'

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

/** A path with the IDs of its messages. */
export interface UsedPath extends Path {
  readonly ids: Ranges
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

type UsedRow = PathRow & { readonly ids: string }

const used = (condition: string) =>
  preparedSql<UsedRow>(`
    SELECT ${columns},
      (SELECT json_group_array(m.message_id) FROM moved_messages m WHERE m.path_id = p.id) AS ids
    FROM message_paths p WHERE ${condition} ORDER BY p.id`)

const usedIn = used('p.channel_id = @channelId')
const usedAnywhere = used('true')

function toUsed({ ids, ...row }: UsedRow): UsedPath {
  // In the order of the index, which ends with the message's ID.
  return { ...toPath(row), ids: fromIds(JSON.parse(ids)) }
}

/** The tables from which paths are read. */
export const pathTables = [messagePaths, movedMessages]

/** How many channels' paths are kept in memory. */
const mostChannels = 500

const pathsIn = derived(
  pathTables,
  (read, channelId) =>
    usedIn(read)
      .all({ channelId: Number(channelId) })
      .map(toUsed),
  mostChannels,
)

/** The paths of the messages that were moved to a channel and are still there. */
export function listPathsIn(read: Read, channelId: number): readonly UsedPath[] {
  return pathsIn(read, String(channelId))
}

const allPaths = derived(
  pathTables,
  (read, _key: 'all') => usedAnywhere(read).all({}).map(toUsed),
  1,
)

/** The same for all channels. */
export function listPaths(read: Read): readonly UsedPath[] {
  return allPaths(read, 'all')
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
