import {
  hasRoomForIndex,
  indexSome,
  isFarBehind,
  newestIndexed,
} from '#features/foundation/core/indexing.queries.ts'
import { newestMessageId } from '#features/foundation/core/queries.ts'
import { currentName } from '#features/messaging/narrow/operators.ts'
import type { Term } from '#platform/events/types.ts'
import type { Steps } from '#platform/steps.ts'
import type { Store } from '#platform/store/store.ts'

/**
 * Puts the newest messages, which are indexed in groups, into the full-text index if the narrow has
 * a search: some at a time, so that nobody waits for all of them. On a disk that is all but full, and
 * while a job fills the index, the search misses them.
 */
export function* indexForSearch(store: Store, narrow: readonly Term[]): Steps<void> {
  if (!narrow.some(({ operator }) => currentName(operator) === 'search')) return
  // What comes meanwhile may be missing, or a search would wait as long as messages come.
  const until = newestMessageId(store)
  let before = -1
  let at = newestIndexed(store)
  while (at > before && at < until && !isFarBehind(store) && hasRoomForIndex(store)) {
    yield store.write(indexSome).catch(() => {})
    before = at
    at = newestIndexed(store)
  }
}
