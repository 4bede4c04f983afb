import {
  realmGroupSetting,
  systemGroupId,
} from '#features/foundation/permissions/membership.queries.ts'
import type { Tx } from '#platform/store/store.ts'
import { canAccessAllUsers } from './access.ts'
import { emitUserAdded, emitUserRemoved } from './events.ts'
import { userRevealed } from './occasions.ts'
import { findUser, roles, type User } from './queries.ts'
import { listSharers } from './sharers.queries.ts'

/** Users who share a channel or conversation, before or after a change of its members. */
export interface SharedMembership {
  /** All members, including those who join or leave. */
  readonly members: readonly number[]
  /** The members who join or leave. */
  readonly changing: readonly number[]
}

/** A guest with an event queue, and the users whose visibility to the guest may change. */
interface TrackedGuest {
  readonly guest: User
  readonly candidates: readonly number[]
  /** The candidates who were visible before the change. */
  readonly oldVisible: ReadonlySet<number>
}

/**
 * Remembers the users that guests with limited access can see, before memberships change. Cheap if
 * guests can see everyone or no such guest is online.
 *
 * @source Zulip API, "Get events", type "realm_user", ops "add" and "remove" (feature level 228)
 */
export function trackGuestVisibility(
  tx: Tx,
  memberships: () => readonly SharedMembership[],
): { emitChanges(): void } {
  const guests = liveLimitedGuests(tx)
  const trackedGuests = guests.length === 0 ? [] : trackEach(tx, guests, memberships())
  return {
    emitChanges() {
      const gained = new Map<number, number[]>()
      const lost = new Map<number, number[]>()
      for (const { guest, candidates, oldVisible } of trackedGuests) {
        const visible = new Set(listSharers(tx, guest.id, candidates))
        for (const userId of candidates) {
          if (visible.has(userId) === oldVisible.has(userId)) continue
          const changes = visible.has(userId) ? gained : lost
          changes.set(userId, [...(changes.get(userId) ?? []), guest.id])
        }
      }
      for (const [userId, viewers] of gained) {
        const user = findUser(tx, userId)
        if (!user) continue
        emitUserAdded(tx, user, (viewerId) => viewers.includes(viewerId))
        if (!user.isActive) continue
        tx.announce(userRevealed, { user, isFor: (viewerId) => viewers.includes(viewerId) })
      }
      for (const [userId, viewers] of lost) emitUserRemoved(tx, userId, viewers)
    },
  }
}

function liveLimitedGuests(tx: Tx): User[] {
  const everybody = systemGroupId(tx, 'role:everyone')
  if (realmGroupSetting(tx, 'can_access_all_users_group') === everybody) return []
  return [...tx.liveUsers].flatMap((id) => {
    const user = findUser(tx, id)
    return user?.role === roles.guest && !canAccessAllUsers(tx, user) ? [user] : []
  })
}

function trackEach(
  tx: Tx,
  guests: readonly User[],
  memberships: readonly SharedMembership[],
): TrackedGuest[] {
  const sets = memberships.map(({ members, changing }) => ({
    members: new Set(members),
    changing: new Set(changing),
  }))
  return guests.flatMap((guest) => {
    const candidates = new Set<number>()
    for (const { members, changing } of sets) {
      const met = changing.has(guest.id) ? members : members.has(guest.id) ? changing : []
      for (const userId of met) if (isHidable(tx, guest, userId)) candidates.add(userId)
    }
    if (candidates.size === 0) return []
    const list = [...candidates]
    return [{ guest, candidates: list, oldVisible: new Set(listSharers(tx, guest.id, list)) }]
  })
}

/** Guests can always see themselves and bots. */
function isHidable(tx: Tx, guest: User, userId: number): boolean {
  return userId !== guest.id && findUser(tx, userId)?.botType === null
}
