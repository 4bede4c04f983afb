import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { checkLinkifier, reversesExample } from '#markdown/linkifiers.ts'
import { requireAdministrator } from '#permissions/can.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { linkifiersEvent } from './events.ts'
import { linkifierJson } from './json.ts'
import {
  deleteLinkifier,
  insertLinkifier,
  type Linkifier,
  listLinkifiers,
  updateLinkifier,
} from './queries.ts'

/** What of a linkifier somebody writes. */
export type LinkifierText = Omit<Linkifier, 'id' | 'position'>

/** Absent members stay as they are, or as they are without. Empty texts are none. */
export interface LinkifierChanges extends Pick<LinkifierText, 'pattern' | 'urlTemplate'> {
  readonly exampleInput?: string | undefined
  readonly reverseTemplate?: string | undefined
  readonly alternativeUrlTemplates?: string[] | undefined
}

const bare = { exampleInput: null, reverseTemplate: null, alternativeUrlTemplates: [] }

/**
 * Adds a linkifier behind all others, and tells everybody. What is written from now on is linked;
 * topics are linked wherever they are shown.
 *
 * @returns its id
 * @throws UNAUTHORIZED_PRINCIPAL who does not administer the organization
 * @throws BAD_REQUEST what `requireSound` says
 * @source the API description of `POST /realm/filters`; api-changes §3d (feature levels 471, 478)
 */
export function addLinkifier(tx: Tx, caller: Caller, wanted: LinkifierChanges): number {
  requireAdministrator(findUser(tx, caller.user.id) ?? caller.user)
  const text = merge({ ...bare, pattern: '', urlTemplate: '' }, wanted)
  requireSound(tx, text)
  const { id } = insertLinkifier(tx, text)
  tell(tx)
  return id
}

/**
 * Changes a linkifier in its place, and tells everybody if anything is different.
 *
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST as above, and no such linkifier
 * @source the API description of `PATCH /realm/filters/{filter_id}`
 */
export function editLinkifier(tx: Tx, caller: Caller, id: number, changes: LinkifierChanges): void {
  requireAdministrator(findUser(tx, caller.user.id) ?? caller.user)
  const before = listLinkifiers(tx).find((linkifier) => linkifier.id === id)
  if (!before) throw noSuchLinkifier()
  const after = merge(before, changes)
  requireSound(tx, after, id)
  const known = JSON.stringify(linkifierJson(before))
  if (JSON.stringify(linkifierJson({ ...before, ...after })) === known) return
  updateLinkifier(tx, id, after)
  tell(tx)
}

/** Removes a linkifier, and tells everybody. @throws as above */
export function removeLinkifier(tx: Tx, caller: Caller, id: number): void {
  requireAdministrator(findUser(tx, caller.user.id) ?? caller.user)
  if (!deleteLinkifier(tx, id)) throw noSuchLinkifier()
  tell(tx)
}

/**
 * Decides which linkifier comes first where several match, and tells everybody.
 *
 * @param order the ids of all linkifiers
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST linkifiers that are missing, unknown or named twice
 * @source the API description of `PATCH /realm/linkifiers` (feature level 202)
 */
export function reorderLinkifiers(tx: Tx, caller: Caller, order: readonly number[]): void {
  requireAdministrator(findUser(tx, caller.user.id) ?? caller.user)
  const known = listLinkifiers(tx).map(({ id }) => id)
  const asked = new Set(order)
  const isWhole = order.length === known.length && known.every((id) => asked.has(id))
  if (!isWhole) throw badRequest('The ordered list must enumerate all existing linkifiers once.')
  if (order.every((id, position) => known[position] === id)) return
  for (const [position, id] of order.entries()) updateLinkifier(tx, id, { position })
  tell(tx)
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
 * @param own the id of the linkifier that is to become like this
 * @throws BAD_REQUEST a pattern or template that cannot work or that another linkifier has; groups
 *   that only one of them has; an example that does not match, or that is not what its way back makes
 */
function requireSound(read: Read, text: LinkifierText, own?: number): void {
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
    throw badRequest('The reverse template does not give the example input back.')
  }
}

function tell(tx: Tx): void {
  tx.emit(linkifiersEvent(listLinkifiers(tx).map(linkifierJson)), () => true)
}

function noSuchLinkifier() {
  return badRequest('Linkifier not found.')
}
