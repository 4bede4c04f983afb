import type { Term } from '#platform/events/types.ts'
import { memo } from '#platform/memo.ts'
import { ceiling, contains, intersect, type Ranges, subtract } from '#platform/ranges.ts'
import { sentSentence } from '#translations/translate.ts'
import { type Clause, clause, not } from './clause.ts'
import { badNarrow } from './errors.ts'
import type { Filter, IdBounds } from './filter.ts'
import { type Lane, wholeLane } from './lanes.ts'
import { word } from './operands.ts'
import { currentName, filterOf } from './operators.ts'
import { allReadable, ownHistory, type Reader, type Visible } from './visible.queries.ts'
import { resolveWith } from './with.ts'

/** A compiled narrow: which messages it contains, and in which indexes they are found. */
export interface Narrow {
  /** The ids that are visible to the reader and within the narrow, by recipient. */
  readonly ranges: (recipientId: number) => Ranges
  /** The bounds of all of its ids, whatever the recipient. */
  readonly bounds: IdBounds
  /** The lanes that together contain all messages of the narrow; some may be in several. */
  readonly lanes: readonly Lane[]
  /** The further conditions on messages of the lanes. */
  readonly remaining: Clause
  /** The further conditions on any message. */
  readonly conditions: Clause
  /** The search texts, for highlighting. */
  readonly searched: readonly string[]
  /** Searches that are better made once than asked for each message; see `withHits`. */
  readonly slowSearches: readonly SlowSearch[]
  /** The conditions without these searches. */
  without(searches: readonly SlowSearch[]): Pick<Narrow, 'remaining' | 'conditions'>
  /** What is known of its messages without SQL, besides the ranges. */
  readonly passes?: (messageId: number) => boolean
}

/** A term of a narrow that is a search for several words. */
export interface SlowSearch {
  readonly query: string
  readonly negated: boolean
  /** Whether the narrow's lanes find exactly its messages. */
  readonly isLane: boolean
}

interface CompiledTerm {
  readonly name: string
  readonly term: Term
  readonly meaning: Filter
}

/**
 * Compiles a narrow for a reader. It starts from the messages that are visible to the reader, and
 * each filter only removes some of them.
 *
 * @param everything the messages to start from unless a filter brings its own; the reader's own
 * history by default, for spectators all that they may read
 * @throws BAD_NARROW an invalid filter, or one that names something that does not exist for the
 * reader
 * @source Zulip API, "Construct a narrow"
 */
export function compileNarrow(
  reader: Reader,
  terms: readonly Term[],
  everything: Visible = defaultHistory(reader),
): Narrow {
  const compiled = resolveWith(reader, terms).map((term) => ({
    name: currentName(term.operator),
    term,
    meaning: filterOf(reader, term),
  }))
  requireFewSearches(compiled)
  const visible = baseOf(compiled) ?? everything
  const ranges = memo((recipientId) =>
    restricted(compiled, visible.ranges(recipientId), recipientId),
  )
  const best = mostSelective(compiled)
  const slow = new Map<SlowSearch, CompiledTerm>()
  for (const one of compiled) {
    const query = one.meaning.slowQuery
    if (query === undefined) continue
    const isLane = one === best && best.meaning.exact === true
    slow.set({ query, negated: one.term.negated, isLane }, one)
  }
  return {
    ranges,
    bounds: boundsOf(compiled),
    lanes: best?.meaning.lanes?.(visible) ?? [
      wholeLane([...visible.channels(), ...visible.directs()]),
    ],
    ...conditionsOf(compiled, best),
    slowSearches: [...slow.keys()],
    without: (searches) => {
      const known = new Set(searches.map((search) => slow.get(search)))
      return conditionsOf(
        compiled.filter((one) => !known.has(one)),
        best,
      )
    },
    searched: compiled
      .filter((one) => isSearch(one) && !one.term.negated)
      .map(({ term }) => word('search', term.operand)),
  }
}

function defaultHistory({ read, user }: Reader): Visible {
  return user === 'spectator' ? allReadable(read, user) : ownHistory(read, user)
}

