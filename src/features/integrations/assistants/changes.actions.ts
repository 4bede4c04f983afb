import { listPlaced } from '#features/foundation/core/queries.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** Where something changed, for readers of that conversation. */
export interface Change {
  readonly recipientId: number
  readonly topic: string
}

type Listener = (change: Change) => void

const listeners = perDatabase(() => new Set<Listener>())

/** Calls `listener` after each change. @returns ends it */
export function onChange(read: Read, listener: Listener): () => void {
  const all = listeners(read)
  all.add(listener)
  return () => void all.delete(listener)
}

/** Tells of a change once it is stored. */
export function noteChange(tx: Tx, { recipientId, topic }: Change): void {
  const all = listeners(tx)
  if (all.size === 0) return
  tx.afterCommit(() => {
    for (const listener of all) listener({ recipientId, topic })
  })
}

/** The same for messages, each of which is still there. */
export function noteChanges(tx: Tx, messageIds: readonly number[]): void {
  if (listeners(tx).size === 0) return
  const places = listPlaced(tx, messageIds)
  const seen = new Map(places.map((each) => [`${each.recipientId} ${each.topic}`, each]))
  for (const place of seen.values()) noteChange(tx, place)
}
