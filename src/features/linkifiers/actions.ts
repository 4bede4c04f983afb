import { requireAdministrator } from '#features/permissions/rules.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { checkLinkifier, reversesExample } from '#platform/markdown/linkifiers.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import { linkifiersEvent } from './events.ts'
import { linkifierJson } from './json.ts'
import {
  deleteLinkifier,
  insertLinkifier,
  type Linkifier,
  listLinkifiers,
  updateLinkifier,
} from './queries.ts'
import { linkifierQuota } from './quotas.ts'

/** The properties of a linkifier that users set. */
export type LinkifierText = Omit<Linkifier, 'id' | 'position'>

/** Absent members keep their value, or their default in a new linkifier. Empty texts mean null. */
export interface LinkifierChanges extends Pick<LinkifierText, 'pattern' | 'urlTemplate'> {
  readonly exampleInput?: string | undefined
  readonly reverseTemplate?: string | undefined
  readonly alternativeUrlTemplates?: string[] | undefined
}

const defaults = { exampleInput: null, reverseTemplate: null, alternativeUrlTemplates: [] }

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
  const text = merge({ ...defaults, pattern: '', urlTemplate: '' }, wanted)
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
  const oldJson = JSON.stringify(linkifierJson(before))
  if (JSON.stringify(linkifierJson({ ...before, ...after })) === oldJson) return
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
  if (!isComplete) throw badRequest('The ordered list must enumerate all existing linkifiers once.')
  if (order.every((id, position) => known[position] === id)) return
  for (const [position, id] of order.entries()) updateLinkifier(tx, id, { position })
  emitLinkifiers(tx)
}

function merge(before: LinkifierText, changes: LinkifierChanges): LinkifierText {
  const { exampleInput, reverseTemplate, alternativeUrlTemplates } = changes
  return {
    pattern: changes.pattern,
    urlTemplate: changes.urlTemplate,
    exampleInput: exampleInput === undefined ? before.exampleInput : exampleInput || null,
    reverseTemplate:
      reverseTemplate === undefined ? before.reverseTemplate : reverseTemplate || null,
    alternativeUrlTemplates: alternativeUrlTemplates ?? before.alternativeUrlTemplates,
  }
}

const problems = {
  'bad pattern': 'Invalid filter pattern, or one that this server does not support.',
  'bad template': 'Invalid URL template.',
  'names differ': 'The pattern and the URL template must have the same group names.',
} as const

/**
 * @param own the id of the linkifier being changed
 * @throws BAD_REQUEST an invalid pattern or template; a pattern that another linkifier has; groups
 * that only the pattern or only a template has; a reverse template without an example input, or one
 * that does not reproduce it
 */
function requireValid(read: Read, text: LinkifierText, own?: number): void {
  const { pattern, exampleInput, reverseTemplate, alternativeUrlTemplates } = text
  for (const urlTemplate of [text.urlTemplate, ...alternativeUrlTemplates]) {
    const answer = pattern === '' ? 'bad pattern' : checkLinkifier({ pattern, urlTemplate })
    if (answer !== 'ok') throw badRequest(problems[answer])
  }
  if (listLinkifiers(read).some((other) => other.id !== own && other.pattern === pattern)) {
    throw badRequest('A linkifier with this pattern already exists.')
  }
  if (reverseTemplate === null) return
  if (exampleInput === null) throw badRequest('A reverse template needs an example input.')
  if (!reversesExample(text, reverseTemplate, exampleInput)) {
    throw badRequest('The reverse template does not reproduce the example input.')
  }
}

function emitLinkifiers(tx: Tx): void {
  tx.emit(linkifiersEvent(listLinkifiers(tx).map(linkifierJson)), () => true)
}

function noSuchLinkifier() {
  return badRequest('Linkifier not found.')
}
