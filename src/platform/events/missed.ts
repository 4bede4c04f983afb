import type { QueueView, WireEvent } from './types.ts'

/** Looks up the messages that came while the client of a queue was away. */
export interface MissedLookup {
  /** The ID of the newest message of all; 0 if there is none. */
  newest(): number
  /**
   * The events of the messages with `after < id <= until` that the queue's user received, may still
   * read, and wants in this queue, in its form, ascending.
   *
   * @param most how many messages to look at
   */
  list(queue: QueueView, after: number, until: number, most: number): MissedMessages
  /** The IDs of the newest of these messages; at most as many as a user can be notified about. */
  listIds(queue: QueueView, after: number, until: number): readonly number[]
}

export interface MissedMessages {
  readonly messages: readonly { readonly id: number; readonly event: WireEvent }[]
  /** The message ID up to which they were looked for: `until`, unless there are too many. */
  readonly until: number
  readonly looked: number
}
