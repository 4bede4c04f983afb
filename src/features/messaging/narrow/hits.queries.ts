import type { Steps } from '#platform/steps.ts'
import { prepared } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import type { Narrow, SlowSearch } from './compile.ts'

/** A search with more hits than this is asked for each message: then it soon finds one. */
const mostHits = 20_000
/** How many hits are read at a time. */
const atOnce = 2048

const hitsFrom = prepared((db) =>
  db.$client
    .prepare<[string, number, number], number>(
      `SELECT rowid FROM messages_fts
       WHERE messages_fts MATCH ? AND rowid >= CAST(? AS INTEGER) ORDER BY rowid LIMIT ?`,
    )
    .pluck(),
)

/**
 * A narrow with the hits of its searches for several words, each read once and in a step of its own.
 * Asked for a message without the phrase, FTS5 reads on until it finds it, at worst to the end of the
 * history: bounds of the IDs do not stop it.
 *
 * @param searches those of the narrow whose messages nothing else finds
 */
export function* withHits(
  read: Read,
  narrow: Narrow,
  searches: readonly SlowSearch[],
): Steps<Narrow> {
  const known = new Map<SlowSearch, ReadonlySet<number>>()
  for (const search of searches) {
    const hits = yield* hitsOf(read, search.query)
    if (hits) known.set(search, hits)
  }
  if (known.size === 0) return narrow
  const tests = [...known].map(
    ([{ negated }, hits]) =>
      (id: number) =>
        hits.has(id) !== negated,
  )
  return {
    ...narrow,
    ...narrow.without([...known.keys()]),
    passes: (id) => tests.every((test) => test(id)),
  }
}

/** @returns undefined: there are too many */
function* hitsOf(read: Read, query: string): Steps<ReadonlySet<number> | undefined> {
  const hits = new Set<number>()
  let from = 0
  while (hits.size <= mostHits) {
    const found = hitsFrom(read).all(query, from, atOnce)
    for (const id of found) hits.add(id)
    yield
    if (found.length < atOnce) return hits
    from = (found.at(-1) ?? 0) + 1
  }
  return undefined
}
