import type { WireEvent } from '#events/types.ts'
import type { Tx } from '#store/write.ts'
import { findUser, roles, type User } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'
import type { ExportJson } from './json.ts'

/** Whether somebody lets an export have what is private to them. @source api-changes §4 (312) */
export interface ExportConsentEvent extends WireEvent {
  type: 'realm_export_consent'
  user_id: number
  consented: boolean
}

/** The organization's exports, after one of them changed. @source the API description */
export interface ExportsEvent extends WireEvent {
  type: 'realm_export'
  exports: ExportJson[]
}

export function exportsEvent(exports: ExportJson[]): ExportsEvent {
  return { type: 'realm_export', exports }
}

/** Tells administrators what a person who joined, came back or decided says to exports. */
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
