import type { Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { alertWordsEvent } from './events.ts'
import { deleteAlertWord, insertAlertWord, listAlertWords } from './queries.ts'

/**
 * Adds alert words, leaving out those the user has, and emits `alert_words` if any is new.
 *
 * @returns all alert words of the user
 */
export function addAlertWords(tx: Tx, user: User, words: readonly string[]): string[] {
  return change(tx, user, words, insertAlertWord)
}

/** Removes alert words, whatever the case of their letters; the user may lack some of them. */
export function removeAlertWords(tx: Tx, user: User, words: readonly string[]): string[] {
  return change(tx, user, words, deleteAlertWord)
}

function change(
  tx: Tx,
  user: User,
  words: readonly string[],
  write: (tx: Tx, userId: number, word: string) => boolean,
): string[] {
  const wanted = words.map((word) => word.trim()).filter((word) => word !== '')
  const changed = wanted.filter((word) => write(tx, user.id, word))
  const now = listAlertWords(tx, user.id)
  if (changed.length > 0) tx.emit(alertWordsEvent(now), [user.id])
  return now
}
