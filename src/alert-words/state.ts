import type { StatePart } from '#events/state.ts'
import { list, string } from '#shape.ts'
import { listAlertWords } from './queries.ts'

export const alertWordsState: StatePart = {
  types: ['alert_words'],
  shape: { alert_words: list(string) },
  read: ({ store, user }) => ({ alert_words: listAlertWords(store, user.id) }),
}
