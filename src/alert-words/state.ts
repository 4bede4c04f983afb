import type { StatePart } from '#events/state.ts'
import { listAlertWords } from './queries.ts'

export const alertWordsState: StatePart = {
  types: ['alert_words'],
  read: ({ store, user }) => ({ alert_words: listAlertWords(store, user.id) }),
}
