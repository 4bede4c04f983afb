import type { Ranges } from '#read-state/ranges.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import type { Clause } from './clause.ts'
import type { Lane } from './lanes.ts'
import type { NarrowSubject } from './types.ts'
import type { Visible } from './visible.ts'

/** Whose narrow it is. */
export interface Reader {
  readonly read: Read
  readonly user: User
}

/**
 * What a filter means, before it is negated: on messages that are stored and on one that is just
 * being sent, side by side so that history and live events cannot disagree.
 */
export interface Meaning {
  /**
   * The condition on a row `m` of messages.
   *
   * @throws BAD_NARROW when it names what does not exist for the reader
   */
  sql(): Clause
  /** The same of a new message. Never throws: what does not exist matches nothing. */
  matches(message: NarrowSubject): boolean
  /** The ids of a recipient's messages that match, where that is known without SQL. */
  ranges?(recipientId: number): Ranges
  /** What the narrow starts from instead of the reader's own history. */
  base?(): Visible
  /** Where its messages are found faster than among all that are visible. */
  lanes?(visible: Visible): readonly Lane[]
  /** How few messages the lanes have to pass, against those of other filters: 0 the fewest. */
  readonly rank?: number
  /** Whether the lanes hold nothing else, so that the condition need not be asked. */
  readonly exact?: boolean
}

/** Understands the operand of one operator. @throws BAD_NARROW when it cannot be one */
export type Operator<Operand> = (reader: Reader, operand: Operand) => Meaning

/** How selective the lanes of the operators are: the smallest is walked. */
export const ranks = {
  id: 0,
  flagged: 1,
  search: 2,
  conversation: 3,
  topic: 4,
  people: 5,
  reaction: 6,
  sender: 7,
  content: 8,
  commonSearch: 8,
  unread: 9,
  direct: 10,
} as const
