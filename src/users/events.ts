import { botChanges, emitBotUpdate } from '#bots/events.ts'
import type { WireEvent } from '#events/types.ts'
import type { Tx } from '#store/write.ts'
import { canAccessUser, canSeeEmail } from './access.ts'
import { describeUser, type UserJson, unknownUserJson } from './json.ts'
import { profileData } from './profile/queries.ts'
import { findUser, type User } from './queries.ts'

/** Somebody joined. */
export interface UserAddEvent extends WireEvent {
  type: 'realm_user'
  op: 'add'
  person: UserJson
}

/** What changed about somebody; the form of `person` depends on what that is. */
export interface UserUpdateEvent extends WireEvent {
  type: 'realm_user'
  op: 'update'
  person: { user_id: number } & Record<string, unknown>
}

export function userUpdateEvent(userId: number, changes: Record<string, unknown>): UserUpdateEvent {
  return { type: 'realm_user', op: 'update', person: { user_id: userId, ...changes } }
}

/** A limited guest does not know of somebody any more. */
export interface UserRemoveEvent extends WireEvent {
  type: 'realm_user'
  op: 'remove'
  /** The name is deprecated, and nobody's. */
  person: { user_id: number; full_name: string }
}

/** Tells guests that they do not know of somebody any more. @source the API description (228) */
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
 * Tells of a new user, each viewer in the form that they may see.
 *
 * @param isFor who is told; everybody unless given
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
        if (view !== 'unknown') return `${view} ${traits.clientGravatar}`
        return traits.capabilities.has('user_list_incomplete') ? undefined : view
      },
      build(key, { traits }): UserAddEvent {
        const person =
          key === 'unknown'
            ? unknownUserJson(tx, user.id)
            : describeUser(user, key.startsWith('address'), traits.clientGravatar, profile)
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

/** What of a user somebody may see: the real address too, all but that, or only that they exist. */
type View = 'address' | 'name' | 'unknown'

function viewOf(tx: Tx, viewer: User, user: User): View {
  if (!canAccessUser(tx, viewer, user)) return 'unknown'
  return canSeeEmail(tx, viewer, user) ? 'address' : 'name'
}

/**
 * Emits a change of a user to all who may know of that user. Those who administer a bot hear of it
 * as such, too.
 */
export function emitUserUpdate(tx: Tx, user: User, changes: Record<string, unknown>): void {
  emitUserUpdateTo(tx, user, changes, () => true)
  const forAdministrators = user.botType === null ? {} : botChanges(changes)
  if (Object.keys(forAdministrators).length > 0) emitBotUpdate(tx, user, forAdministrators)
}

/** The same, but only to those of whom `isFor` is true. */
function emitUserUpdateTo(
  tx: Tx,
  user: User,
  changes: Record<string, unknown>,
  isFor: (viewer: User) => boolean,
): void {
  tx.emit(userUpdateEvent(user.id, changes), (viewerId) => {
    const viewer = findUser(tx, viewerId)
    return viewer !== undefined && isFor(viewer) && canAccessUser(tx, viewer, user)
  })
}

/**
 * Tells all who may know of a user which address they now see: the real one, if that changed for
 * them, and the one of the API.
 *
 * @param before the user until now
 * @param sawAddress who could see the real address until now
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
