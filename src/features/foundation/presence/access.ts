import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import {
  accessUser,
  accessUserByAddress,
  canAccessAllUsers,
  canAccessUser,
} from '#features/foundation/users/access.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { badRequest, checking } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { findPresence, listPresences, type Presence } from './queries.ts'

const daySeconds = 24 * 3600

/**
 * The default age limit of presence data, in days.
 *
 * @source Zulip API, "Update your presence" (feature level 288)
 */
export const defaultHistoryDays = 14

/** Whether others see when users were there. A user who hides their presence stays offline to them. */
export function showsPresences(read: Read): boolean {
  return !realmSetting(read, 'presence_disabled')
}

/** Whether reports about this user count: both the user and the organization can disable presence. */
export function reportsPresence(read: Read, userId: number): boolean {
  return showsPresences(read) && userSetting(read, userId, 'presence_enabled')
}

/**
 * The presences that the viewer may see.
 *
 * @param days the age limit
 * @param updateId only later updates; -1 for all
 */
export function listVisiblePresences(
  read: Read,
  viewer: User,
  days: number,
  updateId = -1,
): Presence[] {
  if (!showsPresences(read)) return []
  const after = Math.floor(read.clock.now() / 1000) - days * daySeconds
  const all = canAccessAllUsers(read, viewer)
  return listPresences(read, after, updateId).filter(({ userId }) => {
    if (all) return true
    const user = findUser(read, userId)
    return user !== undefined && canAccessUser(read, viewer, user)
  })
}

/**
 * One user's presence, if the viewer may see it.
 *
 * @param who a user ID or an email address
 * @throws BAD_REQUEST an unknown user, a bot, or a user without presence
 */
export function accessPresence(read: Read, viewer: User, who: string): Presence {
  const user = checking('user_id_or_email', () =>
    /^\d{1,15}$/.test(who)
      ? accessUser(read, viewer, Number(who))
      : accessUserByAddress(read, viewer, who),
  )
  if (user.botType !== null)
    throw badRequest(sentSentence('Presence is not supported for bot users.'), {
      parameter: 'user_id_or_email',
    })
  const presence = user.isActive ? findPresence(read, user.id) : undefined
  if (!presence || !showsPresences(read))
    throw badRequest(sentSentence('No presence data for {who}', { who }), {
      parameter: 'user_id_or_email',
    })
  return presence
}
