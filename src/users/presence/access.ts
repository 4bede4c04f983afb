import { badRequest } from '#errors.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read } from '#store/write.ts'
import { accessUser, accessUserByAddress, canAccessAllUsers, canAccessUser } from '#users/access.ts'
import { findUser, type User } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'
import { findPresence, listPresences, type Presence } from './queries.ts'

const daySeconds = 24 * 3600

/** How far back presence goes unless a client wants otherwise, in days (level 288). */
export const usualHistoryDays = 14

/** Whether others may see when this user is there: by the user's choice and the organization's. */
export function showsPresence(read: Read, userId: number): boolean {
  return !realmSetting(read, 'presence_disabled') && userSetting(read, userId, 'presence_enabled')
}

/**
 * The presences that the viewer may see.
 *
 * @param days how far back
 * @param updateId only what changed after this update; -1 for everything
 */
export function listVisiblePresences(
  read: Read,
  viewer: User,
  days: number,
  updateId = -1,
): Presence[] {
  const after = Math.floor(read.clock.now() / 1000) - days * daySeconds
  const all = canAccessAllUsers(read, viewer)
  return listPresences(read, after, updateId).filter(({ userId }) => {
    if (!showsPresence(read, userId)) return false
    if (all) return true
    const user = findUser(read, userId)
    return user !== undefined && canAccessUser(read, viewer, user)
  })
}

/**
 * One user's presence.
 *
 * @param who an id, or an address
 * @throws BAD_REQUEST an unknown user, a bot, or somebody who was never seen
 */
export function accessPresence(read: Read, viewer: User, who: string): Presence {
  const user = /^\d{1,15}$/.test(who)
    ? accessUser(read, viewer, Number(who))
    : accessUserByAddress(read, viewer, who)
  if (user.botType !== null) throw badRequest('Presence is not supported for bot users.')
  const presence = user.isActive ? findPresence(read, user.id) : undefined
  if (!presence || !showsPresence(read, user.id)) {
    throw badRequest(`No presence data for ${who}`)
  }
  return presence
}
