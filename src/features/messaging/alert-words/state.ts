import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { listAlertWords } from './queries.ts'

export const alertWordsState = {
  types: ['alert_words'],
  members: { alert_words: shape.list(shape.string) },
  read: ({ store, user }) => ({ alert_words: listAlertWords(store, user.id) }),
} satisfies StatePart
