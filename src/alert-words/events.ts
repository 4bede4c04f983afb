/** The user's alert words changed: all of them. @source contract, "Events" */
export interface AlertWordsEvent {
  type: 'alert_words'
  alert_words: string[]
}

export function alertWordsEvent(words: string[]): AlertWordsEvent {
  return { type: 'alert_words', alert_words: words }
}
