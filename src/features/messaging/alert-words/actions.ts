import type { User } from '#features/foundation/users/queries.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { alertWordsEvent } from './events.ts'
import { deleteAlertWord, insertAlertWord, listAlertWords } from './queries.ts'
import { alertWordQuota } from './quotas.ts'

/**
 * Adds the alert words that the user lacks, and emits `alert_words` if there are any.
 *
 * @returns all alert words of the user
 * @throws BAD_REQUEST too many alert words
 * @source Zulip API, "Add alert words"
 */
export function addAlertWords(tx: Tx, user: User, words: readonly string[]): string[] {
  const now = change(tx, user, words, insertAlertWord)
  // Checked afterwards, because words that the user already has take no room.
  requireRoom(tx, alertWordQuota, user, 0)
  return now
}

/**
 * Removes alert words, ignoring case and words that the user lacks.
 *
 * @returns the remaining alert words of the user
 * @source Zulip API, "Remove alert words"
 */
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
