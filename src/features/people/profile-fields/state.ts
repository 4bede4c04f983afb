import { publicPart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { sentTexts } from '#translations/translate.ts'
import { profileFieldJson } from './json.ts'
import { listProfileFields } from './queries.ts'
import { profileFieldShape } from './shapes.ts'

/** The types of fields, by their number in the API. */
const fieldTypes = sentTexts({
  SHORT_TEXT: { id: 1, name: 'Short text' },
  LONG_TEXT: { id: 2, name: 'Long text' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Person' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
})

export const profileFieldsState = publicPart({
  types: ['custom_profile_fields'],
  members: {
    custom_profile_fields: shape.list(profileFieldShape),
    custom_profile_field_types: shape.record(
      shape.named('CustomProfileFieldType', { id: shape.integer, name: shape.string }),
    ),
  },
  read: ({ store }) => ({
    custom_profile_fields: listProfileFields(store).map(profileFieldJson),
    custom_profile_field_types: fieldTypes,
  }),
})
