import { type Channel, listChannelsOpenedBy } from '#features/foundation/channels/queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { listReadable } from '#features/messaging/narrow/window.queries.ts'
import type { Tx } from '#platform/store/store.ts'
import { flagAddEvent, flagRemoveEvent } from './events.ts'
import { listStarredAnywhere, listStarredIn } from './queries.ts'

interface TrackedStars {
  /**
   * Emits to each user which of their starred messages they can no longer read, or can read again.
   * The stars themselves stay, and return with the messages.
   *
   * @param now default: the transaction in which they were remembered
   */
  emitChanges(now?: Tx): void
}

/**
 * Remembers which starred messages users can read, before their access changes.
 *
 * @param channels where access changes; default: everywhere
 */
export function trackStars(
  tx: Tx,
  userIds: Iterable<number>,
  channels?: readonly Channel[],
): TrackedStars {
  const recipientIds = channels?.map(({ recipientId }) => recipientId)
  return trackStarsAmong(tx, userIds, (userId) =>
    recipientIds ? listStarredIn(tx, userId, recipientIds) : listStarredAnywhere(tx, userId),
  )
}

/** The same for what members of a group can read because of it, before its membership changes. */
export function trackStarsOpenedBy(
  tx: Tx,
  groupId: number,
  people: () => readonly number[],
): TrackedStars {
  const channels = listChannelsOpenedBy(tx, groupId)
  return trackStars(tx, channels.length === 0 ? [] : people(), channels)
}

/** @param starredOf the starred messages of a user that are concerned, ascending */
export function trackStarsAmong(
  tx: Tx,
  userIds: Iterable<number>,
  starredOf: (userId: number) => readonly number[],
): TrackedStars {
  const before = new Map<number, Stars>()
  for (const userId of userIds) {
    if (!tx.liveUsers.has(userId) || before.has(userId)) continue
    const starred = starredOf(userId)
    if (starred.length > 0) before.set(userId, { starred, readable: readable(tx, userId, starred) })
  }
  return {
    emitChanges(now = tx) {
      for (const [userId, { starred, readable: had }] of before) {
        const has = readable(now, userId, starred)
        const [lost, returned] = [without(had, has), without(has, had)]
        if (lost.length > 0) now.emit(flagRemoveEvent('starred', lost), [userId])
        if (returned.length > 0) now.emit(flagAddEvent('starred', returned), [userId])
      }
    },
  }
}

interface Stars {
  readonly starred: readonly number[]
  readonly readable: readonly number[]
}

function readable(tx: Tx, userId: number, ids: readonly number[]): number[] {
  const user = findUser(tx, userId)
  return user
    ? listReadable(
        tx,
        user,
        ids.map((id) => ({ id })),
      )
    : []
}

function without(ids: readonly number[], others: readonly number[]): number[] {
  const left = new Set(others)
  return ids.filter((id) => !left.has(id))
}
