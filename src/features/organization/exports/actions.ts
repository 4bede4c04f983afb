import { randomBytes } from 'node:crypto'
import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { releaseFile } from '#platform/files/actions.ts'
import type { Caller } from '#platform/http/caller.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { requireRoom, spend } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { exportsEvent } from './events.ts'
import { exportJson } from './json.ts'
import {
  type ExportType,
  findExport,
  findPendingExport,
  insertExport,
  listExports,
  type RealmExport,
  updateExport,
} from './queries.ts'
import { exportQuota, newExportQuota } from './quotas.ts'

/**
 * Requests an export of the organization's data. A job makes it in the background, and an event
 * tells the caller when it is ready.
 *
 * @returns the id of the export
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST another export is in progress, or too many are kept
 * @throws RATE_LIMIT_HIT too many exports lately
 * @source Zulip API, "Create a data export"
 */
export function requestExport(tx: Tx, caller: Caller, type: ExportType): number {
  const { user } = caller
  requireAdministrator(user)
  const id = beginExport(tx, { actingUserId: user.id, type })
  emitExports(tx, caller.server, user.id)
  return id
}

/**
 * Adds an export, which the job makes.
 *
 * @throws BAD_REQUEST another export is in progress, or too many are kept
 * @throws RATE_LIMIT_HIT too many exports lately
 */
export function beginExport(
  tx: Tx,
  wanted: Omit<Parameters<typeof insertExport>[1], 'requestedAt' | 'token'>,
): number {
  if (findPendingExport(tx)) throw badRequest(sentSentence('Another export is still in progress.'))
  requireRoom(tx, exportQuota, 'all')
  spend(tx, newExportQuota, 'all')
  const { id } = insertExport(tx, {
    ...wanted,
    requestedAt: seconds(tx.clock),
    token: randomBytes(16).toString('hex'),
  })
  wakeJobs(tx)
  return id
}

/**
 * Deletes the file of an export; its URL stops working.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST no such export, or it is deleted, failed or still in progress
 */
export function removeExport(tx: Tx, caller: Caller, id: number): void {
  requireAdministrator(caller.user)
  const realmExport = findExport(tx, id)
  if (realmExport?.format !== 'parley')
    throw badRequest(sentSentence('Invalid data export ID'), { parameter: 'export_id' })
  deleteExport(tx, realmExport)
  emitExports(tx, caller.server, realmExport.actingUserId)
}

/** @throws BAD_REQUEST it is deleted, failed or still in progress */
export function deleteExport(tx: Tx, realmExport: RealmExport): void {
  if (realmExport.deletedAt !== null)
    throw badRequest(sentSentence('Export already deleted'), { parameter: 'export_id' })
  if (realmExport.failedAt !== null)
    throw badRequest(sentSentence('Export failed, nothing to delete'), { parameter: 'export_id' })
  if (realmExport.fileHash === null)
    throw badRequest(sentSentence('Export still in progress'), { parameter: 'export_id' })
  releaseFile(tx, realmExport.fileHash)
  updateExport(tx, realmExport.id, { fileHash: null, deletedAt: seconds(tx.clock) })
}

/** Stores the result of an export and emits it to its requester. @param fileHash null: it failed */
export function finishExport(
  tx: Tx,
  server: Context,
  realmExport: RealmExport,
  fileHash: string | null,
  notes: readonly string[] = [],
): void {
  updateExport(
    tx,
    realmExport.id,
    fileHash === null
      ? { failedAt: seconds(tx.clock) }
      : { fileHash, notes: notes.length > 0 ? notes : null },
  )
  // Exports of the history are not in the API's list; clients that show them fetch them.
  if (realmExport.format === 'parley') emitExports(tx, server, realmExport.actingUserId)
}

function emitExports(tx: Tx, { realmUrl }: Context, userId: number): void {
  tx.emit(exportsEvent(listExports(tx).map((realmExport) => exportJson(realmExport, realmUrl))), [
    userId,
  ])
}
