import * as shape from '#platform/shape.ts'
import { fieldTypes } from './rules.ts'

/** @source Zulip API, "Get all custom profile fields" */
export const profileFieldShape = shape.named('CustomProfileField', {
  id: shape.integer,
  type: shape.choice(...fieldTypes),
  order: shape.integer,
  name: shape.string,
  hint: shape.string,
  field_data: shape.noted(
    shape.string,
    'JSON text: the options of a list, or the site of an external account; empty for other types.',
  ),
  display_in_profile_summary: shape.boolean,
  required: shape.boolean,
  editable_by_user: shape.boolean,
})

export const profileFieldEventShapes = [
  shape.event('CustomProfileFieldsEvent', 'custom_profile_fields', {
    fields: shape.list(profileFieldShape),
  }),
]
