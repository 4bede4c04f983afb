import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import type { Read } from '#store/write.ts'
import { roles } from '#users/queries.ts'
import { canAccessContent, canAccessMetadata } from './access.ts'
import { type ChannelJson, channelWriter } from './json.ts'
import { type Channel, isSubscribed, listChannels } from './queries.ts'

/** Which channels `GET /streams` is to list: what any of these lets in. */
export interface ListedChannels {
  readonly isPublic: boolean
  readonly webPublic: boolean
  readonly subscribed: boolean
  readonly ownerSubscribed: boolean
  readonly byDefault: boolean
  /** All that the caller may read. */
  readonly readable: boolean
  /** All that the caller may know of. */
  readonly all: boolean
  /** The old form of `all`, for administrators only. */
  readonly allActive: boolean
  readonly archived: boolean
}

/**
 * The channels that a caller asked for and may know of, by name.
 *
 * @throws BAD_REQUEST: `allActive` from somebody who is no administrator
 * @source the API description's `get-streams`; api-changes §3b
 */
export function listAskedChannels(
  read: Read,
  caller: Caller,
  asked: ListedChannels,
): (ChannelJson & { is_default?: boolean })[] {
  if (asked.allActive && caller.user.role > roles.admin) {
    throw badRequest('User not authorized for this query')
  }
  const json = channelWriter(read)
  return listChannels(read)
    .filter((channel) => asked.archived || !channel.isArchived)
    .filter((channel) => isAsked(read, caller, asked, channel))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((channel) => ({
      ...json(channel),
      ...(asked.byDefault && { is_default: channel.isDefault }),
    }))
}

function isAsked(read: Read, { user }: Caller, asked: ListedChannels, channel: Channel): boolean {
  const owner = user.botOwnerId
  // A bot acts for its owner, who knows of these channels.
  if (asked.ownerSubscribed && owner !== null && isSubscribed(read, owner, channel.id)) return true
  if (!canAccessMetadata(read, user, channel)) return false
  if (asked.all || asked.allActive) return true
  return (
    (asked.isPublic && !channel.isPrivate && user.role !== roles.guest) ||
    (asked.webPublic && channel.isWebPublic) ||
    (asked.subscribed && isSubscribed(read, user.id, channel.id)) ||
    (asked.byDefault && channel.isDefault) ||
    (asked.readable && canAccessContent(read, user, channel))
  )
}
