import { requireOwner } from '#features/foundation/permissions/rules.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { beginExport, deleteExport } from '#features/organization/exports/actions.ts'
import { findExport, type RealmExport } from '#features/organization/exports/queries.ts'
import type { ZulipRelease } from '#features/organization/exports/zulip/format.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import type { HistoryFormat, HistoryScope } from './scopes.ts'

/**
 * Requires a user who may export the history: an owner and, for everything on the server, one whom
 * the operator lets operate it.
 *
 * @throws UNAUTHORIZED_PRINCIPAL not an owner
 * @throws BAD_REQUEST the operator does not allow it
 */
export function requireHistoryRight(read: Read, user: User, scope: HistoryScope): void {
  requireOwner(user)
  if (scope !== 'everything' || read.config.ownersOperate) return
  throw badRequest(
    sentSentence('The operator of this server does not let owners export everything.'),
  )
}

/**
 * Begins an export of the history, which a job makes.
 *
 * @returns its ID
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST as `requireHistoryRight` and `beginExport`
 * @throws RATE_LIMIT_HIT too many exports lately
 */
export function requestHistory(
  tx: Tx,
  { user }: Pick<Caller, 'user'>,
  wanted: { format: HistoryFormat; scope: HistoryScope; release: ZulipRelease },
): number {
  const { format, release, scope } = wanted
  requireHistoryRight(tx, user, scope)
  return beginExport(tx, {
    actingUserId: user.id,
    type: scope,
    format,
    zulipRelease: format === 'zulip' ? release : null,
  })
}

/**
 * An export of the history that the caller may have.
 *
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST there is no such export
 */
export function accessHistory(read: Read, { user }: Pick<Caller, 'user'>, id: number): RealmExport {
  requireOwner(user)
  const found = findExport(read, id)
  if (!found || found.format === 'parley')
    throw badRequest(sentSentence('Invalid data export ID'), { parameter: 'export_id' })
  return found
}

/** Deletes the file of an export of the history. @throws as `accessHistory` and `deleteExport` */
export function removeHistory(tx: Tx, caller: Pick<Caller, 'user'>, id: number): void {
  deleteExport(tx, accessHistory(tx, caller, id))
}
