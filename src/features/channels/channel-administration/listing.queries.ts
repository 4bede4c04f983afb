import { findSharingOwner } from '#features/foundation/bots/queries.ts'
import { canAccessContent, canAccessMetadata } from '#features/foundation/channels/access.ts'
import { type ChannelJson, channelWriter } from '#features/foundation/channels/json.ts'
import { type Channel, isSubscribed, listChannels } from '#features/foundation/channels/queries.ts'
import { roles } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

/** The channels that `GET /streams` lists: those that match any of these. */
export interface ListedChannels {
  readonly isPublic: boolean
  readonly webPublic: boolean
  readonly subscribed: boolean
  readonly ownerSubscribed: boolean
  readonly byDefault: boolean
  /** Channels whose content the caller can access. */
  readonly readable: boolean
  /** All channels that the caller can see. */
  readonly all: boolean
  /** The deprecated form of `all`, for administrators only. */
  readonly allActive: boolean
  /** Whether to also list archived channels. Matches no channels by itself. */
  readonly archived: boolean
  /** Whether the client asked for `extended_members`. */
  readonly extended: boolean
}

/**
 * The requested channels that the caller can see, by name.
 *
 * @throws BAD_REQUEST `allActive` from a user who is not an administrator
 * @source Zulip API, "Get all channels"
 */
export function listRequestedChannels(
  read: Read,
  caller: Caller,
  requested: ListedChannels,
): (ChannelJson & { is_default?: boolean })[] {
  if (requested.allActive && caller.user.role > roles.admin) {
    throw badRequest(sentSentence('User not authorized for this query'))
  }
  const json = channelWriter(read, requested.extended)
  // A bot acts for its owner, who can see these channels.
  const owner = requested.ownerSubscribed ? findSharingOwner(read, caller.user) : undefined
  return listChannels(read)
    .filter((channel) => requested.archived || !channel.isArchived)
    .filter(
      (channel) =>
        (owner && isSubscribed(read, owner.id, channel.id)) ||
        isRequested(read, caller, requested, channel),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((channel) => ({
      ...json(channel),
      ...(requested.byDefault && { is_default: channel.isDefault }),
    }))
}

function isRequested(
  read: Read,
  { user }: Caller,
  requested: ListedChannels,
  channel: Channel,
): boolean {
  if (!canAccessMetadata(read, user, channel)) return false
  if (requested.all || requested.allActive) return true
  return (
    (requested.isPublic && !channel.isPrivate && user.role !== roles.guest) ||
    (requested.webPublic && channel.isWebPublic) ||
    (requested.subscribed && isSubscribed(read, user.id, channel.id)) ||
    (requested.byDefault && channel.isDefault) ||
    (requested.readable && canAccessContent(read, user, channel))
  )
}
