import type { Shaped } from '#platform/shape.ts'
import type { RealmExport } from './queries.ts'
import type { exportShape } from './shapes.ts'

/** An export on the wire. */
export type ExportJson = Shaped<typeof exportShape>

/** The wire numbers of the export types; names replace them at feature level 449. */
const typeNumbers = { public: 1, full_with_consent: 2, everything: 2 } as const
export const typeNames = ['public', 'full_with_consent'] as const

/** The export type for a wire number or name. */
export function typeNamed(requested: 1 | 2 | RealmExport['type']): RealmExport['type'] {
  if (typeof requested === 'string') return requested
  return requested === typeNumbers.public ? 'public' : 'full_with_consent'
}

/** The path of exports; the export's secret token and the file name follow. */
export const exportFolder = '/exports'
export const exportFileName = 'export.tar.gz'

/** The path of an export's archive, which needs no authentication. */
export const exportPath = ({ token }: Pick<RealmExport, 'token'>) =>
  `${exportFolder}/${token}/${exportFileName}`

export function exportJson(realmExport: RealmExport, realmUrl: string): ExportJson {
  const { fileHash, failedAt, deletedAt } = realmExport
  return {
    id: realmExport.id,
    acting_user_id: realmExport.actingUserId,
    export_time: realmExport.requestedAt,
    deleted_timestamp: deletedAt,
    failed_timestamp: failedAt,
    export_url: fileHash && realmUrl + exportPath(realmExport),
    pending: fileHash === null && failedAt === null && deletedAt === null,
    export_type: typeNumbers[realmExport.type],
  }
}
