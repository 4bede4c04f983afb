import type { Tx } from '#store/write.ts'
import type { QueueTraits, WireEvent } from './types.ts'

/**
 * Emits an event that is different for each of its users. What it says is read now, but only for
 * users who have a live queue: a change that touches thousands costs as much as are online.
 *
 * @param read gathers what the event says to one user; undefined: nothing
 * @param build makes the event of it, for one queue of that user; undefined: not for that queue
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
