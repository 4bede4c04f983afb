import {
  hasRoomForIndex,
  indexLag,
  indexMessages,
  isFarBehind,
} from '#features/foundation/core/queries.ts'
import { currentName } from '#features/messaging/narrow/operators.ts'
import type { Term } from '#platform/events/types.ts'
import type { Steps } from '#platform/steps.ts'
import type { Store } from '#platform/store/store.ts'

/**
 * Puts the newest messages, which are indexed in groups, into the full-text index if the narrow has
 * a search. On a disk that is all but full, and while a job fills the index, the search misses them.
 */
export function* indexForSearch(store: Store, narrow: readonly Term[]): Steps<void> {
  const searches = narrow.some(({ operator }) => currentName(operator) === 'search')
  const lag = searches ? indexLag(store) : 0
  if (lag === 0 || isFarBehind(store) || !hasRoomForIndex(store)) return
  yield store.write((tx) => indexMessages(tx, lag)).catch(() => {})
}
