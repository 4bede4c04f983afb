import {
  isInGroup,
  realmGroupSetting,
} from '#features/foundation/permissions/membership.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { type EmailVisibility, emailVisibility, placeholderOwner } from './addresses.queries.ts'
import {
  findUser,
  findUserByAddress,
  listShownUsers,
  roles,
  type ShownUser,
  type User,
  type Viewer,
} from './queries.ts'
import { sharesRecipient } from './sharers.queries.ts'

/**
 * Finds a user by ID, deactivated or not, if the viewer may see them.
 *
 * @throws BAD_REQUEST "No such user"
 */
export function accessUser(read: Read, viewer: Viewer, id: number): User {
  const user = findUser(read, id)
  if (!user || !canAccessUser(read, viewer, user)) throw noSuchUser('user_id')
  return user
}

/**
 * Finds a user by email address, if the viewer may see them. Always accepts the API address and the
 * placeholder address, and the real address if the viewer may see it.
 *
 * @throws BAD_REQUEST "No such user"
 * @source Zulip API, "Get a user by email" (feature level 302)
 */
export function accessUserByAddress(read: Read, viewer: Viewer, address: string): User {
  const user = findAccessibleUserByAddress(read, viewer, address)
  if (!user) throw noSuchUser('email')
  return user
}

/**
 * As `accessUserByAddress`, for callers with an error of their own; undefined for a user whom the
 * viewer may not see, and for a real address that the viewer may not see.
 */
export function findAccessibleUserByAddress(
  read: Read,
  viewer: Viewer,
  address: string,
): User | undefined {
  const key = address.trim().toLowerCase()
  const user = findUser(read, placeholderOwner(read, key) ?? 0) ?? findUserByAddress(read, key)
  if (!user || !canAccessUser(read, viewer, user)) return undefined
  return key === user.emailKey && !canSeeEmail(read, viewer, user) ? undefined : user
}

function noSuchUser(parameter: string) {
  return badRequest(sentSentence('No such user'), { parameter })
}

/** Whether this viewer may see all users; false only for limited guests. */
export function canAccessAllUsers(read: Read, viewer: Viewer): boolean {
  if (viewer === 'spectator' || viewer.role !== roles.guest) return true
  return isInGroup(read, viewer, realmGroupSetting(read, 'can_access_all_users_group'))
}

/**
 * Whether the viewer may see this user. Limited guests see themselves, bots, and users with whom
 * they share a channel or a direct message conversation; spectators see all users.
 */
export function canAccessUser(
  read: Read,
  viewer: Viewer,
  user: Pick<User, 'id' | 'botType'>,
): boolean {
  if (viewer === 'spectator' || viewer.id === user.id || user.botType !== null) return true
  if (canAccessAllUsers(read, viewer)) return true
  return sharesRecipient(read, viewer.id, user.id)
}

/** All users whom the viewer may see, by ID. */
export function listAccessibleUsers(read: Read, viewer: Viewer): readonly ShownUser[] {
  const users = listShownUsers(read)
  if (canAccessAllUsers(read, viewer)) return users
  return users.filter((user) => canAccessUser(read, viewer, user))
}

/**
 * Whether the viewer may see a user's real address, according to that user's own setting. Spectators
 * see those of bots only.
 */
export function canSeeEmail(
  read: Read,
  viewer: Pick<User, 'id' | 'role'> | 'spectator',
  user: Pick<User, 'id' | 'botType' | 'apiEmail' | 'email'>,
): boolean {
  if (viewer === 'spectator') return user.botType !== null
  if (viewer.id === user.id || user.apiEmail === user.email) return true
  return showsEmail(viewer, emailVisibility(read, user.id))
}

/** Whether a setting of this value shows a user's address to the viewer. */
export function showsEmail(viewer: Pick<User, 'role'>, visibility: EmailVisibility): boolean {
  switch (visibility) {
    case 'everyone':
      return true
    case 'members':
      return viewer.role <= roles.member
    case 'moderators':
      return viewer.role <= roles.moderator
    case 'admins':
      return viewer.role <= roles.admin
    case 'nobody':
      return false
  }
}
