import { randomBytes } from 'node:crypto'
import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import { badRequest } from '#errors.ts'
import { noteFile } from '#files/actions.ts'
import type { Caller } from '#http/caller.ts'
import { wakeJobs } from '#jobs/wake.ts'
import { requireAdministrator } from '#permissions/can.ts'
import type { Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
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

/**
 * Asks for a copy of the organization's data. It is made by and by, one at a time, and whoever asked
 * is told when it is there.
 *
 * @returns its id
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST while another is being made
 * @source api-changes §2b and §3d
 */
export function askExport(tx: Tx, caller: Caller, type: ExportType): number {
  const user = findUser(tx, caller.user.id) ?? caller.user
  requireAdministrator(user)
  if (findPendingExport(tx)) throw badRequest('Another export is still in progress.')
  const { id } = insertExport(tx, {
    actingUserId: user.id,
    type,
    requestedAt: seconds(tx.clock),
    token: randomBytes(16).toString('hex'),
  })
  tell(tx, caller.server, user.id)
  wakeJobs(tx)
  return id
}

/**
 * Deletes an export: its address leads nowhere from then on, and its contents go.
 *
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST no such export, or nothing of it to delete
 */
export function removeExport(tx: Tx, caller: Caller, id: number): void {
  requireAdministrator(findUser(tx, caller.user.id) ?? caller.user)
  const made = findExport(tx, id)
  if (!made) throw badRequest('Invalid data export ID')
  if (made.deletedAt !== null) throw badRequest('Export already deleted')
  if (made.failedAt !== null) throw badRequest('Export failed, nothing to delete')
  if (made.fileHash === null) throw badRequest('Export still in progress')
  noteFile(tx, made.fileHash)
  updateExport(tx, id, { fileHash: null, deletedAt: seconds(tx.clock) })
  tell(tx, caller.server, made.actingUserId)
}

/** Keeps what became of an export, and tells who asked for it. @param fileHash null: it failed */
export function finishExport(
  tx: Tx,
  server: Context,
  wanted: RealmExport,
  fileHash: string | null,
): void {
  updateExport(tx, wanted.id, fileHash === null ? { failedAt: seconds(tx.clock) } : { fileHash })
  tell(tx, server, wanted.actingUserId)
}

function tell(tx: Tx, { realmUrl }: Context, userId: number): void {
  tx.emit(exportsEvent(listExports(tx).map((made) => exportJson(made, realmUrl))), [userId])
}
