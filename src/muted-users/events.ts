import type { Shaped } from '#shape.ts'
import type { MutedUser } from './queries.ts'
import type { mutedUserShape } from './shapes.ts'

/** The user muted or unmuted somebody: all whom they mute now. */
export interface MutedUsersEvent {
  type: 'muted_users'
  muted_users: MutedUserJson[]
}

/** @source the API description of the `muted_users` event */
export type MutedUserJson = Shaped<typeof mutedUserShape>

export function mutedUserJson({ mutedId, mutedAt }: MutedUser): MutedUserJson {
  return { id: mutedId, timestamp: mutedAt }
}

export function mutedUsersEvent(muted: readonly MutedUser[]): MutedUsersEvent {
  return { type: 'muted_users', muted_users: muted.map(mutedUserJson) }
}
