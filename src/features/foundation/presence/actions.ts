import { presenceTimes } from '#features/foundation/realm/times.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { reportsPresence } from './access.ts'
import { emitPresence } from './events.ts'
import { findPresence, replacePresence, upsertPresence } from './queries.ts'

/**
 * Stores a report from a user's client, unless the user hides their presence. Emits an event only
 * if the user was offline before; later changes reach others when they next report.
 *
 * @param isActive whether the user is active, or only has a client open
 * @throws BAD_REQUEST a bot
 */
export function reportPresence(tx: Tx, user: User, isActive: boolean): void {
  if (user.botType !== null) throw badRequest(sentSentence('Bots have no presence.'))
  if (!reportsPresence(tx, user.id)) return
  const now = seconds(tx.clock)
  const before = findPresence(tx, user.id)
  upsertPresence(tx, user.id, now, isActive)
  const lastSeen = isActive ? before?.activeAt : before?.connectedAt
  if (lastSeen !== undefined && now - lastSeen <= presenceTimes.offlineSeconds) return
  emitPresence(tx, user)
}

/**
 * Brings a user online who shows their presence from now on, or takes a user offline who hides it.
 * Earlier times are forgotten.
 *
 * @source Zulip API, "Update settings", `presence_enabled`
 */
export function presenceToggled(tx: Tx, user: User, isShown: boolean): void {
  if (user.botType !== null) return
  const now = seconds(tx.clock)
  replacePresence(tx, user.id, isShown ? now : now - presenceTimes.offlineSeconds - 1)
  emitPresence(tx, user)
}
