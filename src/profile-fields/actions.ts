import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { requireAdministrator } from '#permissions/can.ts'
import { externalAccounts } from '#realm/choices.ts'
import type { Tx } from '#store/write.ts'
import { changeProfile } from '#users/profile/actions.ts'
import { findUser } from '#users/queries.ts'
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
import { requireFieldData, requireFieldName, requireHint, requireSummaryRoom } from './rules.ts'

/** What may be said of a field at any time. */
export interface FieldChanges {
  readonly name?: string | undefined
  readonly hint?: string | undefined
  readonly fieldData?: Readonly<Record<string, unknown>> | undefined
  readonly displayInProfileSummary?: boolean | undefined
  readonly required?: boolean | undefined
  readonly editableByUser?: boolean | undefined
}

/**
 * Adds a custom profile field at the end. A site that everybody knows has a name and a hint of its
 * own.
 *
 * @returns its id
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST
 * @source contract, "Create a custom profile field"
 */
export function createProfileField(
  tx: Tx,
  caller: Caller,
  wanted: FieldChanges & { readonly fieldType: number },
): number {
  requireAdministratorNow(tx, caller)
  const { fieldType } = wanted
  const fieldData = requireFieldData(fieldType, wanted.fieldData ?? {})
  const site = fieldType === 7 ? knownSite(fieldData.subtype) : undefined
  if (wanted.displayInProfileSummary) requireSummaryRoom(tx, { fieldType })
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
  tell(tx)
  return id
}

function knownSite(subtype: unknown): { name: string; hint: string } | undefined {
  return Object.entries(externalAccounts).find(([key]) => key === subtype)?.[1]
}

function requireAdministratorNow(tx: Tx, { user }: Caller): void {
  requireAdministrator(findUser(tx, user.id) ?? user)
}

function tell(tx: Tx): void {
  tx.emit(profileFieldsEvent(listProfileFields(tx)), () => true)
}

/** @throws BAD_REQUEST */
function accessField(tx: Tx, id: number): ProfileField {
  const field = findProfileField(tx, id)
  if (!field) throw badRequest(`Field id ${id} not found.`)
  return field
}

/**
 * Changes a field; its type stays. Who had chosen an option that goes away has no value any more.
 *
 * @param realmUrl the server's origin
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST
 * @source the API description of `PATCH /realm/profile_fields/{id}`; every part optional (level 252)
 */
export function editProfileField(
  tx: Tx,
  caller: Caller,
  id: number,
  changes: FieldChanges,
  realmUrl: string,
): void {
  requireAdministratorNow(tx, caller)
  const field = accessField(tx, id)
  const { name, hint, fieldData, ...flags } = changes
  if (flags.displayInProfileSummary) requireSummaryRoom(tx, field)
  const data = fieldData && requireFieldData(field.fieldType, fieldData)
  const given = {
    ...(name !== undefined && { name: requireFieldName(tx, name, id) }),
    ...(hint !== undefined && { hint: requireHint(hint) }),
    ...(data && { fieldData: data }),
    ...Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
  }
  updateProfileField(tx, id, given)
  if (JSON.stringify(accessField(tx, id)) === JSON.stringify(field)) return
  tell(tx)
  if (data && field.fieldType === 3) clearLost(tx, id, data, realmUrl)
}

function clearLost(tx: Tx, id: number, data: Record<string, unknown>, realmUrl: string): void {
  for (const { userId, value } of listValuesOf(tx, id)) {
    const user = Object.hasOwn(data, value) ? undefined : findUser(tx, userId)
    if (user) changeProfile(tx, user, [{ id, value: null }], true, realmUrl)
  }
}

/** Deletes a field and what people filled in. @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST */
export function removeProfileField(tx: Tx, caller: Caller, id: number): void {
  requireAdministratorNow(tx, caller)
  deleteProfileField(tx, accessField(tx, id).id)
  tell(tx)
}

/**
 * Puts the fields into another order.
 *
 * @param order the ids of all fields
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST an id too many or too few
 */
export function orderProfileFields(tx: Tx, caller: Caller, order: readonly number[]): void {
  requireAdministratorNow(tx, caller)
  const ids = listProfileFields(tx).map(({ id }) => id)
  const isWhole = order.length === ids.length && ids.every((id) => order.includes(id))
  if (!isWhole) throw badRequest('Invalid order mapping.')
  for (const [i, id] of order.entries()) updateProfileField(tx, id, { position: i + 1 })
  tell(tx)
}
