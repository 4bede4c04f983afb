import { canAccessMetadata } from '#features/channels/access.ts'
import { channelKey } from '#features/channels/names.ts'
import { type Channel, findChannelByName } from '#features/channels/queries.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import { unsubscribe } from './actions.ts'
import { accessPrincipals, type Principal, requireFewPairs } from './principals.rules.ts'
import { canRemove } from './rules.ts'

/** Names of channels from which a user was removed, and to which a user was not subscribed. */
export interface RemovalResult {
  readonly removed: string[]
  readonly notRemoved: string[]
}

/**
 * Unsubscribes the caller or other users from channels.
 *
 * @throws STREAM_DOES_NOT_EXIST with `stream`: no such channel, or the caller cannot see it
 * @throws BAD_REQUEST unknown or deactivated principals, users whom the caller may not remove, or
 * too many users in too many channels
 * @source Zulip API, "Unsubscribe from a channel"
 */
export function removeSubscriptions(
  tx: Tx,
  caller: Caller,
  names: readonly string[],
  principals: readonly Principal[],
): RemovalResult {
  const users = accessPrincipals(tx, caller.user, principals)
  requireFewPairs(users, names)
  const channels = [...new Map(names.map((name) => [channelKey(name), name])).values()].map(
    (name) => accessNamed(tx, caller, name),
  )
  for (const channel of channels) {
    for (const other of users) {
      if (other.id === caller.user.id || canRemove(tx, caller.user, other, channel)) continue
      throw badRequest('Insufficient permission')
    }
  }
  const left = unsubscribe(tx, channels, users)
  return {
    removed: left.filter(({ removed }) => removed.length > 0).map(({ channel }) => channel.name),
    notRemoved: left.filter(({ absent }) => absent.length > 0).map(({ channel }) => channel.name),
  }
}

function accessNamed(read: Read, { user }: Caller, name: string): Channel {
  const channel = findChannelByName(read, name)
  if (channel && canAccessMetadata(read, user, channel)) return channel
  throw new ApiError('STREAM_DOES_NOT_EXIST', `Channel '${name}' does not exist`, { stream: name })
}
