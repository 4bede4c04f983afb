import type { Shaped } from '#platform/shape.ts'
import type { ProfileField } from './queries.ts'
import type { profileFieldShape } from './shapes.ts'

/**
 * A custom profile field on the wire.
 *
 * @source Zulip API, "Get all custom profile fields"
 */
export type ProfileFieldJson = Shaped<typeof profileFieldShape>

export function profileFieldJson(field: ProfileField): ProfileFieldJson {
  const hasData = Object.keys(field.fieldData).length > 0
  return {
    id: field.id,
    type: field.fieldType as ProfileFieldJson['type'],
    order: field.position,
    name: field.name,
    hint: field.hint,
    field_data: hasData ? JSON.stringify(field.fieldData) : '',
    display_in_profile_summary: field.displayInProfileSummary,
    required: field.required,
    editable_by_user: field.editableByUser,
  }
}
