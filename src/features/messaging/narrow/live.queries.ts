import { findUser } from '#features/foundation/users/queries.ts'
import type { QueueRequest } from '#platform/events/queues.ts'
import type { NarrowSubject, Term } from '#platform/events/types.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { badNarrow } from './errors.ts'
import { filterOf } from './operators.ts'
import { isUnknownState } from './states.ts'
import { isWith } from './with.ts'

/** The limits of an event queue's narrow: every new message is matched against it. */
export const queueNarrowLimits = {
  terms: 20,
  /** As JSON, in bytes. */
  bytes: 10_000,
  searches: 3,
  /** The number of words of all searches together, split as by the search index. */
  searchWords: 20,
} as const

/**
 * The filter that an event queue's narrow applies to its message events. Channels and users that
 * do not exist for the queue's owner match nothing. Channel names are compared when a message is
 * sent, so that a bot can register before its channel exists. An unknown operand of `is` filters
 * nothing, as in Zulip: clients register with operands of any level.
 *
 * @returns undefined if every message matches
 * @throws BAD_NARROW an invalid filter, one that exceeds the limits, or `with`, which only makes
 * sense for stored messages
 * @source Zulip API, "Register an event queue", `narrow`
 */
export function narrowMatcher(
  read: Read,
  request: Pick<QueueRequest, 'userId' | 'narrow'>,
): ((message: NarrowSubject) => boolean) | undefined {
  const user = findUser(read, request.userId)
  if (!user) return () => false
  if (request.narrow.length === 0) return undefined
  requireShort(request.narrow)
  if (request.narrow.some(isWith))
    throw badNarrow(
      sentSentence('Invalid narrow operator: {operator} cannot filter events', {
        operator: 'with',
      }),
    )
  const known = request.narrow.filter((term) => !isUnknownState(term))
  const filters = distinct(known).map((term) => ({
    meaning: filterOf({ read, user }, term),
    negated: term.negated,
  }))
  requireFewWords(filters.flatMap(({ meaning }) => meaning.words?.() ?? []))
  return (message) => filters.every(({ meaning, negated }) => meaning.matches(message) !== negated)
}

/** @throws BAD_NARROW */
function requireShort(narrow: readonly Term[]): void {
  const { terms, bytes } = queueNarrowLimits
  if (narrow.length > terms)
    throw badNarrow(
      sentSentence('Invalid narrow operator: more than {count} filters for events', {
        count: terms,
      }),
    )
  if (Buffer.byteLength(JSON.stringify(narrow)) > bytes) {
    throw badNarrow(
      sentSentence('Invalid narrow operator: more than {count} bytes for events', { count: bytes }),
    )
  }
}

/** @param words the number of words of each search @throws BAD_NARROW */
function requireFewWords(words: readonly number[]): void {
  const { searches, searchWords } = queueNarrowLimits
  if (words.length > searches)
    throw badNarrow(
      sentSentence('Invalid narrow operator: more than {count} searches for events', {
        count: searches,
      }),
    )
  if (words.reduce((sum, count) => sum + count, 0) > searchWords) {
    throw badNarrow(
      sentSentence('Invalid narrow operator: more than {count} words for events', {
        count: searchWords,
      }),
    )
  }
}

function distinct(narrow: readonly Term[]): readonly Term[] {
  return [...new Map(narrow.map((term) => [JSON.stringify(term), term])).values()]
}
