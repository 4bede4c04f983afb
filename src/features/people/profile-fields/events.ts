import type { WireEvent } from '#platform/events/types.ts'
import { type ProfileFieldJson, profileFieldJson } from './json.ts'
import type { ProfileField } from './queries.ts'

/**
 * The custom profile fields changed; holds all of them, in order.
 *
 * @source Zulip API, "Get events", type "custom_profile_fields"
 */
export interface ProfileFieldsEvent extends WireEvent {
  type: 'custom_profile_fields'
  fields: ProfileFieldJson[]
}

export function profileFieldsEvent(fields: readonly ProfileField[]): ProfileFieldsEvent {
  return { type: 'custom_profile_fields', fields: fields.map(profileFieldJson) }
}
