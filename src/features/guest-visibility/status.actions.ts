import { showsPresence } from '#features/presence/access.ts'
import { presenceEvent } from '#features/presence/events.ts'
import { findPresence } from '#features/presence/queries.ts'
import { emitUserStatus } from '#features/user-status/events.ts'
import { statusJson } from '#features/user-status/json.ts'
import { findStatus, listAway } from '#features/user-status/queries.ts'
import { canAccessUser } from '#features/users/access.ts'
import { findUser, type User } from '#features/users/queries.ts'
import type { Tx } from '#platform/store/write.ts'

/**
 * Emits a user's status and presence to users who can now see the user: what their registered state
 * would contain.
 *
 * @param isFor selects the viewers among the users who can see the user
 */
export function emitStatusAndPresence(
  tx: Tx,
  user: User,
  isFor: (viewerId: number) => boolean,
): void {
  const status = statusJson(findStatus(tx, user.id), listAway(tx).includes(user.id))
  if (Object.keys(status).length > 0) emitUserStatus(tx, user, status, isFor)
  const presence = showsPresence(tx, user.id) ? findPresence(tx, user.id) : undefined
  if (!presence) return
  tx.emit(presenceEvent(presence, tx.clock.now()), (viewerId) => {
    const viewer = isFor(viewerId) ? findUser(tx, viewerId) : undefined
    return viewer !== undefined && canAccessUser(tx, viewer, user)
  })
}
