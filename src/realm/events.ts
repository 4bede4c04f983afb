import type { Context } from '#context.ts'
import type { WireEvent } from '#events/types.ts'
import type { UserDefaultName, UserSettings } from '#users/settings.ts'
import { versionFacts } from './server-facts.ts'

/** Settings of the organization changed. @source api-changes §4, "`realm` update_dict" */
export interface RealmUpdateEvent extends WireEvent {
  type: 'realm'
  op: 'update_dict'
  /** Always the same; old clients read it. */
  property: 'default'
  /** Wire names without `realm_`. */
  data: Record<string, unknown>
}

/**
 * The server has started again, perhaps as another version that can do other things.
 *
 * @source the API description of `GET /events`, `restart`
 */
export interface RestartEvent extends WireEvent, ReturnType<typeof versionFacts> {
  type: 'restart'
  server_generation: number
}

/** Nobody can use the organization any more. @source api-changes §2b */
export interface RealmDeactivatedEvent extends WireEvent {
  type: 'realm'
  op: 'deactivated'
  realm_id: number
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

export function restartEvent(server: Context): RestartEvent {
  return { type: 'restart', ...versionFacts(server), server_generation: server.startedAt }
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
