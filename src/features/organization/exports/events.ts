import { findUser, roles, type User } from '#features/people/users/queries.ts'
import { userSetting } from '#features/people/users/settings.queries.ts'
import type { WireEvent } from '#platform/events/types.ts'
import type { Tx } from '#platform/store/write.ts'
import type { ExportJson } from './json.ts'

/**
 * A user's consent to the export of their private data, new or changed.
 *
 * @source Zulip API, "Get events", type "realm_export_consent" (feature level 312)
 */
export interface ExportConsentEvent extends WireEvent {
  type: 'realm_export_consent'
  user_id: number
  consented: boolean
}

/** All exports, after one changed. @source Zulip API, "Get events", type "realm_export" */
export interface ExportsEvent extends WireEvent {
  type: 'realm_export'
  exports: ExportJson[]
}

export function exportsEvent(exports: ExportJson[]): ExportsEvent {
  return { type: 'realm_export', exports }
}

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
