import type { WireEvent } from '#events/types.ts'
import type { UserDefaultName, UserSettings } from '#users/settings.ts'

/** Settings of the organization changed. @source api-changes §4, "`realm` update_dict" */
export interface RealmUpdateEvent extends WireEvent {
  type: 'realm'
  op: 'update_dict'
  /** Always the same; old clients read it. */
  property: 'default'
  /** Wire names without `realm_`. */
  data: Record<string, unknown>
}

/** What new users start with changed. */
export interface UserDefaultsEvent extends WireEvent {
  type: 'realm_user_settings_defaults'
  op: 'update'
  property: UserDefaultName
  value: UserSettings[UserDefaultName]
}

export function realmUpdateEvent(data: Record<string, unknown>): RealmUpdateEvent {
  return { type: 'realm', op: 'update_dict', property: 'default', data }
}

export function userDefaultsEvent(
  property: UserDefaultName,
  value: UserSettings[UserDefaultName],
): UserDefaultsEvent {
  return { type: 'realm_user_settings_defaults', op: 'update', property, value }
}
