import { event, integer, list, named, timestamp } from '#shape.ts'

export const mutedUserShape = named('MutedUser', { id: integer, timestamp })
export const mutedUsersShape = list(mutedUserShape)

export const mutedUserEventShapes = [
  event('MutedUsersEvent', 'muted_users', { muted_users: mutedUsersShape }),
]
