import type { Shaped } from '#shape.ts'
import type { RealmExport } from './queries.ts'
import type { exportShape } from './shapes.ts'

/** An export on the wire. */
export type ExportJson = Shaped<typeof exportShape>

/** Where exports are fetched, followed by the secret part and a name. */
export const exportFolder = '/exports'
export const exportFileName = 'export.tar.gz'

export function exportJson(made: RealmExport, realmUrl: string): ExportJson {
  const { fileHash, failedAt, deletedAt } = made
  return {
    id: made.id,
    acting_user_id: made.actingUserId,
    export_time: made.requestedAt,
    deleted_timestamp: deletedAt,
    failed_timestamp: failedAt,
    export_url: fileHash && `${realmUrl}${exportFolder}/${made.token}/${exportFileName}`,
    pending: fileHash === null && failedAt === null && deletedAt === null,
    export_type: made.type,
  }
}
