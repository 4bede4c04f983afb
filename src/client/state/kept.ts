import { batch } from '@preact/signals-core'
import type { FeatureEvent, UserSettings } from '#client/api/wire.ts'
import { serverOffset, setServerOffset } from '#client/ui/server-time.ts'
import type { Clock } from './clock.ts'
import { createState } from './create-store.ts'
import type { Message } from './model.ts'
import type { KeptRecent } from './recent.ts'
import type { State } from './state.ts'
import type { Realm, Store } from './store.ts'
import type { KeptUnreads } from './unreads.ts'

/**
 * A store as cloneable values, with which the next page can start immediately. Each part is stored by
 * itself, so that what did not change is not written again.
 */

type Entries<K extends keyof State> = State[K] extends { readonly current: infer M } ? M : never

export interface KeptPeople {
  readonly users: Entries<'users'>
}

export interface KeptChannels {
  readonly channels: Entries<'channels'>
  readonly subscriptions: Entries<'subscriptions'>
  readonly subscribers: Entries<'subscribers'>
  readonly folders: Entries<'folders'>
}

export interface KeptMessages {
  readonly messages: readonly Message[]
}

/** Parts that are small or change often. */
export interface KeptRest {
  readonly selfId: number
  readonly newestId: number
  /** Without the user's bots, as what is known of them are keys. */
  readonly realm: Realm
  /** Whether there are none. */
  readonly areBotsKnown: boolean
  readonly settings: UserSettings
  readonly groups: Entries<'groups'>
  readonly unreads: KeptUnreads
  readonly starred: ReadonlySet<number>
  readonly topicPolicies: Entries<'topicPolicies'>
  readonly mutedUsers: ReadonlySet<number>
  readonly presences: Entries<'presences'>
  readonly clockOffset: number
  readonly statuses: Entries<'statuses'>
  readonly recent: KeptRecent
  readonly alertWords: readonly string[]
  readonly drafts: Entries<'drafts'>
  readonly snippets: Entries<'snippets'>
  readonly scheduled: Entries<'scheduled'>
  readonly reminders: Entries<'reminders'>
  readonly navigationViews: Entries<'navigationViews'>
}

export type KeptState = KeptPeople & KeptChannels & KeptMessages & KeptRest

/** Every store is made by `createState`; the narrower type is what components are given. */
const stateOf = (store: Store) => store as State

export const keptPeople = ({ users }: Store): KeptPeople => ({ users: users.current })

export const keptChannels = (store: Store): KeptChannels => ({
  channels: store.channels.current,
  subscriptions: store.subscriptions.current,
  subscribers: store.subscribers.current,
  folders: store.folders.current,
})

/** The messages with these ids of which no event was missed. */
export function keptMessages(store: Store, ids: Iterable<number>): KeptMessages {
  const { messages, stale } = stateOf(store)
  const known = [...ids].filter((id) => !stale.has(id))
  return { messages: known.flatMap((id) => messages.peek(id) ?? []) }
}

/** @param messages the messages that are stored as well */
export function keptRest(store: Store, { messages }: KeptMessages): KeptRest {
  const state = stateOf(store)
  return {
    selfId: state.selfId,
    newestId: state.newestId,
    realm: { ...state.realm.peek(), realm_bots: [] },
    areBotsKnown: state.areBotsKnown && state.realm.peek().realm_bots.length === 0,
    settings: state.settings.peek(),
    groups: state.groups.current,
    unreads: state.unreads.kept(),
    starred: state.starred.peek(),
    topicPolicies: state.topicPolicies.current,
    mutedUsers: state.mutedUsers.peek(),
    presences: state.presences.current,
    clockOffset: serverOffset(),
    statuses: state.statuses.current,
    recent: state.recent.kept(new Set(messages.map(({ id }) => id))),
    alertWords: state.alertWords.peek(),
    drafts: state.drafts.current,
    snippets: state.snippets.current,
    scheduled: state.scheduled.current,
    reminders: state.reminders.current,
    navigationViews: state.navigationViews.current,
  }
}

/** Whether an event can be stored: it contains no key, and no secret address. */
export const canKeepEvent = ({ type }: FeatureEvent) =>
  type !== 'realm_bot' && type !== 'realm_export'

/**
 * A store from stored data.
 *
 * @throws Error the data is damaged
 */
export function restoreStore(kept: KeptState, clock?: Clock): Store {
  const state = createState(kept, clock)
  batch(() => {
    setServerOffset(kept.clockOffset)
    state.newestId = kept.newestId
    state.areBotsKnown = kept.areBotsKnown
    state.users.replace(kept.users)
    state.groups.replace(kept.groups)
    state.channels.replace(kept.channels)
    state.subscriptions.replace(kept.subscriptions)
    state.subscribers.replace(kept.subscribers)
    state.folders.replace(kept.folders)
    state.messages.replace(kept.messages.map((message) => [message.id, message]))
    state.starred.value = kept.starred
    state.topicPolicies.replace(kept.topicPolicies)
    state.mutedUsers.value = kept.mutedUsers
    state.unreads.restore(kept.unreads)
    state.recent.restore(kept.recent)
    state.presences.replace(kept.presences)
    state.statuses.replace(kept.statuses)
    state.alertWords.value = kept.alertWords
    state.drafts.replace(kept.drafts)
    state.snippets.replace(kept.snippets)
    state.scheduled.replace(kept.scheduled)
    state.reminders.replace(kept.reminders)
    state.navigationViews.replace(kept.navigationViews)
  })
  return state
}
