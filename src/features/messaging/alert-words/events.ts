import type { EventOf } from '#platform/shape.ts'
import type { alertWordEventShapes } from './shapes.ts'
/**
 * The user's alert words changed; holds all of them.
 *
 * @source Zulip API, "Get events", type "alert_words"
 */
export type AlertWordsEvent = EventOf<typeof alertWordEventShapes, 'alert_words'>

export function alertWordsEvent(words: string[]): AlertWordsEvent {
  return { type: 'alert_words', alert_words: words }
}
