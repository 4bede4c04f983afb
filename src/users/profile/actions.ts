import { badRequest } from '#errors.ts'
import { findProfileField, type ProfileField } from '#profile-fields/queries.ts'
import { renderRealmDescription } from '#realm/description.ts'
import type { Tx } from '#store/write.ts'
import { emitUserUpdate } from '#users/events.ts'
import type { User } from '#users/queries.ts'
import { deleteProfileValue, profileData, upsertProfileValue } from './queries.ts'
import { type ProfileInput, requireProfileValue } from './values.ts'

export interface ProfileChange {
  readonly id: number
  readonly value: ProfileInput
}

/**
 * Fills in custom profile fields, or clears them, and tells all who know of the user.
 *
 * @param asAdministrator whether fields that users may not edit themselves are open
 * @param realmUrl the server's origin
 * @throws BAD_REQUEST unknown fields, values that they cannot have, a field that is not open, a bot
 * @source api-changes §2b, `PATCH /users/me/profile_data`; contract, "Update a user by email"
 */
export function changeProfile(
  tx: Tx,
  user: User,
  changes: readonly ProfileChange[],
  asAdministrator: boolean,
  realmUrl: string,
): void {
  if (user.botType !== null && changes.length > 0) throw badRequest('Bots have no profile.')
  for (const { id, value: input } of changes) {
    const field = findProfileField(tx, id)
    if (!field) throw badRequest(`Field id ${id} not found.`)
    if (!asAdministrator && !field.editableByUser) {
      throw badRequest(
        'You are not allowed to change this field. Contact an administrator to update it.',
      )
    }
    changeValue(tx, user, field, requireProfileValue(tx, field, input), realmUrl)
  }
}

function changeValue(
  tx: Tx,
  user: User,
  { id, fieldType }: ProfileField,
  value: string | undefined,
  realmUrl: string,
): void {
  if (profileData(tx, user.id)[id]?.value === value) return
  if (value === undefined) {
    deleteProfileValue(tx, user.id, id)
    emitUserUpdate(tx, user, { custom_profile_field: { id, value: null } })
    return
  }
  // Types 1 and 2 hold Markdown; like the organization's description it names nobody.
  const renderedValue = fieldType <= 2 ? renderRealmDescription(value, realmUrl) : null
  upsertProfileValue(tx, { userId: user.id, fieldId: id, value, renderedValue })
  const rendered = renderedValue !== null && { rendered_value: renderedValue }
  emitUserUpdate(tx, user, { custom_profile_field: { id, value, ...rendered } })
}
