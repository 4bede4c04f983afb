import { contains, intersect, type Ranges, subtract } from '#read-state/ranges.ts'
import { type Clause, clause, not } from './clause.ts'
import { badNarrow } from './errors.ts'
import { type Lane, wholeLane } from './lanes.ts'
import type { Meaning, Reader } from './meaning.ts'
import { word } from './operands.ts'
import { currentName, meaningOf } from './operators.ts'
import type { Term } from './types.ts'
import { memo, ownHistory, type Visible } from './visible.ts'
import { resolveWith } from './with.ts'

/** A narrow, ready to be looked up: which messages it has, and where they are found. */
export interface Narrow {
  /** Which ids of a recipient's messages are visible and not ruled out already. */
  readonly ranges: (recipientId: number) => Ranges
  /** What all of a narrow's messages are in; each may be in several. */
  readonly lanes: readonly Lane[]
  /** What messages of the lanes must meet besides. */
  readonly remaining: Clause
  /** What any message must meet besides. */
  readonly conditions: Clause
  /** The texts that were searched for, to show where they were found. */
  readonly searched: readonly string[]
}

interface Understood {
  readonly name: string
  readonly term: Term
  readonly meaning: Meaning
}

/**
 * Compiles a narrow for a reader. It starts from what the reader may see, and every filter only
 * takes away from that.
 *
 * @param everything what it starts from when no filter names a channel; the reader's own history
 * unless said otherwise
 * @throws BAD_NARROW for filters that cannot be understood, or that name what is not there
 */
export function compileNarrow(
  reader: Reader,
  terms: readonly Term[],
  everything: Visible = ownHistory(reader.read, reader.user),
): Narrow {
  const understood = resolveWith(reader, terms).map((term) => ({
    name: currentName(term.operator),
    term,
    meaning: meaningOf(reader, term),
  }))
  if (understood.filter(isSearch).length > maxSearches) throw badNarrow('too many searches')
  const visible = baseOf(understood) ?? everything
  const ranges = memo((recipientId) =>
    restricted(understood, visible.ranges(recipientId), recipientId),
  )
  const best = bestOf(understood)
  return {
    ranges,
    lanes: best?.meaning.lanes?.(visible) ?? [
      wholeLane([...visible.channels(), ...visible.directs()]),
    ],
    remaining: all(understood.filter((one) => one !== best || !best.meaning.exact)),
    conditions: all(understood),
    searched: understood
      .filter((one) => isSearch(one) && !one.term.negated)
      .map(({ term }) => word('search', term.operand)),
  }
}

/** Whether a message of this recipient is visible; its other conditions are for SQL. */
export function isVisible(narrow: Narrow, recipientId: number, messageId: number): boolean {
  return contains(narrow.ranges(recipientId), messageId)
}

/** Operators that bring their own start, the narrowest first. */
const baseOrder = ['channel', 'channels', 'is']

function baseOf(understood: readonly Understood[]): Visible | undefined {
  const positive = understood.filter(({ term }) => !term.negated)
  for (const name of baseOrder) {
    const one = positive.find((other) => other.name === name && other.meaning.base)
    if (one) return one.meaning.base?.()
  }
  return undefined
}

function bestOf(understood: readonly Understood[]): Understood | undefined {
  return understood
    .filter(({ term, meaning }) => !term.negated && meaning.lanes)
    .map((one) => ({ one, rank: one.meaning.rank ?? 0 }))
    .sort((a, b) => a.rank - b.rank)[0]?.one
}

function restricted(
  understood: readonly Understood[],
  visible: Ranges,
  recipientId: number,
): Ranges {
  return understood.reduce((ranges, { term, meaning }) => {
    if (!meaning.ranges || ranges.length === 0) return ranges
    const matching = meaning.ranges(recipientId)
    return term.negated ? subtract(ranges, matching) : intersect(ranges, matching)
  }, visible)
}

/** Each is looked up for every message that meets the other conditions. */
const maxSearches = 10

function isSearch({ name }: Understood): boolean {
  return name === 'search'
}

function all(understood: readonly Understood[]): Clause {
  // SQLite asks conditions in this order: the one that costs most comes last.
  const clauses = [...understood]
    .sort((a, b) => Number(isSearch(a)) - Number(isSearch(b)))
    .filter(({ meaning }) => !meaning.ranges)
    .map(({ term, meaning }) => (term.negated ? not(meaning.sql()) : meaning.sql()))
  return clause(
    // Behind a unary plus no condition takes part in the choice of the index: that is the lane's.
    clauses.map(({ sql }) => ` AND +(${sql})`).join(''),
    ...clauses.flatMap(({ values }) => values),
  )
}
