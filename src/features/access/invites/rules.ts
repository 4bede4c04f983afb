import { canAddOthers } from '#features/channels/subscriptions/rules.ts'
import { accessChannel } from '#features/foundation/channels/access.ts'
import type { Channel } from '#features/foundation/channels/queries.ts'
import { findGroup } from '#features/foundation/groups/queries.ts'
import { can } from '#features/foundation/permissions/rules.ts'
import type { RealmPermission } from '#features/foundation/permissions/table.ts'
import { type Role, roles, type User } from '#features/foundation/users/queries.ts'
import { canAddMembers } from '#features/people/group-administration/managing.actions.ts'
import { badRequest, checking } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

/** The role, channels and groups that an invitation gives. */
export interface InvitationAccess {
  readonly role: Role
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
}

/**
 * Checks that a user may invite people and give them this role, these channels and these groups.
 *
 * @throws BAD_REQUEST no permission to invite; a role higher than the user's; a channel that the
 * user cannot see or cannot add subscribers to; a group that the user cannot add members to
 * @source Zulip API, "Send invitations" (feature level 342)
 */
export function requireInvitable(
  read: Read,
  user: User,
  permission: RealmPermission & ('can_invite_users_group' | 'create_multiuse_invite_group'),
  given: InvitationAccess,
): void {
  if (user.botType !== null)
    throw badRequest(sentSentence('This endpoint does not accept bot requests.'))
  if (!can(read, user, permission) || !canGiveRole(user, given.role)) {
    throw badRequest(sentSentence('Insufficient permission'))
  }
  for (const id of given.channelIds) requireChannel(read, user, id)
  for (const id of given.groupIds) requireGroup(read, user, id)
}

/** Whether a role is no higher than the user's own. */
export function canGiveRole(user: User, role: Role): boolean {
  return user.role !== roles.guest && user.role <= role
}

function requireChannel(read: Read, user: User, id: number): void {
  const channel = checking('stream_ids', () => accessChannel(read, { user }, id))
  if (channel.isArchived)
    throw badRequest(sentSentence('Invalid channel ID'), { parameter: 'stream_ids' })
  if (canGiveChannel(read, user, channel)) return
  throw badRequest(
    sentSentence('You do not have permission to subscribe other users to channels.'),
    { parameter: 'stream_ids' },
  )
}

function requireGroup(read: Read, user: User, id: number): void {
  const group = findGroup(read, id)
  if (!group || group.isSystem || group.deactivated)
    throw badRequest(sentSentence('Invalid user group'), { parameter: 'group_ids' })
  if (!canAddMembers(read, user, group)) throw badRequest(sentSentence('Insufficient permission'))
}

/** Whether a user's invitations may subscribe people to a channel. */
export function canGiveChannel(read: Read, user: User, channel: Channel): boolean {
  return channel.isDefault || canAddOthers(read, user, channel)
}
