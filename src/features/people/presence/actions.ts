import { presenceTimes } from '#features/organization/realm/times.ts'
import { canAccessUser } from '#features/people/users/access.ts'
import { findUser, type User } from '#features/people/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Tx } from '#platform/store/write.ts'
import { showsPresence } from './access.ts'
import { presenceEvent } from './events.ts'
import { findPresence, upsertPresence } from './queries.ts'

/**
 * Stores a report from a user's client, unless the user hides their presence. Emits an event only
 * if the user was offline before; later changes reach others when they next report.
 *
 * @param isActive whether the user is active, or only has a client open
 * @throws BAD_REQUEST a bot
 */
export function reportPresence(tx: Tx, user: User, isActive: boolean): void {
  if (user.botType !== null) throw badRequest('Bots have no presence.')
  if (!showsPresence(tx, user.id)) return
  const now = seconds(tx.clock)
  const before = findPresence(tx, user.id)
  upsertPresence(tx, user.id, now, isActive)
  const lastSeen = isActive ? before?.activeAt : before?.connectedAt
  if (lastSeen !== undefined && now - lastSeen <= presenceTimes.offlineSeconds) return
  const presence = findPresence(tx, user.id)
  if (!presence) return
  tx.emit(presenceEvent(presence, tx.clock.now()), (viewerId) => {
    const viewer = findUser(tx, viewerId)
    return viewer !== undefined && canAccessUser(tx, viewer, user)
  })
}
