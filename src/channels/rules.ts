import { badRequest } from '#errors.ts'
import { can, requireAdministrator } from '#permissions/can.ts'
import type { ChannelPermission } from '#permissions/table.ts'
import type { Read } from '#store/write.ts'
import { roles, type User } from '#users/queries.ts'
import { canAccessContent, isChannelAdmin } from './access.ts'
import type { ChannelChanges } from './editing.ts'
import type { Channel } from './queries.ts'

/**
 * May this user change the settings of a channel that the user may know of? Its own administrators
 * may, and those of the organization.
 *
 * @throws BAD_REQUEST
 * @source contract, "Update a channel"; api-changes §3b (feature level 349)
 */
export function requireChannelAdmin(read: Read, user: User, channel: Channel): void {
  if (user.role <= roles.admin || isChannelAdmin(read, user, channel)) return
  throw badRequest('Insufficient permission')
}

/** Settings that let people read a channel: whoever changes them has to be able to read it. */
const openingGroups: readonly ChannelPermission[] = [
  'can_add_subscribers_group',
  'can_subscribe_group',
]
const deletionGroups: readonly ChannelPermission[] = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
]

/**
 * May a user who administers a channel change these settings of it?
 *
 * @throws BAD_REQUEST; UNAUTHORIZED_PRINCIPAL what only administrators of the organization change
 * @source contract, "Update a channel"; api-changes §3b
 */
export function requireChanges(
  read: Read,
  user: User,
  channel: Channel,
  changes: ChannelChanges,
): void {
  const { isPrivate, isWebPublic, historyPublic, isDefault, retentionDays, groups = {} } = changes
  const touches = (settings: readonly ChannelPermission[]) =>
    settings.some((setting) => groups[setting] !== undefined)
  const isGiven = (...values: unknown[]) => values.some((value) => value !== undefined)
  if (isGiven(isDefault, retentionDays, changes.defaultPushNotifications)) {
    requireAdministrator(user)
  }
  const opens = isGiven(isPrivate, isWebPublic, historyPublic) || touches(openingGroups)
  if (opens && !canAccessContent(read, user, channel)) {
    throw badRequest('Only those who can read a channel can change who else can.')
  }
  const isAdmin = user.role <= roles.admin
  if (
    (isWebPublic === true &&
      !channel.isWebPublic &&
      !can(read, user, 'can_create_web_public_channel_group')) ||
    (isGiven(changes.topicsPolicy) &&
      !isAdmin &&
      !can(read, user, 'can_set_topics_policy_group')) ||
    (touches(deletionGroups) && !isAdmin && !can(read, user, 'can_set_delete_message_policy_group'))
  ) {
    throw badRequest('Insufficient permission')
  }
}