function conditionsOf(
  compiled: readonly CompiledTerm[],
  best: CompiledTerm | undefined,
): Pick<Narrow, 'remaining' | 'conditions'> {
  return {
    remaining: all(compiled.filter((one) => one !== best || !best.meaning.exact)),
    conditions: all(compiled),
  }
}

/** Whether a message is in the narrow's ranges and hits; SQL checks the other conditions. */
export function isVisible(narrow: Narrow, recipientId: number, messageId: number): boolean {
  return contains(narrow.ranges(recipientId), messageId) && (narrow.passes?.(messageId) ?? true)
}

/** Operators that bring their own messages to start from, the narrowest first. */
const baseOrder = ['channel', 'channels', 'is']

function baseOf(compiled: readonly CompiledTerm[]): Visible | undefined {
  const positive = compiled.filter(({ term }) => !term.negated)
  for (const name of baseOrder) {
    const one = positive.find((other) => other.name === name && other.meaning.base)
    if (one) return one.meaning.base?.()
  }
  return undefined
}

function mostSelective(compiled: readonly CompiledTerm[]): CompiledTerm | undefined {
  return compiled
    .filter(({ term, meaning }) => !term.negated && meaning.lanes)
    .map((one) => ({ one, rank: one.meaning.rank ?? 0 }))
    .sort((a, b) => a.rank - b.rank)[0]?.one
}

function restricted(
  compiled: readonly CompiledTerm[],
  visible: Ranges,
  recipientId: number,
): Ranges {
  return compiled.reduce((ranges, { term, meaning }) => {
    if (!meaning.ranges || ranges.length === 0) return ranges
    const matching = meaning.ranges(recipientId)
    return term.negated ? subtract(ranges, matching) : intersect(ranges, matching)
  }, visible)
}

function boundsOf(compiled: readonly CompiledTerm[]): IdBounds {
  return compiled.reduce(
    (all, { term, meaning }) => {
      const one = meaning.bounds?.(term.negated)
      if (!one) return all
      return { from: Math.max(all.from, one.from), until: Math.min(all.until, one.until) }
    },
    { from: 0, until: ceiling },
  )
}

/**
 * Limited because each search is checked for every message that meets the other conditions, and
 * because a phrase of common words costs as many look-ups per message as it has words. For the
 * beginning of a word, each query reads all words of the history that begin so.
 */
export const maxSearches = 10
export const maxSearchWords = 50
export const maxBeginnings = 5

/** @throws BAD_NARROW */
function requireFewSearches(compiled: readonly CompiledTerm[]): void {
  if (compiled.filter(isSearch).length > maxSearches)
    throw badNarrow(sentSentence('Invalid narrow operator: too many searches'))
  const words = compiled.reduce((sum, { meaning }) => sum + (meaning.words?.() ?? 0), 0)
  if (words > maxSearchWords)
    throw badNarrow(
      sentSentence('Invalid narrow operator: more than {count} words to search for', {
        count: maxSearchWords,
      }),
    )
  const beginnings = compiled.reduce((sum, { meaning }) => sum + (meaning.beginnings ?? 0), 0)
  if (beginnings > maxBeginnings) {
    throw badNarrow(
      sentSentence('Invalid narrow operator: more than {count} beginnings of words to search for', {
        count: maxBeginnings,
      }),
    )
  }
}

function isSearch({ name }: CompiledTerm): boolean {
  return name === 'search'
}

function all(compiled: readonly CompiledTerm[]): Clause {
  // SQLite checks conditions in this order, so the most expensive comes last.
  const clauses = [...compiled]
    .sort((a, b) => Number(isSearch(a)) - Number(isSearch(b)))
    .filter(({ meaning }) => !meaning.ranges)
    .map(({ term, meaning }) => (term.negated ? not(meaning.sql()) : meaning.sql()))
  return clause(
    // The unary plus keeps SQLite from using these conditions to choose an index: the lane names
    // it.
    clauses.map(({ sql }) => ` AND +(${sql})`).join(''),
    ...clauses.flatMap(({ values }) => values),
  )
}
