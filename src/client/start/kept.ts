import type { FeatureEvent } from '#client/api/wire.ts'
import {
  forgetKept,
  hasHint,
  isKeptLikely,
  openDatabase,
  patience,
  resultOf,
  sessionMark,
} from '#client/commands/kept-database.ts'
import type { KeptList } from '#client/lists/message-list.ts'
import type { KeptState } from '#client/state/kept.ts'
import type { QueuePosition } from '#client/state/store.ts'
import { ownVersion } from '#client/ui/own-version.ts'

/**
 * The data that a page stores in IndexedDB for the next one: the store as of an event of a queue,
 * in parts, and the events after it. It belongs to one session, and to one version of the client,
 * whose shapes it has. One page at a time writes it and polls its queue: the one that holds the
 * lock.
 */

/** The stored parts of the store and the lists, by name. */
export type KeptParts = KeptState & { readonly lists: readonly KeptList[] }

/** Describes the parts. */
export interface KeptHead {
  readonly name: 'head'
  readonly session: string
  readonly version: string
  readonly position: QueuePosition
}

/** The events of a poll of a queue. */
export interface KeptEvents {
  readonly queueId: string
  /** The newest event that the page had before. */
  readonly after: number
  readonly events: readonly FeatureEvent[]
}

export interface StoredStart {
  readonly parts: KeptParts
  readonly position: QueuePosition
  /** The later events, without a gap. */
  readonly events: readonly FeatureEvent[]
}

/** The names of the records, each of which has some members of `KeptParts`. */
export const partNames = ['people', 'channels', 'messages', 'rest'] as const

let ahead: Promise<StoredStart | undefined> | undefined

/** Begins to read in advance. */
export function readAhead(): Promise<StoredStart | undefined> {
  ahead ??= readKept()
  return ahead
}

/**
 * The data of this session and version. Other data is removed.
 *
 * @returns undefined if there is nothing, or it cannot be read
 */
export async function takeKept(): Promise<StoredStart | undefined> {
  if (!isKeptLikely()) {
    if (hasHint()) await forgetKept()
    return undefined
  }
  const kept = await readAhead()
  ahead = undefined
  if (!kept) await forgetKept()
  return kept
}

async function readKept(): Promise<StoredStart | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience))
  try {
    return await Promise.race([late, readAll()])
  } catch {
    return undefined
  }
}

async function readAll(): Promise<StoredStart | undefined> {
  const database = await openDatabase()
  try {
    const transaction = database.transaction(['parts', 'log'])
    const [records, log] = await Promise.all([
      resultOf(transaction.objectStore('parts').getAll()),
      resultOf(transaction.objectStore('log').getAll()),
    ])
    return keptOf(records, log, { session: sessionMark(), version: ownVersion() ?? '' })
  } finally {
    database.close()
  }
}

/**
 * What records say, if they are whole, and of this session and version.
 *
 * @param records of `parts`
 * @param log in order
 */
export function keptOf(
  records: readonly { readonly name: string }[],
  log: readonly KeptEvents[],
  own: { readonly session: string; readonly version: string },
): StoredStart | undefined {
  const head = records.find((record): record is KeptHead => record.name === 'head')
  if (head?.session !== own.session || head.version !== own.version || own.session === '') {
    return undefined
  }
  if (!partNames.every((part) => records.some((record) => record.name === part))) return undefined
  const { position } = head
  const events: FeatureEvent[] = []
  let lastEventId = position.lastEventId
  for (const batch of log) {
    // After a gap the queue is polled from there, and the server says that later ones were taken.
    if (batch.queueId !== position.queueId || batch.after !== lastEventId) continue
    events.push(...batch.events)
    lastEventId = batch.events.at(-1)?.id ?? lastEventId
  }
  const parts = Object.assign({}, ...records) as KeptParts
  return { parts, events, position: { ...position, lastEventId } }
}
