import type { EventOf } from '#platform/shape.ts'
import type { Tx } from '#platform/store/store.ts'
import { findUser, roles, type User } from './queries.ts'
import { userSetting } from './settings.queries.ts'
import type { exportConsentEventShape } from './shapes.ts'

/**
 * A user's consent to the export of their private data, new or changed.
 *
 * @source Zulip API, "Get events", type "realm_export_consent" (feature level 312)
 */
type ExportConsentEvent = EventOf<[typeof exportConsentEventShape], 'realm_export_consent'>

/** Emits to administrators the consent of a user who joined, was reactivated or changed it. */
export function emitConsent(tx: Tx, user: User): void {
  if (user.botType !== null) return
  const consented = userSetting(tx, user.id, 'allow_private_data_export')
  const event: ExportConsentEvent = {
    type: 'realm_export_consent',
    user_id: user.id,
    consented,
  }
  tx.emit(event, (userId) => {
    const viewer = findUser(tx, userId)
    return viewer !== undefined && viewer.role <= roles.admin
  })
}
