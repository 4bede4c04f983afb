import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { externalAccounts } from '#features/foundation/realm/choices.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { profileFieldsEvent } from './events.ts'
import {
  deleteProfileField,
  findProfileField,
  insertProfileField,
  listProfileFields,
  listValuesOf,
  type ProfileField,
  updateProfileField,
} from './queries.ts'
import { profileFieldQuota } from './quotas.ts'
import { requireFieldData, requireFieldName, requireHint, requireSummaryRoom } from './rules.ts'
import { changeProfile } from './values/actions.ts'

/** The attributes of a field that can change. */
export interface FieldChanges {
  readonly name?: string | undefined
  readonly hint?: string | undefined
  readonly fieldData?: Readonly<Record<string, unknown>> | undefined
  readonly displayInProfileSummary?: boolean | undefined
  readonly required?: boolean | undefined
  readonly editableByUser?: boolean | undefined
}

/**
 * Adds a custom profile field at the end. For a known external site, its name and hint replace the
 * given ones.
 *
 * @returns the field's ID
 * @throws UNAUTHORIZED_PRINCIPAL
 * @throws BAD_REQUEST
 * @source Zulip API, "Create a custom profile field"
 */
export function createProfileField(
  tx: Tx,
  caller: Caller,
  wanted: FieldChanges & { readonly fieldType: number },
): number {
  requireAdministrator(caller.user)
  const { fieldType } = wanted
  const fieldData = requireFieldData(fieldType, wanted.fieldData ?? {})
  const site = fieldType === 7 ? knownSite(fieldData.subtype) : undefined
  if (wanted.displayInProfileSummary) requireSummaryRoom(tx, { fieldType })
  requireRoom(tx, profileFieldQuota, 'all')
  const { id } = insertProfileField(tx, {
    name: requireFieldName(tx, site?.name ?? wanted.name ?? ''),
    hint: requireHint(site?.hint ?? wanted.hint ?? ''),
    fieldType,
    fieldData,
    position: Math.max(0, ...listProfileFields(tx).map(({ position }) => position)) + 1,
    displayInProfileSummary: wanted.displayInProfileSummary ?? false,
    required: wanted.required ?? false,
    editableByUser: wanted.editableByUser ?? true,
  })
  emitProfileFields(tx)
  return id
}

function knownSite(subtype: unknown): { name: string; hint: string } | undefined {
  return Object.entries(externalAccounts).find(([key]) => key === subtype)?.[1]
}

function emitProfileFields(tx: Tx): void {
  tx.emit(profileFieldsEvent(listProfileFields(tx)), () => true)
}

/** @throws BAD_REQUEST */
function accessField(tx: Tx, id: number): ProfileField {
  const field = findProfileField(tx, id)
  if (!field)
    throw badRequest(sentSentence('Field id {id} not found.', { id: String(id) }), {
      parameter: 'field_id',
    })
  return field
}

/**
 * Changes a field; its type is fixed. Clears the values of users who had chosen a removed option.
 *
 * @param realmUrl the server's origin
 * @throws UNAUTHORIZED_PRINCIPAL
 * @throws BAD_REQUEST
 * @source Zulip API, "API changelog" (feature level 252)
 */
export function editProfileField(
  tx: Tx,
  caller: Caller,
  id: number,
  changes: FieldChanges,
  realmUrl: string,
): void {
  requireAdministrator(caller.user)
  const field = accessField(tx, id)
  const { name, hint, fieldData, ...flags } = changes
  if (flags.displayInProfileSummary) requireSummaryRoom(tx, field)
  const data = fieldData && requireFieldData(field.fieldType, fieldData)
  const given = {
    ...(name !== undefined && {
      name: name === field.name ? name : requireFieldName(tx, name, id),
    }),
    ...(hint !== undefined && { hint: requireHint(hint) }),
    ...(data && { fieldData: data }),
    ...Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
  }
  updateProfileField(tx, id, given)
  if (JSON.stringify(accessField(tx, id)) === JSON.stringify(field)) return
  emitProfileFields(tx)
  if (data && field.fieldType === 3) clearLost(tx, id, data, realmUrl)
}

function clearLost(tx: Tx, id: number, data: Record<string, unknown>, realmUrl: string): void {
  for (const { userId, value } of listValuesOf(tx, id)) {
    const user = Object.hasOwn(data, value) ? undefined : findUser(tx, userId)
    if (user) changeProfile(tx, user, [{ id, value: null }], true, realmUrl)
  }
}

/**
 * Deletes a field with all of its values.
 *
 * @throws UNAUTHORIZED_PRINCIPAL
 * @throws BAD_REQUEST
 */
export function removeProfileField(tx: Tx, caller: Caller, id: number): void {
  requireAdministrator(caller.user)
  deleteProfileField(tx, accessField(tx, id).id)
  emitProfileFields(tx)
}

/**
 * Reorders the fields.
 *
 * @param order the IDs of all fields
 * @throws UNAUTHORIZED_PRINCIPAL
 * @throws BAD_REQUEST an ID is missing, repeated or unknown
 * @source Zulip API, "Reorder custom profile fields"
 */
export function orderProfileFields(tx: Tx, caller: Caller, order: readonly number[]): void {
  requireAdministrator(caller.user)
  const ids = listProfileFields(tx).map(({ id }) => id)
  const isWhole = order.length === ids.length && ids.every((id) => order.includes(id))
  if (!isWhole) throw badRequest(sentSentence('Invalid order mapping.'), { parameter: 'order' })
  for (const [i, id] of order.entries()) updateProfileField(tx, id, { position: i + 1 })
  emitProfileFields(tx)
}
