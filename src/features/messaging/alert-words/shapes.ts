import * as shape from '#platform/shape.ts'

export const alertWordEventShapes = [
  shape.event('AlertWordsEvent', 'alert_words', { alert_words: shape.list(shape.string) }),
]
