import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { linkifiersEvent } from './events.ts'
import { linkifierJson } from './json.ts'
import { deleteLinkifier, insertLinkifier, listLinkifiers, updateLinkifier } from './queries.ts'
import { linkifierQuota } from './quotas.ts'
import {
  type LinkifierChanges,
  merge,
  newLinkifier,
  noSuchLinkifier,
  requireValid,
} from './rules.ts'

/**
 * Adds a linkifier after all others and emits the list to everyone. It applies to messages rendered
 * from now on, and to topics whenever they are shown.
 *
 * @returns the id of the linkifier
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST as `requireValid`; too many linkifiers
 * @source Zulip API, "Add a linkifier" (feature levels 471, 478)
 */
export function addLinkifier(tx: Tx, caller: Caller, wanted: LinkifierChanges): number {
  requireAdministrator(caller.user)
  const text = merge(newLinkifier, wanted)
  requireValid(tx, text)
  requireRoom(tx, linkifierQuota, 'all')
  const { id } = insertLinkifier(tx, text)
  emitLinkifiers(tx)
  return id
}

/**
 * Changes a linkifier, keeping its position, and emits the list to everyone if it changed.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST no such linkifier; as `requireValid`
 * @source Zulip API, "Update a linkifier"
 */
export function editLinkifier(tx: Tx, caller: Caller, id: number, changes: LinkifierChanges): void {
  requireAdministrator(caller.user)
  const before = listLinkifiers(tx).find((linkifier) => linkifier.id === id)
  if (!before) throw noSuchLinkifier()
  const after = merge(before, changes)
  requireValid(tx, after, id)
  const oldJson = JSON.stringify(linkifierJson(before, true))
  if (JSON.stringify(linkifierJson({ ...before, ...after }, true)) === oldJson) return
  updateLinkifier(tx, id, after)
  emitLinkifiers(tx)
}

/**
 * Removes a linkifier and emits the list to everyone.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST no such linkifier
 * @source Zulip API, "Remove a linkifier"
 */
export function removeLinkifier(tx: Tx, caller: Caller, id: number): void {
  requireAdministrator(caller.user)
  if (!deleteLinkifier(tx, id)) throw noSuchLinkifier()
  emitLinkifiers(tx)
}

/**
 * Reorders the linkifiers, the first of which wins where several match, and emits the list to
 * everyone.
 *
 * @param order the ids of all linkifiers
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST a linkifier that is missing, unknown or listed twice
 * @source Zulip API, "Reorder linkifiers" (feature level 202)
 */
export function reorderLinkifiers(tx: Tx, caller: Caller, order: readonly number[]): void {
  requireAdministrator(caller.user)
  const known = listLinkifiers(tx).map(({ id }) => id)
  const requested = new Set(order)
  const isComplete = order.length === known.length && known.every((id) => requested.has(id))
  if (!isComplete)
    throw badRequest(
      sentSentence('The ordered list must enumerate all existing linkifiers once.'),
      { parameter: 'ordered_linkifier_ids' },
    )
  if (order.every((id, position) => known[position] === id)) return
  for (const [position, id] of order.entries()) updateLinkifier(tx, id, { position })
  emitLinkifiers(tx)
}

function emitLinkifiers(tx: Tx): void {
  tx.emit(linkifiersEvent(listLinkifiers(tx)), () => true)
}
