import { can, requireAdministrator, requireOwner } from '#features/foundation/permissions/rules.ts'
import type { ChannelPermission } from '#features/foundation/permissions/table.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { canAccessContent, isChannelAdmin } from './access.ts'
import type { ChannelChanges } from './changes.ts'
import type { Channel } from './queries.ts'

/**
 * Requires an administrator of the channel or of the organization. The caller checks that the user
 * can see the channel.
 *
 * @throws BAD_REQUEST
 * @source Zulip API, "Update a channel" (feature level 349)
 */
export function requireChannelAdmin(read: Read, user: User, channel: Channel): void {
  if (user.role <= roles.admin || isChannelAdmin(read, user, channel)) return
  throw badRequest(sentSentence('Insufficient permission'))
}

/** Settings that grant access to a channel's content: only users with access may change them. */
const openingGroups: readonly ChannelPermission[] = [
  'can_add_subscribers_group',
  'can_subscribe_group',
]
const deletionGroups: readonly ChannelPermission[] = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
]

/**
 * Requires that a user who administers a channel may also make these changes.
 *
 * @throws BAD_REQUEST a change that needs content access or another permission
 * @throws UNAUTHORIZED_PRINCIPAL a change that only organization administrators may make
 * @source Zulip API, "Update a channel"
 */
export function requireChanges(
  read: Read,
  user: User,
  channel: Channel,
  changes: Partial<ChannelChanges>,
): void {
  const { isPrivate, isWebPublic, historyPublic, isDefault, retentionDays, groups = {} } = changes
  const touches = (settings: readonly ChannelPermission[]) =>
    settings.some((setting) => groups[setting] !== undefined)
  const isGiven = (...values: unknown[]) => values.some((value) => value !== undefined)
  if (isGiven(isDefault, changes.defaultPushNotifications)) requireAdministrator(user)
  if (retentionDays !== undefined && retentionDays !== channel.retentionDays) requireOwner(user)
  const opens = isGiven(isPrivate, isWebPublic, historyPublic) || touches(openingGroups)
  if (opens && !canAccessContent(read, user, channel)) {
    throw badRequest(
      sentSentence("You need access to a channel's messages to change who else has it."),
    )
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
    throw badRequest(sentSentence('Insufficient permission'))
  }
}
