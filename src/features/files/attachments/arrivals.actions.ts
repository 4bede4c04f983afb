import type { Caller } from '#platform/http/caller.ts'
import { requireRoom } from './actions.ts'
import { countArriving } from './arrivals.queries.ts'

/** A file that is being received; its bytes count as used space until its row does. */
export interface Arrival {
  /** Counts a further piece. @throws BAD_REQUEST as `requireRoom` */
  count(bytes: number): void
  /** The number of bytes counted so far. */
  readonly reserved: number
}

/**
 * Receives a file, and counts it against all limits before its bytes are stored: the announced size
 * immediately, and any bytes beyond that as they arrive.
 *
 * @param announced in bytes; 0 if the client announced no size
 * @throws BAD_REQUEST as `requireRoom`
 */
export async function receiving<T>(
  caller: Caller,
  announced: number,
  receive: (arrival: Arrival) => Promise<T>,
): Promise<T> {
  const { store, user } = caller
  const { id } = user
  let [received, reserved] = [0, 0]
  const reserve = (bytes: number) => {
    requireRoom(store, user, bytes)
    countArriving(store, id, { files: 0, bytes })
    reserved += bytes
  }
  countArriving(store, id, { files: 1, bytes: 0 })
  try {
    reserve(announced)
    return await receive({
      count(bytes) {
        received += bytes
        if (received > reserved) reserve(received - reserved)
      },
      get reserved() {
        return reserved
      },
    })
  } finally {
    countArriving(store, id, { files: -1, bytes: -reserved })
  }
}
