/**
 * Messages that came while the client of a queue was away, with `after < message ID <= until`. They
 * are looked up when it is back. Nothing is stored for them, so the IDs of their events are derived
 * from those of the messages, and stay the same however often they are looked up.
 */
export interface Stretch {
  readonly after: number
  /** Null: the client is still away. */
  readonly until: number | null
  /** The ID of the newest event when the newest message was `after`. */
  readonly id: number
  /** Whether the user has been away for so long that they no longer count as reading along. */
  readonly isSilent?: true
}

/** A moment in the life of a queue: its newest event, and the newest message of all. */
export interface Moment {
  readonly newestMessage: number
  readonly id: number
}

/** The ID that the event of a message has. */
export function idAt({ after, id }: Pick<Stretch, 'after' | 'id'>, messageId: number): number {
  return id + Math.max(0, messageId - after)
}

/** The part of a stretch after a moment in it. */
export function from(stretch: Stretch, { newestMessage, id }: Moment): Stretch {
  return { ...stretch, after: Math.max(stretch.after, newestMessage), id }
}

/** The parts of stretches that a client lacks once it has all events up to a moment. */
export function acknowledge(stretches: readonly Stretch[], moment: Moment): Stretch[] {
  const [first, ...others] = stretches
  if (!first || moment.id <= first.id) return [...stretches]
  const isOver = first.until !== null && moment.newestMessage >= first.until
  return isOver ? acknowledge(others, moment) : [from(first, moment), ...others]
}
