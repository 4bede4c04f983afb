import { event, list, string } from '#shape.ts'

export const alertWordEventShapes = [
  event('AlertWordsEvent', 'alert_words', { alert_words: list(string) }),
]
