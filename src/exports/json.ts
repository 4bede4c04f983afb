import type { Shaped } from '#shape.ts'
import type { RealmExport } from './queries.ts'
import type { exportShape } from './shapes.ts'

/** An export on the wire. */
export type ExportJson = Shaped<typeof exportShape>

/** What clients call the types of exports, which have their names since level 449. */
const typeNumbers = { public: 1, full_with_consent: 2 } as const
export const typeNames = ['public', 'full_with_consent'] as const

/** The type of a number or name. */
export function typeNamed(asked: 1 | 2 | RealmExport['type']): RealmExport['type'] {
  if (typeof asked === 'string') return asked
  return asked === typeNumbers.public ? 'public' : 'full_with_consent'
}

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
    export_type: typeNumbers[made.type],
  }
}
