import type { Tx } from '#platform/store/store.ts'
import type { QueueTraits, WireEvent } from './types.ts'

/**
 * Emits an event whose content differs between users. The content is read now, and only for users
 * with a live queue, so the cost depends on how many of the affected users are online.
 *
 * @param read reads the content for one user; undefined: no event for that user
 * @param build builds the event for one queue of that user; undefined: no event for that queue
 */
export function emitPersonal<T>(
  tx: Tx,
  type: string,
  read: (userId: number) => T | undefined,
  build: (data: T, traits: QueueTraits) => WireEvent | undefined,
): void {
  const data = new Map<number, T>()
  const events = new Map<string, WireEvent>()
  tx.emit(
    {
      type,
      variant({ id, traits }) {
        const event = build(data.get(traits.userId) as T, traits)
        if (event) events.set(id, event)
        return event && id
      },
      build: (id) => events.get(id) as WireEvent,
    },
    (userId) => {
      const found = read(userId)
      if (found !== undefined) data.set(userId, found)
      return found !== undefined
    },
  )
}
