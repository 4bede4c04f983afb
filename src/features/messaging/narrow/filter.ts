import type { NarrowSubject } from '#platform/events/types.ts'
import type { Ranges } from '#platform/ranges.ts'
import type { Clause } from './clause.ts'
import type { Lane } from './lanes.ts'
import type { Reader, UserReader, Visible } from './visible.queries.ts'

/**
 * The meaning of a filter before its negation, for stored messages and for a message that is being
 * sent. Both are in one place so that history and live events agree.
 */
export interface Filter {
  /**
   * The condition on a row `m` of messages.
   *
   * @throws BAD_NARROW it names something that does not exist for the reader
   */
  sql(): Clause
  /** The same for a new message. Never throws: names of things that do not exist match nothing. */
  matches(message: NarrowSubject): boolean
  /** For a search: prepares the words that `matches` looks for, and returns their number. */
  words?(): number
  /** For a search: how many beginnings of words it looks for. */
  readonly beginnings?: number
  /** For a search that costs more than the look-up of a word: its FTS5 query. */
  readonly slowQuery?: string | undefined
  /** The ids of a recipient's messages that match, if that is known without SQL. */
  ranges?(recipientId: number): Ranges
  /**
   * Bounds of the ids of all messages that match, or that do not if negated: `from <= id < until`. For
   * a filter that cannot tell exactly which ids match.
   */
  bounds?(negated: boolean): IdBounds
  /** The messages that the narrow starts from instead of the reader's own history. */
  base?(): Visible
  /** The lanes that find its messages faster than a scan of all visible messages. */
  lanes?(visible: Visible): readonly Lane[]
  /** How selective the lanes are, compared with those of other filters: the most selective is 0. */
  readonly rank?: number
  /** Whether all messages of the lanes match, so that the condition need not be checked. */
  readonly exact?: boolean
}

/** `from <= id < until` */
export interface IdBounds {
  readonly from: number
  readonly until: number
}

/** Compiles the operand of one operator. @throws BAD_NARROW the operand is invalid */
export type Operator<Operand> = (reader: Reader, operand: Operand) => Filter

/** The same for a filter that needs an account: its meaning depends on the user. */
export type UserOperator<Operand> = (reader: UserReader, operand: Operand) => Filter

/** How selective the operators' lanes are; a narrow uses the lanes with the smallest rank. */
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
