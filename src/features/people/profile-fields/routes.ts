import * as v from 'valibot'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  bool,
  described,
  int,
  ints,
  json,
  oneOfInts,
  optional,
  recordOf,
  shortText,
  tidied,
  type Values,
  word,
} from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { profileFieldJson } from './json.ts'
import { listProfileFields as listFields } from './queries.ts'
import { profileFieldQuota } from './quotas.ts'
import { fieldTypes, longest } from './rules.ts'
import { profileFieldShape } from './shapes.ts'

const longText = 1000

/** The subtype or the pattern of an external account, or an option. */
const fieldMember = v.union([
  shortText(2000),
  v.object({ text: shortText(longText), order: shortText(longText) }),
])

const changes = {
  name: optional(tidied(word(longText), longest.name)),
  hint: optional(tidied(word(longText), longest.hint)),
  field_data: described(
    optional(json(recordOf(fieldMember, 1000, 100))),
    'An object. For type 3: the options by key, each with `text` and `order`. For type 7: `subtype`, and `url_pattern` if the subtype is `custom`.',
  ),
  display_in_profile_summary: optional(bool()),
  required: optional(bool()),
  /** Feature level 296. */
  editable_by_user: optional(bool()),
}

function named(p: Values<typeof changes>): actions.FieldChanges {
  return {
    name: p.name,
    hint: p.hint,
    fieldData: p.field_data,
    displayInProfileSummary: p.display_in_profile_summary,
    required: p.required,
    editableByUser: p.editable_by_user,
  }
}

/** @source Zulip API, "Get all custom profile fields" */
export const listProfileFields = endpoint({
  method: 'get',
  path: '/realm/profile_fields',
  summary: 'List the custom profile fields.',
  params: {},
  reply: { custom_fields: shape.list(profileFieldShape) },
  run: ({ store }) => ({ custom_fields: listFields(store).map(profileFieldJson) }),
})

/** @source Zulip API, "Create a custom profile field" */
export const createProfileField = endpoint({
  method: 'post',
  path: '/realm/profile_fields',
  summary: 'Create a custom profile field.',
  description: limitsText(profileFieldQuota),
  params: { field_type: oneOfInts(fieldTypes), ...changes },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { id: shape.integer },
  async run(caller, { field_type, ...p }) {
    const wanted = { fieldType: field_type, ...named(p) }
    return {
      id: await caller.store.write((tx) => actions.createProfileField(tx, caller, wanted)),
    }
  },
})

/** @source Zulip API, "Reorder custom profile fields" */
export const orderProfileFields = endpoint({
  method: 'patch',
  path: '/realm/profile_fields',
  summary: 'Reorder the custom profile fields.',
  params: { order: ints(1000) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.orderProfileFields(tx, caller, p.order)),
})

/** @source Zulip API, "API changelog" (feature level 252) */
export const editProfileField = endpoint({
  method: 'patch',
  path: '/realm/profile_fields/:field_id',
  summary: 'Change a custom profile field.',
  params: { field_id: int(), ...changes },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, { field_id, ...p }) =>
    caller.store.write((tx) =>
      actions.editProfileField(tx, caller, field_id, named(p), caller.server.realmUrl),
    ),
})

export const removeProfileField = endpoint({
  method: 'delete',
  path: '/realm/profile_fields/:field_id',
  summary: 'Remove a custom profile field and all of its values.',
  params: { field_id: int() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => actions.removeProfileField(tx, caller, p.field_id)),
})
