import type { Tx } from '#store/write.ts'
import { canAccessUser } from './access.ts'
import { showsPresence } from './presence/access.ts'
import { presenceEvent } from './presence/events.ts'
import { findPresence } from './presence/queries.ts'
import { findUser, type User } from './queries.ts'
import { emitUserStatus } from './status/events.ts'
import { statusJson } from './status/json.ts'
import { findStatus, listAway } from './status/queries.ts'

/**
 * Tells those who come to know of a user, or know of them again, how they are and when they were
 * last there: what the registered state would say.
 *
 * @param isFor whom to tell, of those who may know of the user
 */
export function introduce(tx: Tx, user: User, isFor: (viewerId: number) => boolean): void {
  const status = statusJson(findStatus(tx, user.id), listAway(tx).includes(user.id))
  if (Object.keys(status).length > 0) emitUserStatus(tx, user, status, isFor)
  const presence = showsPresence(tx, user.id) ? findPresence(tx, user.id) : undefined
  if (!presence) return
  tx.emit(presenceEvent(presence, tx.clock.now()), (viewerId) => {
    const viewer = isFor(viewerId) ? findUser(tx, viewerId) : undefined
    return viewer !== undefined && canAccessUser(tx, viewer, user)
  })
}
