import {
  canAccessContent,
  canAccessMetadata,
  isChannelAdmin,
} from '#features/foundation/channels/access.ts'
import type { Channel } from '#features/foundation/channels/queries.ts'
import { can, canInChannel } from '#features/foundation/permissions/rules.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'

/** Whether a user may subscribe to a channel: everyone with access to its content may. */
export function canJoin(read: Read, user: User, channel: Channel): boolean {
  return canAccessContent(read, user, channel)
}

/**
 * Whether a user may subscribe others to a channel.
 *
 * @source Zulip API, "Subscribe to a channel": `can_add_subscribers_group` (feature level 342)
 */
export function canAddOthers(read: Read, user: User, channel: Channel): boolean {
  if (user.role === roles.guest || !canAccessContent(read, user, channel)) return false
  return (
    user.role <= roles.admin ||
    canInChannel(read, user, 'can_add_subscribers_group', channel) ||
    isChannelAdmin(read, user, channel) ||
    can(read, user, 'can_add_subscribers_group')
  )
}

/**
 * Whether a user may unsubscribe another user from a channel.
 *
 * @source Zulip API, "Unsubscribe from a channel" (feature level 349)
 */
export function canRemove(read: Read, user: User, other: User, channel: Channel): boolean {
  if (user.role <= roles.admin) return true
  if (!canAccessMetadata(read, user, channel)) return false
  return (
    other.botOwnerId === user.id ||
    canInChannel(read, user, 'can_remove_subscribers_group', channel) ||
    isChannelAdmin(read, user, channel)
  )
}
