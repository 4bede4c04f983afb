import type { MutedUser } from './queries.ts'

/** The user muted or unmuted somebody: all whom they mute now. */
export interface MutedUsersEvent {
  type: 'muted_users'
  muted_users: MutedUserJson[]
}

/** @source the API description of the `muted_users` event */
export interface MutedUserJson {
  id: number
  timestamp: number
}

export function mutedUserJson({ mutedId, mutedAt }: MutedUser): MutedUserJson {
  return { id: mutedId, timestamp: mutedAt }
}

export function mutedUsersEvent(muted: readonly MutedUser[]): MutedUsersEvent {
  return { type: 'muted_users', muted_users: muted.map(mutedUserJson) }
}
