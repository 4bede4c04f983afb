import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { makeRead } from '#messages/flags/actions.ts'
import { unread } from '#read-state/queries.ts'
import type { Tx } from '#store/write.ts'
import { accessUser } from '#users/access.ts'
import { mutedUsersEvent } from './events.ts'
import { deleteMutedUser, insertMutedUser, listMutedUsers, listSentBy } from './queries.ts'

/**
 * Mutes somebody for the caller: marks as read what they wrote until now, as sending does from now
 * on, and emits `muted_users` to the caller.
 *
 * @throws BAD_REQUEST oneself, an unknown user, or one muted already
 * @source the API description of `POST /users/me/muted_users/{muted_user_id}`
 */
export function muteUser(tx: Tx, caller: Caller, mutedId: number): void {
  const { user } = caller
  if (mutedId === user.id) throw badRequest('Cannot mute self')
  const muted = accessUser(tx, user, mutedId)
  const row = { userId: user.id, mutedId: muted.id, mutedAt: seconds(tx.clock) }
  if (!insertMutedUser(tx, row)) throw badRequest('User already muted')
  tx.emit(mutedUsersEvent(listMutedUsers(tx, user.id)), [user.id])
  const unreadIds = unread(tx, user.id).conversations.flatMap(({ messageIds }) => messageIds)
  makeRead(tx, caller, listSentBy(tx, muted.id, unreadIds))
}

/**
 * Ends it, and emits `muted_users`. What was marked as read stays so.
 *
 * @throws BAD_REQUEST an unknown user, or one who is not muted
 */
export function unmuteUser(tx: Tx, { user }: Caller, mutedId: number): void {
  const muted = accessUser(tx, user, mutedId)
  if (!deleteMutedUser(tx, user.id, muted.id)) throw badRequest('User is not muted')
  tx.emit(mutedUsersEvent(listMutedUsers(tx, user.id)), [user.id])
}
