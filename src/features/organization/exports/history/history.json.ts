import type { RealmExport } from '#features/organization/exports/queries.ts'
import type { Shaped } from '#platform/shape.ts'
import type { historyShape } from './history.shapes.ts'
import type { Progress } from './progress.queries.ts'

/** An export of the history on the wire. */
export type HistoryJson = Shaped<typeof historyShape>

export function historyJson(row: RealmExport, progress: Progress | undefined): HistoryJson {
  return {
    id: row.id,
    acting_user_id: row.actingUserId,
    format: row.format === 'archive' ? 'archive' : 'zulip',
    scope: row.type,
    zulip_release: row.zulipRelease,
    requested_at: row.requestedAt,
    state: stateOf(row),
    progress: progress ? { ...progress } : null,
    notes: [...(row.notes ?? [])],
  }
}

function stateOf({ deletedAt, failedAt, fileHash }: RealmExport): HistoryJson['state'] {
  if (deletedAt !== null) return 'deleted'
  if (failedAt !== null) return 'failed'
  return fileHash === null ? 'pending' : 'ready'
}
