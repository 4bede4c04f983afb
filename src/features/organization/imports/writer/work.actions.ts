import { join } from 'node:path'
import type { Notes } from '#features/organization/imports/report.ts'
import type { Source } from '#features/organization/imports/source.ts'
import type { Key } from '#features/organization/imports/stream.ts'
import { type Clock, seconds } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { createDiskFiles, type FileStore } from '#platform/files/store.ts'
import type { Db } from '#platform/store/open.ts'
import type { Store, Tx } from '#platform/store/store.ts'
import type { Task } from '#platform/task.ts'
import { continueBulk } from './bulk.queries.ts'

/** A channel as the writer has made it. */
export interface WrittenChannel {
  readonly id: number
  readonly recipientId: number
  readonly name: string
}

/** Writing to a new database that nobody else uses. */
export interface Bulk {
  /** Nobody listens yet, so its events go nowhere. */
  readonly tx: Tx
  /** Ends a transaction and begins the next, so that what was written can be cached. */
  commit(): void
}

/** The state of an import while it writes. */
export interface Work extends Bulk {
  readonly source: Source
  readonly notes: Notes
  readonly task: Task
  /** The origin of the server, for links. */
  readonly realmUrl: string
  /** Undefined in a trial, which keeps no files. */
  readonly files: FileStore | undefined
  /** IDs by the keys of the source. */
  readonly people: Map<Key, number>
  /** Those whom no item has described yet. */
  readonly placeholders: Set<Key>
  readonly groups: Map<Key, number>
  readonly folders: Map<Key, number>
  readonly channels: Map<Key, WrittenChannel>
  readonly emoji: Map<Key, { readonly id: number; readonly name: string }>
  readonly fields: Map<Key, { readonly id: number; readonly kind: number }>
  /** The colors of people's subscriptions, as far as they were chosen here. */
  readonly colors: Map<number, Set<string>>
  /** Addresses that someone gave, by lower-cased keys and names. */
  readonly addresses: ReadonlyMap<string, string>
  /** The last numbers of messages on their way and of presences. */
  readonly last: { message: number; presence: number }
  /** Whether the messages have IDs that are kept; undefined: none has come yet. */
  keepsIds: boolean | undefined
  /** Work that has to wait for all items, because it refers to later ones. */
  readonly later: (() => void)[]
}

/**
 * Lets others have their turn after a while, reports the progress, and stops the import if nobody
 * waits for it anymore.
 */
export type Pause = (
  step: string,
  done: () => number,
  total: () => number,
  unit?: string,
) => Promise<void>

/** How long the work continues before others have their turn, in milliseconds. */
const longestTurn = 20

export function createPause({ report, signal }: Task, clock: Clock): Pause {
  let since = clock.elapsed()
  let current = ''
  return async (step, done, total, unit) => {
    signal.throwIfAborted()
    const isDue = clock.elapsed() - since >= longestTurn
    if (!isDue && step === current) return
    current = step
    report(step, done(), total(), false, unit)
    if (!isDue) return
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    since = clock.elapsed()
  }
}

/** @param server the clock and the configuration of the server that will use the database */
export function openBulk(db: Db, server: { readonly clock: Clock; readonly config: Config }): Bulk {
  let hooks: (() => void)[] = []
  const tx: Tx = {
    db,
    ...server,
    liveUsers: new Set(),
    isListening: () => false,
    emit() {},
    announce() {},
    beforeCommit() {},
    afterCommit: (hook) => void hooks.push(hook),
  }
  return {
    tx,
    commit() {
      continueBulk(tx)
      for (const hook of hooks) hook()
      hooks = []
    },
  }
}

/** Stores files in the folder of the new database. */
export function bulkFiles(tx: Tx, folder: string): FileStore {
  const store: Store = { ...tx, write: async (fn) => fn(tx), close() {} }
  return createDiskFiles(store, join(folder, 'files'))
}

/** A time of the source, in whole seconds; undefined if it has none, or an impossible one. */
export function timeOf(time: number | undefined): number | undefined {
  return time !== undefined && time >= 0 && time <= 253_402_300_799 ? Math.floor(time) : undefined
}

/** The same, but no later than now: what was said is not of the future, whatever clock it was by. */
export function pastOf(work: Work, time: number | undefined): number | undefined {
  const found = timeOf(time)
  return found === undefined ? undefined : Math.min(found, now(work))
}

export const now = ({ tx }: Work) => seconds(tx.clock)
