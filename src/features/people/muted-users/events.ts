import type { MutedUser } from '#features/foundation/users/muting.queries.ts'
import type { Shaped } from '#platform/shape.ts'
import type { mutedUserShape } from './shapes.ts'

/** The user muted or unmuted someone; holds all users they mute. */
export interface MutedUsersEvent {
  type: 'muted_users'
  muted_users: MutedUserJson[]
}

/** @source Zulip API, "Get events", type "muted_users" */
export type MutedUserJson = Shaped<typeof mutedUserShape>

export function mutedUserJson({ mutedId, mutedAt }: MutedUser): MutedUserJson {
  return { id: mutedId, timestamp: mutedAt }
}

export function mutedUsersEvent(muted: readonly MutedUser[]): MutedUsersEvent {
  return { type: 'muted_users', muted_users: muted.map(mutedUserJson) }
}
