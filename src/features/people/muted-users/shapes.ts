import * as shape from '#platform/shape.ts'

export const mutedUserShape = shape.named('MutedUser', {
  id: shape.integer,
  timestamp: shape.timestamp,
})
export const mutedUsersShape = shape.list(mutedUserShape)

export const mutedUserEventShapes = [
  shape.event('MutedUsersEvent', 'muted_users', { muted_users: mutedUsersShape }),
]
