import { systemGroupId } from '#permissions/groups.ts'
import { realmGroupSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'
import { canAccessAllUsers, listSharers } from './access.ts'
import { emitUserAdded, emitUserRemoved } from './events.ts'
import { introduce } from './introduction.ts'
import { findUser, roles, type User } from './queries.ts'

/** People who come together in a place, or part. */
export interface Circle {
  /** All who are there, those who come or go among them. */
  readonly members: readonly number[]
  /** Those who come or go; the others stay together. */
  readonly changing: readonly number[]
}

/** A guest with a live queue, and who may come into their view or leave it. */
interface Watching {
  readonly guest: User
  readonly candidates: readonly number[]
  /** Those of them that the guest shared a place with. */
  readonly known: ReadonlySet<number>
}

/**
 * Remembers whom limited guests know of, before people come together or part. Costs next to nothing
 * where guests know of everybody, or none is there.
 *
 * @source the API description's `realm_user`, `add` and `remove` (feature level 228)
 */
export function watchSight(tx: Tx, circles: () => readonly Circle[]): { tell(): void } {
  const guests = liveLimitedGuests(tx)
  const watchings = guests.length === 0 ? [] : watchEach(tx, guests, circles())
  return {
    tell() {
      const gained = new Map<number, number[]>()
      const lost = new Map<number, number[]>()
      for (const { guest, candidates, known } of watchings) {
        const now = new Set(listSharers(tx, guest.id, candidates))
        for (const userId of candidates) {
          if (now.has(userId) === known.has(userId)) continue
          const changes = now.has(userId) ? gained : lost
          changes.set(userId, [...(changes.get(userId) ?? []), guest.id])
        }
      }
      for (const [userId, viewers] of gained) {
        const user = findUser(tx, userId)
        if (!user) continue
        emitUserAdded(tx, user, (viewerId) => viewers.includes(viewerId))
        if (user.isActive) introduce(tx, user, (viewerId) => viewers.includes(viewerId))
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

function watchEach(tx: Tx, guests: readonly User[], circles: readonly Circle[]): Watching[] {
  const sets = circles.map(({ members, changing }) => ({
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
    return [{ guest, candidates: list, known: new Set(listSharers(tx, guest.id, list)) }]
  })
}

/** Guests always know of themselves and of bots. */
function isHidable(tx: Tx, guest: User, userId: number): boolean {
  return userId !== guest.id && findUser(tx, userId)?.botType === null
}
