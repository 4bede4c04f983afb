import { canAccessContent, canAccessMetadata, isChannelAdmin } from '#channels/access.ts'
import type { Channel } from '#channels/queries.ts'
import { can, canInChannel } from '#permissions/can.ts'
import type { Read } from '#store/write.ts'
import { roles, type User } from '#users/queries.ts'

/** Whether a user may subscribe to a channel: who may read it, may. */
export function canJoin(read: Read, user: User, channel: Channel): boolean {
  return canAccessContent(read, user, channel)
}

/**
 * Whether a user may subscribe others to a channel.
 *
 * @source contract, "Subscribe to a channel": `can_add_subscribers_group`; api-changes §3b, §7a
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
 * Whether a user may end somebody else's subscription.
 *
 * @source the API description's `unsubscribe`; api-changes §3b (feature level 349)
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
