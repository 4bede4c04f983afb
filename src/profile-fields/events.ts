import type { WireEvent } from '#events/types.ts'
import { type ProfileFieldJson, profileFieldJson } from './json.ts'
import type { ProfileField } from './queries.ts'

/** The custom profile fields changed: all of them, in order. */
export interface ProfileFieldsEvent extends WireEvent {
  type: 'custom_profile_fields'
  fields: ProfileFieldJson[]
}

export function profileFieldsEvent(fields: readonly ProfileField[]): ProfileFieldsEvent {
  return { type: 'custom_profile_fields', fields: fields.map(profileFieldJson) }
}
