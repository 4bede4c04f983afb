import type { UserDefaultName, UserSettings } from '#features/users/settings.ts'
import type { WireEvent } from '#platform/events/types.ts'

/**
 * Settings of the organization changed.
 *
 * @source Zulip API, "Get events", type "realm", op "update_dict"
 */
export interface RealmUpdateEvent extends WireEvent {
  type: 'realm'
  op: 'update_dict'
  /** Constant; old clients read it. */
  property: 'default'
  /** Wire names without `realm_`. */
  data: Record<string, unknown>
}

/**
 * The organization was deactivated.
 *
 * @source Zulip API, "Get events", type "realm", op "deactivated"
 */
export interface RealmDeactivatedEvent extends WireEvent {
  type: 'realm'
  op: 'deactivated'
  realm_id: number
}

/** A default setting of new users changed. */
export interface UserDefaultsEvent extends WireEvent {
  type: 'realm_user_settings_defaults'
  op: 'update'
  property: UserDefaultName
  value: UserSettings[UserDefaultName]
}

export function realmUpdateEvent(data: Record<string, unknown>): RealmUpdateEvent {
  return { type: 'realm', op: 'update_dict', property: 'default', data }
}

export function realmDeactivatedEvent(realmId: number): RealmDeactivatedEvent {
  return { type: 'realm', op: 'deactivated', realm_id: realmId }
}

export function userDefaultsEvent(
  property: UserDefaultName,
  value: UserSettings[UserDefaultName],
): UserDefaultsEvent {
  return { type: 'realm_user_settings_defaults', op: 'update', property, value }
}
