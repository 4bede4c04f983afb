import type { WireEvent } from '#platform/events/types.ts'
import type { UserDefaultName, UserSettings } from './settings.ts'

/** A default setting of new users changed. */
export interface UserDefaultsEvent extends WireEvent {
  type: 'realm_user_settings_defaults'
  op: 'update'
  property: UserDefaultName
  value: UserSettings[UserDefaultName]
}

export function userDefaultsEvent(
  property: UserDefaultName,
  value: UserSettings[UserDefaultName],
): UserDefaultsEvent {
  return { type: 'realm_user_settings_defaults', op: 'update', property, value }
}
