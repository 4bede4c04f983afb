import { and, asc, eq, sql } from 'drizzle-orm'
import { cached } from '#platform/store/cached.ts'
import { columnsOf, derived } from '#platform/store/derived.ts'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared, preparedRows, preparedSql } from '#platform/store/prepared.ts'
import { channels, subscriptions, users } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { keysOf } from '#shared/names.ts'

export type Channel = typeof channels.$inferSelect

const rowOf = prepared((db) =>
  db
    .select()
    .from(channels)
    .where(eq(channels.id, sql.placeholder('id')))
    .prepare(),
)

const byId = cached((read, id: number) => rowOf(read).get({ id }))

/** The channel with this id, archived or not. */
export function findChannel(read: Read, id: number): Channel | undefined {
  return byId.get(read, id)
}

const idByKey = preparedSql<{ id: number }>('SELECT id FROM channels WHERE name_key = @key')

/** The channel whose name has the same key as this one, archived or not. */
export function findChannelByName(read: Read, name: string): Channel | undefined {
  for (const key of keysOf(name)) {
    const row = idByKey(read).get({ key })
    if (row) return findChannel(read, row.id)
  }
  return undefined
}

/** Whether a channel, by its `nameKey`, is the one that `findChannelByName` finds. */
export function hasName(channel: Pick<Channel, 'nameKey'>, name: string): boolean {
  return keysOf(name).includes(channel.nameKey)
}

const openedBy = preparedSql<{ id: number }>(`
  WITH RECURSIVE above (id) AS (
    SELECT @groupId
    UNION
    SELECT s.group_id FROM group_subgroups s JOIN above ON s.subgroup_id = above.id
  )
  SELECT id FROM channels
  WHERE is_private AND (
    can_add_subscribers_group IN above
    OR can_administer_channel_group IN above
    OR can_subscribe_group IN above
  )
  ORDER BY id
`)

/** The private channels that members of a group can see because of it, directly or nested. */
export function listChannelsOpenedBy(read: Read, groupId: number): Channel[] {
  return openedBy(read)
    .all({ groupId })
    .flatMap(({ id }) => findChannel(read, id) ?? [])
}

const idByRecipient = preparedSql<{ id: number }>(
  'SELECT id FROM channels WHERE recipient_id = @recipientId',
)

const byRecipient = cached(
  (read, recipientId: number) => idByRecipient(read).get({ recipientId })?.id,
)

/** The channel of a recipient; undefined if it is a direct message conversation. */
export function findChannelByRecipient(read: Read, recipientId: number): Channel | undefined {
  const id = byRecipient.get(read, recipientId)
  return id === undefined ? undefined : findChannel(read, id)
}

const allIds = preparedSql<{ id: number }>('SELECT id FROM channels ORDER BY id')

/** All channels, including archived ones, by id. */
export function listChannels(read: Read): readonly Channel[] {
  return allChannels(read, 'by id')
}

/** The same by name. */
export function listChannelsByName(read: Read): readonly Channel[] {
  return allChannels(read, 'by name')
}

const rowsOf = preparedRows(channels)

const allChannels = derived(
  [channels],
  (read, order: 'by id' | 'by name') => {
    const ids = allIds(read)
      .all({})
      .map(({ id }) => id)
    const all = byId.list(read, ids, (_, missing) =>
      rowsOf(read, missing).map((row) => [row.id, row]),
    )
    return order === 'by id' ? all : all.sort((a, b) => (a.name < b.name ? -1 : 1))
  },
  2,
)

const defaults = prepared((db) =>
  db
    .select()
    .from(channels)
    .where(and(eq(channels.isDefault, true), eq(channels.isArchived, false)))
    .orderBy(asc(channels.id))
    .prepare(),
)

/** The channels that new users are subscribed to, by id. */
export function listDefaultChannels(read: Read): Channel[] {
  return defaults(read).all()
}

const subscribedNow = preparedSql<{ found: number }>(`
  SELECT 1 AS found FROM subscriptions
  WHERE user_id = @userId AND channel_id = @channelId AND is_active`)

/** Whether a user is subscribed to a channel now. */
export function isSubscribed(read: Read, userId: number, channelId: number): boolean {
  return subscribedNow(read).get({ userId, channelId }) !== undefined
}

const subscribers = prepared((db) =>
  db.$client
    .prepare<[number], number>(
      `SELECT user_id FROM subscriptions WHERE channel_id = ? AND is_active = 1
       AND user_id NOT IN (SELECT id FROM users WHERE NOT is_active) ORDER BY user_id`,
    )
    .pluck(),
)

/** The tables that say who is subscribed. */
export const subscriberTables = [subscriptions, columnsOf(users, 'is_active')]

/** Ids of the active users who are subscribed to a channel, ascending. */
export function subscriberIds(read: Read, channelId: number): readonly number[] {
  return subscribersOf(read, String(channelId))
}

const mostLists = 2000
const subscribersOf = derived(
  subscriberTables,
  (read, channelId) => subscribers(read).all(Number(channelId)),
  mostLists,
)

// Counts by index alone; deactivated users are few, and the join begins with them.
const subscriberCount = preparedSql<{ count: number }>(`
  SELECT (SELECT count(*) FROM subscriptions WHERE channel_id = @channelId AND is_active = 1)
    - (SELECT count(*) FROM users u CROSS JOIN subscriptions s ON s.user_id = u.id
      WHERE NOT u.is_active AND s.channel_id = @channelId AND s.is_active) AS count`)

/** The number of active users who are subscribed to a channel. */
export function countSubscribers(read: Read, channelId: number): number {
  return countOf(read, String(channelId))
}

const mostCounts = 10_000
const countOf = derived(
  subscriberTables,
  (read, channelId) => subscriberCount(read).get({ channelId: Number(channelId) })?.count ?? 0,
  mostCounts,
)

const insertOne = preparedInsert(channels)

export function insertChannel(tx: Tx, channel: typeof channels.$inferInsert): Channel {
  const added = insertOne(tx, channel)
  byId.forget(tx, added.id)
  byRecipient.forget(tx, added.recipientId)
  return added
}

export function updateChannel(
  tx: Tx,
  id: number,
  changes: Partial<typeof channels.$inferInsert>,
): Channel {
  byId.forget(tx, id)
  return tx.db.update(channels).set(changes).where(eq(channels.id, id)).returning().get()
}

const withFirstMessage = preparedSql(`
  UPDATE channels SET first_message_id = @messageId WHERE id = @id
`)

/** @param messageId null: the channel is empty */
export function updateFirstMessageId(tx: Tx, id: number, messageId: number | null): void {
  byId.forget(tx, id)
  withFirstMessage(tx).run({ id, messageId })
}
