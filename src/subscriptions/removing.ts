import { canAccessMetadata } from '#channels/access.ts'
import { channelKey } from '#channels/names.ts'
import { type Channel, findChannelByName } from '#channels/queries.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import type { Read, Tx } from '#store/write.ts'
import { unsubscribe } from './actions.ts'
import { accessPrincipals, type Principal } from './principals.ts'
import { canRemove } from './rules.ts'

/** Names of channels in which somebody was unsubscribed, and in which somebody was not subscribed. */
export interface RemovalResult {
  readonly removed: string[]
  readonly notRemoved: string[]
}

/**
 * Ends subscriptions of the caller or of others.
 *
 * @throws STREAM_DOES_NOT_EXIST with `stream`: no such channel, or not for this caller
 * @throws BAD_REQUEST: unknown or deactivated principals; others whom the caller may not remove
 * @source the API description's `unsubscribe`; api-changes §3b
 */
export function removeSubscriptions(
  tx: Tx,
  caller: Caller,
  names: readonly string[],
  principals: readonly Principal[],
): RemovalResult {
  const users = accessPrincipals(tx, caller.user, principals)
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
