import { accessChannel } from '#channels/access.ts'
import type { Channel } from '#channels/queries.ts'
import { badRequest } from '#errors.ts'
import { canAddMembers } from '#groups/managing.ts'
import { findGroup } from '#groups/queries.ts'
import { can } from '#permissions/can.ts'
import type { RealmPermission } from '#permissions/table.ts'
import type { Read } from '#store/write.ts'
import { canAddOthers } from '#subscriptions/rules.ts'
import { roles, type User } from '#users/queries.ts'

/** The role, channels and groups that an invitation gives. */
export interface Given {
  readonly role: number
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
}

/**
 * May this user invite, and give away all of this?
 *
 * @throws BAD_REQUEST no permission to invite; a role with more rights than the own; a channel that
 * the user may not know of, or subscribe others to; a group that the user may not add people to
 * @source contract, "Create a reusable invitation link"; api-changes §3c (feature level 342)
 */
export function requireInvitable(
  read: Read,
  user: User,
  permission: RealmPermission & ('can_invite_users_group' | 'create_multiuse_invite_group'),
  given: Given,
): void {
  if (user.botType !== null) throw badRequest('This endpoint does not accept bot requests.')
  if (!can(read, user, permission) || !mayGiveRole(user, given.role)) {
    throw badRequest('Insufficient permission')
  }
  for (const id of given.channelIds) requireChannel(read, user, id)
  for (const id of given.groupIds) requireGroup(read, user, id)
}

/** Whether a role has no more rights than the user's own. */
export function mayGiveRole(user: User, role: number): boolean {
  return user.role !== roles.guest && user.role <= role
}

function requireChannel(read: Read, user: User, id: number): void {
  const channel = accessChannel(read, { user }, id)
  if (channel.isArchived) throw badRequest('Invalid channel ID')
  if (mayGiveChannel(read, user, channel)) return
  throw badRequest('You do not have permission to subscribe other users to channels.')
}

function requireGroup(read: Read, user: User, id: number): void {
  const group = findGroup(read, id)
  if (!group || group.isSystem || group.deactivated) throw badRequest('Invalid user group')
  if (!canAddMembers(read, user, group)) throw badRequest('Insufficient permission')
}

/** Whether a user may have newcomers subscribed to a channel. */
export function mayGiveChannel(read: Read, user: User, channel: Channel): boolean {
  return channel.isDefault || canAddOthers(read, user, channel)
}
