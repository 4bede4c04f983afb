import type { EventOf } from '#platform/shape.ts'
import { profileFieldJson } from './json.ts'
import type { ProfileField } from './queries.ts'
import type { profileFieldEventShapes } from './shapes.ts'

/**
 * The custom profile fields changed; holds all of them, in order.
 *
 * @source Zulip API, "Get events", type "custom_profile_fields"
 */
export type ProfileFieldsEvent = EventOf<typeof profileFieldEventShapes, 'custom_profile_fields'>

export function profileFieldsEvent(fields: readonly ProfileField[]): ProfileFieldsEvent {
  return { type: 'custom_profile_fields', fields: fields.map(profileFieldJson) }
}
