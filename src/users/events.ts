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

function userUpdateEvent(userId: number, changes: Record<string, unknown>): UserUpdateEvent {
  return { type: 'realm_user', op: 'update', person: { user_id: userId, ...changes } }
}

/** Tells everybody of a new user, each in the form that they may see. */
export function emitUserAdded(tx: Tx, user: User): void {
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
      const viewer = findUser(tx, viewerId)
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

/** Emits a change of a user to all who may know of that user. */
export function emitUserUpdate(tx: Tx, user: User, changes: Record<string, unknown>): void {
  tx.emit(userUpdateEvent(user.id, changes), (viewerId) => {
    const viewer = findUser(tx, viewerId)
    return viewer !== undefined && canAccessUser(tx, viewer, user)
  })
}
