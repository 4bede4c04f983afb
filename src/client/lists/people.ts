import { computed, type ReadonlySignal } from '@preact/signals-core'
import type { Narrow } from '#client/narrow/narrow.ts'
import type { User, UserStatus } from '#client/state/model.ts'
import { byName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { matcher } from '#client/ui/fuzzy.ts'

/** The presence of a user. */
export type PresenceState = 'active' | 'idle' | 'offline'

type PresenceFacts = Pick<Store, 'selfId' | 'presences' | 'realm'>

/**
 * The presence of a user. Reading it subscribes to it.
 *
 * @param now the server's time in seconds
 */
export function presenceOf(userId: number, store: PresenceFacts, now: number): PresenceState {
  if (userId === store.selfId) return 'active'
  return stateOf(store.presences.get(userId), store, now)
}

function stateOf(
  presence: { readonly activeAt: number; readonly idleAt: number } | undefined,
  { realm }: Pick<Store, 'realm'>,
  now: number,
): PresenceState {
  if (!presence) return 'offline'
  const threshold = realm.value.server_presence_offline_threshold_seconds
  if (now - presence.activeAt <= threshold) return 'active'
  return now - presence.idleAt <= threshold ? 'idle' : 'offline'
}

export interface Person {
  readonly user: User
  readonly presence: PresenceState
  readonly status: UserStatus | undefined
  readonly isSelf: boolean
}

export interface People {
  /** Those in the open direct conversation, or who wrote in the open topic; empty if there are none. */
  readonly here: PeopleGroup
  /** The other subscribers of the open channel. */
  readonly inChannel: PeopleGroup
  readonly others: PeopleGroup
}

export interface PeopleGroup {
  /** The first ones: oneself, then active, idle and offline ones, each by name. */
  readonly people: readonly Person[]
  readonly total: number
}

export interface PeopleOptions {
  readonly narrow?: Narrow | undefined
  /** The IDs of those who wrote in the open topic. */
  readonly writers?: ReadonlySet<number>
  readonly filter?: string
  /** The server's time in seconds. */
  readonly now: number
  /** How many of each group are wanted. */
  readonly limit?: number
}

/** Everyone in the organization except bots, by presence and name. */
export interface PeopleModel {
  /** Reading it subscribes to users, presences and statuses. */
  list(options: PeopleOptions): People
  /** Whether the user is the only one. Reading it subscribes to users. */
  isAlone(): boolean
}

/** Users are sorted by name once, until they change: this takes a while in large organizations. */
export function createPeopleModel(store: Store): PeopleModel {
  const sorted: ReadonlySignal<readonly User[]> = computed(() =>
    [...store.users.all.values()]
      .filter(({ isActive, isBot }) => isActive && !isBot)
      .sort((a, b) => byName(a.name, b.name)),
  )
  return {
    isAlone: () => sorted.value.every(({ id }) => id === store.selfId),
    list({ narrow, writers = none, filter = '', now, limit = Number.POSITIVE_INFINITY }) {
      const isWanted = matcher(filter)
      const near = narrow?.kind === 'direct' ? new Set([...narrow.userIds, store.selfId]) : writers
      const members = subscribersOf(narrow, store)
      const presences = store.presences.all
      const muted = store.mutedUsers.value
      const here = levels()
      const inChannel = levels()
      const others = levels()
      for (const user of sorted.value) {
        if (muted.has(user.id) || !isWanted(user.name)) continue
        const isSelf = user.id === store.selfId
        const presence = isSelf ? 'active' : stateOf(presences.get(user.id), store, now)
        const group = near.has(user.id) ? here : members?.has(user.id) ? inChannel : others
        group[isSelf ? 'self' : presence].push({ user, presence })
      }
      const group = (people: Levels) => groupOf(people, store, limit)
      return { here: group(here), inChannel: group(inChannel), others: group(others) }
    },
  }
}

type ListedPerson = Pick<Person, 'user' | 'presence'>
type Levels = Record<'self' | PresenceState, ListedPerson[]>

function levels(): Levels {
  return { self: [], active: [], idle: [], offline: [] }
}

function groupOf(
  { self, active, idle, offline }: Levels,
  store: Store,
  limit: number,
): PeopleGroup {
  const all = [...self, ...active, ...idle, ...offline]
  const statuses = store.statuses.all
  return {
    total: all.length,
    people: all.slice(0, limit).map(({ user, presence }) => ({
      user,
      presence,
      status: statuses.get(user.id),
      isSelf: user.id === store.selfId,
    })),
  }
}

const none: ReadonlySet<number> = new Set()

function subscribersOf(narrow: Narrow | undefined, store: Store): ReadonlySet<number> | undefined {
  if (narrow?.kind !== 'channel' && narrow?.kind !== 'topic') return undefined
  return store.subscribers.get(narrow.channelId)?.ids
}
