import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import { type Channel, findChannelByName } from '#features/foundation/channels/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { nameKey } from '#shared/names.ts'
import { sentSentence } from '#translations/translate.ts'
import { type UnsubscribeResult, unsubscribe } from './actions.ts'
import { accessPrincipals, type Principal, partsOf, requireFewPairs } from './principals.rules.ts'
import { canRemove } from './rules.ts'

/** Names of channels from which a user was removed, and to which a user was not subscribed. */
export interface RemovalResult {
  readonly removed: string[]
  readonly notRemoved: string[]
}

/**
 * Unsubscribes the caller or other users from channels; very many part by part.
 *
 * @throws STREAM_DOES_NOT_EXIST with `stream`: no such channel, or the caller cannot see it
 * @throws BAD_REQUEST unknown or deactivated principals, users whom the caller may not remove, or
 * too many users in too many channels
 * @source Zulip API, "Unsubscribe from a channel"
 */
export function* removeSubscriptions(
  tx: Tx,
  caller: Caller,
  names: readonly string[],
  principals: readonly Principal[],
): LongWrite<RemovalResult> {
  const users = accessPrincipals(tx, caller.user, principals)
  requireFewPairs(users, names)
  const wanted = [...new Map(names.map((name) => [nameKey(name), name])).values()]
  const parts = [...partsOf(wanted, users)]
  // A single part is checked before it is made, in this transaction.
  if (parts.length > 1) {
    for (const name of wanted) requireRemovable(tx, caller, accessNamed(tx, caller, name), users)
  }
  const left: UnsubscribeResult[] = []
  let now = tx
  for (const part of parts) {
    const channels = part.channels.map((name) => accessNamed(now, caller, name))
    for (const channel of channels) requireRemovable(now, caller, channel, part.users)
    left.push(...unsubscribe(now, channels, part.users))
    now = yield
  }
  return {
    removed: namesOf(left, ({ removed }) => removed),
    notRemoved: namesOf(left, ({ absent }) => absent),
  }
}

/** @throws STREAM_DOES_NOT_EXIST with `stream`: one of the channels */
export function requireNamed(read: Read, caller: Caller, names: readonly string[]): void {
  for (const name of names) accessNamed(read, caller, name)
}

/** @throws BAD_REQUEST */
function requireRemovable(
  read: Read,
  caller: Caller,
  channel: Channel,
  users: readonly User[],
): void {
  for (const other of users) {
    if (other.id === caller.user.id || canRemove(read, caller.user, other, channel)) continue
    throw badRequest(sentSentence('Insufficient permission'))
  }
}

/** The names of the channels that have any of these users. */
function namesOf(
  left: readonly UnsubscribeResult[],
  pick: (one: UnsubscribeResult) => readonly User[],
): string[] {
  const some = left.filter((one) => pick(one).length > 0)
  return [...new Set(some.map(({ channel }) => channel.name))]
}

function accessNamed(read: Read, { user }: Caller, name: string): Channel {
  const channel = findChannelByName(read, name)
  if (channel && canAccessMetadata(read, user, channel)) return channel
  throw new ApiError(
    'STREAM_DOES_NOT_EXIST',
    sentSentence("Channel '{name}' does not exist", { name }),
    { stream: name },
    { parameter: 'subscriptions' },
  )
}
