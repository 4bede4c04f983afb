import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

const sharedPlace = preparedSql<{ found: number }>(`
  SELECT EXISTS (
    SELECT 1 FROM subscriptions mine
    JOIN subscriptions theirs ON theirs.channel_id = mine.channel_id
      AND theirs.user_id = @userId AND theirs.is_active
    JOIN channels c ON c.id = mine.channel_id AND NOT c.is_archived
    WHERE mine.user_id = @viewerId AND mine.is_active
  ) OR EXISTS (
    SELECT 1 FROM direct_members mine
    JOIN direct_members theirs ON theirs.recipient_id = mine.recipient_id
      AND theirs.user_id = @userId
    WHERE mine.user_id = @viewerId
  ) AS found
`)

const sharers = preparedSql<{ userId: number }>(`
  SELECT theirs.user_id AS userId FROM subscriptions mine
  JOIN channels c ON c.id = mine.channel_id AND NOT c.is_archived
  JOIN subscriptions theirs ON theirs.channel_id = mine.channel_id AND theirs.is_active
  WHERE mine.user_id = @viewerId AND mine.is_active
  UNION
  SELECT theirs.user_id FROM direct_members mine
  JOIN direct_members theirs ON theirs.recipient_id = mine.recipient_id
  WHERE mine.user_id = @viewerId
`)

/** Up to this many users, one query per user is cheaper. */
const fewUsers = 50

/**
 * Whether two users share a channel or a direct message conversation, which lets a limited guest
 * see the other user.
 */
export function sharesRecipient(read: Read, viewerId: number, userId: number): boolean {
  return sharedPlace(read).get({ viewerId, userId })?.found === 1
}

/** The users among these with whom the viewer shares a channel or a direct message conversation. */
export function listSharers(read: Read, viewerId: number, userIds: readonly number[]): number[] {
  if (userIds.length <= fewUsers) {
    return userIds.filter((userId) => sharesRecipient(read, viewerId, userId))
  }
  const found = new Set(
    sharers(read)
      .all({ viewerId })
      .map(({ userId }) => userId),
  )
  return userIds.filter((userId) => found.has(userId))
}
