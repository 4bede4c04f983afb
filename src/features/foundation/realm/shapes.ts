import * as shape from '#platform/shape.ts'

export const realmDeactivatedEventShape = shape.event('RealmDeactivatedEvent', 'realm', {
  op: shape.choice('deactivated'),
  realm_id: shape.integer,
})
