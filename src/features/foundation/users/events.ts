import type { EventOf } from '#platform/shape.ts'
import type { Tx } from '#platform/store/store.ts'
import { canAccessUser, canSeeEmail } from './access.ts'
import { describeUser, unknownUserJson } from './json.ts'
import { type UserChanges, userChanged } from './occasions.ts'
import { profileData } from './profile-values.queries.ts'
import { findUser, type User } from './queries.ts'
import type { userEventShapes } from './shapes.ts'

/** A user joined. */
export type UserAddEvent = EventOf<typeof userEventShapes, 'realm_user', 'add'>

/** A user changed; the form of `person` depends on what changed. */
export type UserUpdateEvent = EventOf<typeof userEventShapes, 'realm_user', 'update'>

export function userUpdateEvent(userId: number, changes: UserChanges): UserUpdateEvent {
  return { type: 'realm_user', op: 'update', person: { user_id: userId, ...changes } }
}

/** A limited guest may no longer see this user. */
export type UserRemoveEvent = EventOf<typeof userEventShapes, 'realm_user', 'remove'>

/**
 * Tells limited guests that they can no longer see a user.
 *
 * @source Zulip API, "Get events", type "realm_user" (feature level 228)
 */
export function emitUserRemoved(tx: Tx, userId: number, viewerIds: readonly number[]): void {
  const { full_name } = unknownUserJson(tx, userId)
  const event: UserRemoveEvent = {
    type: 'realm_user',
    op: 'remove',
    person: { user_id: userId, full_name },
  }
  tx.emit(event, viewerIds)
}

/**
 * Emits a new user, to each viewer in the form that they may see.
 *
 * @param isFor which users get the event; all users by default
 */
export function emitUserAdded(
  tx: Tx,
  user: User,
  isFor: (viewerId: number) => boolean = () => true,
): void {
  const views = new Map<number, View>()
  const profile = user.botType === null ? profileData(tx, user.id) : undefined
  tx.emit(
    {
      type: 'realm_user',
      variant({ traits }) {
        const view = views.get(traits.userId) ?? 'unknown'
        if (view !== 'unknown') return view
        return traits.capabilities.has('user_list_incomplete') ? undefined : view
      },
      build(key): UserAddEvent {
        const person =
          key === 'unknown'
            ? unknownUserJson(tx, user.id)
            : describeUser(user, key === 'address', profile)
        return { type: 'realm_user', op: 'add', person }
      },
    },
    (viewerId) => {
      const viewer = isFor(viewerId) ? findUser(tx, viewerId) : undefined
      if (viewer) views.set(viewerId, viewOf(tx, viewer, user))
      return viewer !== undefined
    },
  )
}

/**
 * How much a viewer may see of a user: everything, everything except the address, or only that they
 * exist.
 */
type View = 'address' | 'name' | 'unknown'

function viewOf(tx: Tx, viewer: User, user: User): View {
  if (!canAccessUser(tx, viewer, user)) return 'unknown'
  return canSeeEmail(tx, viewer, user) ? 'address' : 'name'
}

/** Emits a user's changes to all users who may see them, and announces them as `userChanged`. */
export function emitUserUpdate(tx: Tx, user: User, changes: UserChanges): void {
  emitUserUpdateTo(tx, user, changes, () => true)
  tx.announce(userChanged, { user, changes })
}

/** Emits a user's changes to those users who may see them and for whom `isFor` is true. */
function emitUserUpdateTo(
  tx: Tx,
  user: User,
  changes: UserChanges,
  isFor: (viewer: User) => boolean,
): void {
  tx.emit(userUpdateEvent(user.id, changes), (viewerId) => {
    const viewer = findUser(tx, viewerId)
    return viewer !== undefined && isFor(viewer) && canAccessUser(tx, viewer, user)
  })
}

/**
 * Tells all users who may see a user which address they now see: the real one, if that changed for
 * them, and the API address.
 *
 * @param before the user before the change
 * @param sawAddress whether a viewer could see the real address before the change
 */
export function emitAddresses(
  tx: Tx,
  before: User,
  sawAddress: (viewer: User) => boolean,
  user: User,
): void {
  const sees = (viewer: User) => canSeeEmail(tx, viewer, user)
  emitUserUpdateTo(tx, user, { delivery_email: user.email }, (viewer) => {
    return sees(viewer) && (before.email !== user.email || !sawAddress(viewer))
  })
  emitUserUpdateTo(tx, user, { delivery_email: null }, (viewer) => {
    return !sees(viewer) && sawAddress(viewer)
  })
  if (before.apiEmail !== user.apiEmail) emitUserUpdate(tx, user, { new_email: user.apiEmail })
}
