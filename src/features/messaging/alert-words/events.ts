/**
 * The user's alert words changed; holds all of them.
 *
 * @source Zulip API, "Get events", type "alert_words"
 */
export interface AlertWordsEvent {
  type: 'alert_words'
  alert_words: string[]
}

export function alertWordsEvent(words: string[]): AlertWordsEvent {
  return { type: 'alert_words', alert_words: words }
}
