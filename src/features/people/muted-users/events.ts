import type { MutedUser } from '#features/foundation/users/muting.queries.ts'
import type { EventOf, Shaped } from '#platform/shape.ts'
import type { mutedUserEventShapes, mutedUserShape } from './shapes.ts'

/** The user muted or unmuted someone; holds all users they mute. */
export type MutedUsersEvent = EventOf<typeof mutedUserEventShapes, 'muted_users'>

/** @source Zulip API, "Get events", type "muted_users" */
export type MutedUserJson = Shaped<typeof mutedUserShape>

export function mutedUserJson({ mutedId, mutedAt }: MutedUser): MutedUserJson {
  return { id: mutedId, timestamp: mutedAt }
}

export function mutedUsersEvent(muted: readonly MutedUser[]): MutedUsersEvent {
  return { type: 'muted_users', muted_users: muted.map(mutedUserJson) }
}
