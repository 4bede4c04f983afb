import { isInGroup } from '#permissions/groups.ts'
import { realmGroupSetting } from '#realm/settings.ts'
import { preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import { emailVisibility } from './addresses.ts'
import { roles, type User } from './queries.ts'

/** What two people have in common that lets a limited guest know of the other. */
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

/** Whether the viewer may see a user's real address: as that user's own setting says. */
export function canSeeEmail(read: Read, viewer: User, user: User): boolean {
  if (viewer.id === user.id || user.botType !== null) return true
  switch (emailVisibility(read, user.id)) {
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
