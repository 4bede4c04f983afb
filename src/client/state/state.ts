import type { Signal } from '@preact/signals-core'
import type { UserSettings } from '#client/api/wire.ts'
import type { Clock } from './clock.ts'
import type { RecentModel } from './recent.ts'
import type { MessageChange, Realm, Store } from './store.ts'
import type { UnreadModel } from './unreads.ts'

/** The store as event handlers change it. */
export interface State extends Store {
  readonly realm: Signal<Realm>
  readonly settings: Signal<UserSettings>
  readonly starred: Signal<ReadonlySet<number>>
  readonly mutedUsers: Signal<ReadonlySet<number>>
  readonly alertWords: Signal<readonly string[]>
  readonly unreads: UnreadModel
  readonly recent: RecentModel
  readonly clock: Clock
  newestId: number
  areBotsKnown: boolean
  /** Ids of known messages whose events may have been missed: the next fetch replaces them. */
  readonly stale: Set<number>
  /** Tells the listeners of messages, once all of the poll is applied. */
  tell(change: MessageChange): void
}
