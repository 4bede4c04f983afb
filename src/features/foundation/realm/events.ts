import { extendedEvent, without } from '#platform/events/extended.ts'
import type { ServerEvent, WireEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import { extendedSettings } from './settings.ts'
import type { realmDeactivatedEventShape } from './shapes.ts'

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
export type RealmDeactivatedEvent = EventOf<
  [typeof realmDeactivatedEventShape],
  'realm',
  'deactivated'
>

export function realmUpdateEvent(data: Record<string, unknown>): ServerEvent {
  const update = (changed: object): RealmUpdateEvent => ({
    type: 'realm',
    op: 'update_dict',
    property: 'default',
    data: { ...changed },
  })
  const plain = without(data, [...extendedSettings.keys()])
  const count = Object.keys(plain).length
  if (count === Object.keys(data).length) return update(data)
  return extendedEvent(update(data), count > 0 ? update(plain) : undefined)
}

export function realmDeactivatedEvent(realmId: number): RealmDeactivatedEvent {
  return { type: 'realm', op: 'deactivated', realm_id: realmId }
}
