import { canAccessUser } from '#features/foundation/users/access.ts'
import type { RevealedUser } from '#features/foundation/users/occasions.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import type { Tx } from '#platform/store/store.ts'
import { showsPresences } from './access.ts'
import { legacyPresence, slimPresence } from './json.ts'
import { findPresence, type Presence } from './queries.ts'
import type { presenceEventShapes } from './shapes.ts'

/**
 * A user came back online.
 *
 * @source Zulip API, "Get events", type "presence"
 */
export type PresenceEvent = EventOf<typeof presenceEventShapes, 'presence'>

/** The form for queues with `simplified_presence_events` (feature level 419). */
export type SimplifiedPresenceEvent = EventOf<typeof presenceEventShapes, 'presence'>

/** Emits a user's presence to users who can see them from now on. */
export function emitKnownPresence(tx: Tx, { user, isFor }: RevealedUser): void {
  emitPresence(tx, user, isFor)
}

/**
 * Emits a user's presence, if there is one, to all users who may see the user, or those of them for
 * whom `isFor` is true.
 */
export function emitPresence(
  tx: Tx,
  user: User,
  isFor: (viewerId: number) => boolean = () => true,
): void {
  const presence = showsPresences(tx) ? findPresence(tx, user.id) : undefined
  if (!presence) return
  tx.emit(presenceEvent(presence, tx.clock.now()), (viewerId) => {
    const viewer = isFor(viewerId) ? findUser(tx, viewerId) : undefined
    return viewer !== undefined && canAccessUser(tx, viewer, user)
  })
}

/** @param now milliseconds since the epoch */
function presenceEvent(presence: Presence, now: number): VariantEvent {
  return {
    type: 'presence',
    variant: ({ traits }) =>
      traits.capabilities.has('simplified_presence_events') ? 'simplified' : 'legacy',
    build: (key): PresenceEvent | SimplifiedPresenceEvent =>
      key === 'simplified'
        ? { type: 'presence', presences: { [presence.userId]: slimPresence(presence) } }
        : {
            type: 'presence',
            user_id: presence.userId,
            email: presence.apiEmail,
            server_timestamp: now / 1000,
            presence: { website: legacyPresence(presence).website },
          },
  }
}
