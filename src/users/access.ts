import { badRequest } from '#errors.ts'
import { isInGroup } from '#permissions/groups.ts'
import { realmGroupSetting } from '#realm/settings.ts'
import { preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import { type EmailVisibility, emailVisibility, placeholderOwner } from './addresses.ts'
import { findUser, findUserByAddress, listUsers, roles, type User } from './queries.ts'

/**
 * The user with this id, deactivated or not, if the viewer may know of them.
 *
 * @throws BAD_REQUEST "No such user"
 */
export function accessUser(read: Read, viewer: User, id: number): User {
  const user = findUser(read, id)
  if (!user || !canAccessUser(read, viewer, user)) throw noSuchUser()
  return user
}

/**
 * The same by address: the API address, the placeholder even of those who show the real one, and
 * the real address if the viewer may see it.
 *
 * @throws BAD_REQUEST "No such user"
 */
export function accessUserByAddress(read: Read, viewer: User, address: string): User {
  const key = address.trim().toLowerCase()
  const user = findUser(read, placeholderOwner(read, key) ?? 0) ?? findUserByAddress(read, key)
  if (!user || !canAccessUser(read, viewer, user)) throw noSuchUser()
  if (key === user.emailKey && !canSeeEmail(read, viewer, user)) throw noSuchUser()
  return user
}

function noSuchUser() {
  return badRequest('No such user')
}

/** Whom two people have in common that lets a limited guest know of the other. */
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

/** Up to so many are looked up one by one. */
const fewUsers = 50

/** Who of these the viewer shares a channel or a conversation with. */
export function listSharers(read: Read, viewerId: number, userIds: readonly number[]): number[] {
  if (userIds.length <= fewUsers) {
    return userIds.filter((userId) => sharedPlace(read).get({ viewerId, userId })?.found === 1)
  }
  const found = new Set(
    sharers(read)
      .all({ viewerId })
      .map(({ userId }) => userId),
  )
  return userIds.filter((userId) => found.has(userId))
}

/** Whether the organization lets this user know of everybody in it. */
export function canAccessAllUsers(read: Read, viewer: User): boolean {
  if (viewer.role !== roles.guest) return true
  return isInGroup(read, viewer, realmGroupSetting(read, 'can_access_all_users_group'))
}

/**
 * Whether the viewer may know who this user is. Limited guests know themselves, bots, and those
 * they share a channel or a conversation with.
 */
export function canAccessUser(read: Read, viewer: User, user: User): boolean {
  if (viewer.id === user.id || user.botType !== null) return true
  if (canAccessAllUsers(read, viewer)) return true
  return sharedPlace(read).get({ viewerId: viewer.id, userId: user.id })?.found === 1
}

/** Everybody whom the viewer may know of, by id; everybody for a spectator. */
export function listAccessibleUsers(read: Read, viewer: User | undefined): User[] {
  const users = listUsers(read)
  if (!viewer || canAccessAllUsers(read, viewer)) return users
  return users.filter((user) => canAccessUser(read, viewer, user))
}

/** Whether the viewer may see a user's real address: as that user's own setting says. */
export function canSeeEmail(read: Read, viewer: User, user: User): boolean {
  if (viewer.id === user.id || user.apiEmail === user.email) return true
  return showsEmail(viewer, emailVisibility(read, user.id))
}

/** Whether somebody who lets these people see their address lets the viewer see it. */
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
