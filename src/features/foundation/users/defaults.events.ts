import type { EventOf } from '#platform/shape.ts'
import type { UserDefaultName, UserSettings } from './settings.ts'
import type { userDefaultsEventShape } from './shapes.ts'

/** A default setting of new users changed. */
export type UserDefaultsEvent = EventOf<
  [typeof userDefaultsEventShape],
  'realm_user_settings_defaults'
>

export function userDefaultsEvent(
  property: UserDefaultName,
  value: UserSettings[UserDefaultName],
): UserDefaultsEvent {
  return { type: 'realm_user_settings_defaults', op: 'update', property, value }
}
