import { renderRealmDescription } from '#features/foundation/realm/description.ts'
import { emitUserUpdate } from '#features/foundation/users/events.ts'
import {
  deleteProfileValue,
  findProfileValue,
  upsertProfileValue,
} from '#features/foundation/users/profile-values.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { findProfileField, type ProfileField } from '#features/people/profile-fields/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { type ProfileInput, requireProfileValue } from './rules.ts'

export interface ProfileChange {
  readonly id: number
  readonly value: ProfileInput
}

/**
 * Sets or clears a user's custom profile fields, and emits the changes to all users who may see the
 * user.
 *
 * @param asAdministrator whether to allow fields that users may not edit themselves
 * @param realmUrl the server's origin
 * @throws BAD_REQUEST an unknown field, an invalid value, a field that is not editable, a bot
 * @source Zulip API, "Update a user by email"
 */
export function changeProfile(
  tx: Tx,
  user: User,
  changes: readonly ProfileChange[],
  asAdministrator: boolean,
  realmUrl: string,
): void {
  if (user.botType !== null && changes.length > 0)
    throw badRequest(sentSentence('Bots have no profile.'))
  for (const { id, value: input } of changes) {
    const field = findProfileField(tx, id)
    if (!field) throw badRequest(sentSentence('Field id {id} not found.', { id: String(id) }))
    if (!asAdministrator && !field.editableByUser) {
      throw badRequest(
        sentSentence(
          'You are not allowed to change this field. Contact an administrator to update it.',
        ),
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
  if (findProfileValue(tx, user.id, id) === value) return
  if (value === undefined) {
    deleteProfileValue(tx, user.id, id)
    emitUserUpdate(tx, user, { custom_profile_field: { id, value: null } })
    return
  }
  // Text fields hold Markdown, rendered like the organization's description, without mentions.
  const renderedValue = fieldType <= 2 ? renderRealmDescription(value, realmUrl) : null
  upsertProfileValue(tx, { userId: user.id, fieldId: id, value, renderedValue })
  const rendered = renderedValue !== null && { rendered_value: renderedValue }
  emitUserUpdate(tx, user, { custom_profile_field: { id, value, ...rendered } })
}
