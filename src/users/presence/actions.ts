import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import { presenceTimes } from '#realm/times.ts'
import type { Tx } from '#store/write.ts'
import { canAccessUser } from '#users/access.ts'
import { findUser, type User } from '#users/queries.ts'
import { showsPresence } from './access.ts'
import { presenceEvent } from './events.ts'
import { findPresence, upsertPresence } from './queries.ts'

/**
 * Notes that somebody's client is there. Who hides their presence leaves no trace. The others are
 * told at once of who comes back, and of everything else when they next ask.
 *
 * @param isActive whether the user does something, or only has a client open
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
