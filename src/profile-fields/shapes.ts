import { boolean, choice, event, integer, list, named, noted, string } from '#shape.ts'
import { fieldTypes } from './rules.ts'

/** @source the API description's `CustomProfileField` */
export const profileFieldShape = named('CustomProfileField', {
  id: integer,
  type: choice(...fieldTypes),
  order: integer,
  name: string,
  hint: string,
  field_data: noted(
    string,
    'JSON: the options of a list, the site of an external account; empty for other types.',
  ),
  display_in_profile_summary: boolean,
  required: boolean,
  editable_by_user: boolean,
})

export const profileFieldEventShapes = [
  event('CustomProfileFieldsEvent', 'custom_profile_fields', { fields: list(profileFieldShape) }),
]
