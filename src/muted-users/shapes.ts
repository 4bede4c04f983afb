import { event, integer, list, named, timestamp } from '#shape.ts'

export const mutedUsersShape = list(named('MutedUser', { id: integer, timestamp }))

export const mutedUserEventShapes = [
  event('MutedUsersEvent', 'muted_users', { muted_users: mutedUsersShape }),
]
