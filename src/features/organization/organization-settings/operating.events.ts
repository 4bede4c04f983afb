import { findUser, roles } from '#features/foundation/users/queries.ts'
import { extendedEvent } from '#platform/events/extended.ts'
import type { EventOf } from '#platform/shape.ts'
import type { Tx } from '#platform/store/store.ts'
import type { operatingEventShapes } from './operating.shapes.ts'

/** A backup of the server was begun, finished or deleted; clients that show them fetch again. */
export type ServerBackupsEvent = EventOf<typeof operatingEventShapes, 'server_backups'>

/** Notifies the owners. */
export function emitServerBackups(tx: Tx): void {
  const event: ServerBackupsEvent = { type: 'server_backups' }
  tx.emit(extendedEvent(event, undefined), (userId) => findUser(tx, userId)?.role === roles.owner)
}
