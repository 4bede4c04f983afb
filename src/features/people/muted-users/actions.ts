import { unread } from '#features/foundation/read-state/queries.ts'
import { accessUser } from '#features/foundation/users/access.ts'
import {
  deleteMutedUser,
  insertMutedUser,
  listMutedUsers,
} from '#features/foundation/users/muting.queries.ts'
import { markAsRead } from '#features/messaging/messages/flags/actions.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest, checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { mutedUsersEvent } from './events.ts'
import { listSentBy } from './queries.ts'

/**
 * Mutes a user for the caller: marks their messages as read, as sending does from now on, and emits
 * `muted_users` to the caller.
 *
 * @throws BAD_REQUEST oneself, an unknown user, or a muted one
 * @source Zulip API, "Mute a user"
 */
export function muteUser(tx: Tx, caller: Caller, mutedId: number): void {
  const { user } = caller
  if (mutedId === user.id)
    throw badRequest(sentSentence('Cannot mute self'), { parameter: 'muted_user_id' })
  const muted = checking('muted_user_id', () => accessUser(tx, user, mutedId))
  const row = { userId: user.id, mutedId: muted.id, mutedAt: seconds(tx.clock) }
  if (!insertMutedUser(tx, row))
    throw badRequest(sentSentence('User already muted'), { parameter: 'muted_user_id' })
  tx.emit(mutedUsersEvent(listMutedUsers(tx, user.id)), [user.id])
  const unreadIds = unread(tx, user.id).conversations.flatMap(({ messageIds }) => messageIds)
  markAsRead(tx, caller, listSentBy(tx, muted.id, unreadIds))
}

/**
 * Unmutes a user, and emits `muted_users`. Messages marked as read stay read.
 *
 * @throws BAD_REQUEST an unknown user, or one who is not muted
 * @source Zulip API, "Unmute a user"
 */
export function unmuteUser(tx: Tx, { user }: Caller, mutedId: number): void {
  const muted = checking('muted_user_id', () => accessUser(tx, user, mutedId))
  if (!deleteMutedUser(tx, user.id, muted.id))
    throw badRequest(sentSentence('User is not muted'), { parameter: 'muted_user_id' })
  tx.emit(mutedUsersEvent(listMutedUsers(tx, user.id)), [user.id])
}
