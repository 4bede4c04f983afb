import { asc, eq, sql } from 'drizzle-orm'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { canInChannel } from '#permissions/can.ts'
import { prepared, preparedSql } from '#store/prepared.ts'
import { channels } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import { roles, type User } from '#users/queries.ts'
import { channelKey } from './names.ts'

export type Channel = typeof channels.$inferSelect

const byId = prepared((db) =>
  db
    .select()
    .from(channels)
    .where(eq(channels.id, sql.placeholder('id')))
    .prepare(),
)

/** The channel with this id, archived or not. */
export function findChannel(read: Read, id: number): Channel | undefined {
  return byId(read).get({ id })
}

const byKey = prepared((db) =>
  db
    .select()
    .from(channels)
    .where(eq(channels.nameKey, sql.placeholder('key')))
    .prepare(),
)

/** The channel of this name, in any case of letters, archived or not. */
export function findChannelByName(read: Read, name: string): Channel | undefined {
  return byKey(read).get({ key: channelKey(name) })
}

const byRecipient = prepared((db) =>
  db
    .select()
    .from(channels)
    .where(eq(channels.recipientId, sql.placeholder('recipientId')))
    .prepare(),
)

/** The channel that a recipient stands for; undefined for a direct conversation. */
export function findChannelByRecipient(read: Read, recipientId: number): Channel | undefined {
  return byRecipient(read).get({ recipientId })
}

/** Every channel, archived ones among them, by id. */
export function listChannels(read: Read): Channel[] {
  return read.db.select().from(channels).orderBy(asc(channels.id)).all()
}

/**
 * The channel with this id, if the caller may know that it exists.
 *
 * @throws BAD_REQUEST "Invalid channel ID": no such channel, or not for this caller
 */
export function accessChannel(read: Read, caller: Pick<Caller, 'user'>, id: number): Channel {
  const channel = findChannel(read, id)
  if (!channel || !canAccessMetadata(read, caller.user, channel)) {
    throw badRequest('Invalid channel ID')
  }
  return channel
}

/**
 * The channel of this name, if the caller may know that it exists.
 *
 * @throws BAD_REQUEST "Invalid channel name '...'": no such channel, or not for this caller
 */
export function accessChannelByName(
  read: Read,
  caller: Pick<Caller, 'user'>,
  name: string,
): Channel {
  const channel = findChannelByName(read, name)
  if (!channel || !canAccessMetadata(read, caller.user, channel)) {
    throw badRequest(`Invalid channel name '${name}'`)
  }
  return channel
}

/**
 * Whether a user may know that a channel exists, its settings and its subscribers.
 *
 * @source api-changes §3b "Access": administrators, the channel's own, and whom its groups let in
 */
export function canAccessMetadata(read: Read, user: User, channel: Channel): boolean {
  if (canAccessContent(read, user, channel)) return true
  if (user.role === roles.guest) return false
  return user.role <= roles.admin || isChannelAdmin(read, user, channel)
}

/**
 * Whether a user may read what is written in a channel, subscribed or not; how far back, says
 * `visibleHistory`.
 *
 * @source api-changes §3b "Access" (feature levels 349, 354, 357)
 */
export function canAccessContent(read: Read, user: User, channel: Channel): boolean {
  if (channel.isWebPublic) return true
  if (!channel.isPrivate && user.role !== roles.guest) return true
  if (isSubscribed(read, user.id, channel.id)) return true
  return (
    canInChannel(read, user, 'can_subscribe_group', channel) ||
    canInChannel(read, user, 'can_add_subscribers_group', channel)
  )
}

/** Whether the channel's own setting makes a user one of its administrators. */
export function isChannelAdmin(read: Read, user: User, channel: Channel): boolean {
  return canInChannel(read, user, 'can_administer_channel_group', channel)
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
      `SELECT s.user_id FROM subscriptions s JOIN users u ON u.id = s.user_id
       WHERE s.channel_id = ? AND s.is_active AND u.is_active ORDER BY s.user_id`,
    )
    .pluck(),
)

/** Ids of the active users who are subscribed to a channel, ascending. */
export function subscriberIds(read: Read, channelId: number): number[] {
  return subscribers(read).all(channelId)
}

export function insertChannel(tx: Tx, channel: typeof channels.$inferInsert): Channel {
  return tx.db.insert(channels).values(channel).returning().get()
}

export function updateChannel(
  tx: Tx,
  id: number,
  changes: Partial<typeof channels.$inferInsert>,
): Channel {
  return tx.db.update(channels).set(changes).where(eq(channels.id, id)).returning().get()
}
