import type { ProfileField } from './queries.ts'

/** A custom profile field on the wire. @source the API description's `CustomProfileField` */
export interface ProfileFieldJson {
  id: number
  type: number
  order: number
  name: string
  /** Empty rather than null: zulip-flutter requires text. */
  hint: string
  /** JSON: the options of a list, the site of an external account; empty for other types. */
  field_data: string
  display_in_profile_summary: boolean
  required: boolean
  editable_by_user: boolean
}

export function profileFieldJson(field: ProfileField): ProfileFieldJson {
  const hasData = Object.keys(field.fieldData).length > 0
  return {
    id: field.id,
    type: field.fieldType,
    order: field.position,
    name: field.name,
    hint: field.hint,
    field_data: hasData ? JSON.stringify(field.fieldData) : '',
    display_in_profile_summary: field.displayInProfileSummary,
    required: field.required,
    editable_by_user: field.editableByUser,
  }
}
