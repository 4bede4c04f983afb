import { perDatabase } from '#platform/store/per-database.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { createWordIndex } from './word-index.ts'

const everyUser = preparedSql<{ userId: number }>(
  'SELECT DISTINCT user_id AS userId FROM alert_words',
)
const ofUser = preparedSql<{ wordKey: string }>(
  'SELECT word_key AS wordKey FROM alert_words WHERE user_id = @userId',
)

/** All alert words in memory, and the users whose words may be out of date. */
const memory = perDatabase(() => ({
  index: createWordIndex(),
  /** Changed in the current group of writes, in which a write can still be rolled back. */
  changing: new Set<number>(),
  /** Changed earlier, or never read; undefined until the first use. */
  changed: undefined as Set<number> | undefined,
}))

function stale(read: Read): Set<number> {
  const kept = memory(read)
  kept.changed ??= new Set(
    everyUser(read)
      .all({})
      .map(({ userId }) => userId),
  )
  return kept.changed
}

function readWords(read: Read, userId: number): void {
  const words = ofUser(read).all({ userId })
  memory(read).index.set(
    userId,
    words.map(({ wordKey }) => wordKey),
  )
}

/** Marks a user's words as out of date; every write that adds or removes one must call it. */
export function forgetAlertWords(tx: Tx, userId: number): void {
  memory(tx).changing.add(userId)
  tx.beforeCommit(endChanges)
}

function endChanges(read: Read): void {
  const { changing } = memory(read)
  for (const userId of changing) stale(read).add(userId)
  changing.clear()
}

/** Whether there are words that `readSomeWords` has to read. */
export function hasUnreadWords(read: Read): boolean {
  return stale(read).size > 0
}

/** Reads the words of at most `most` users, so that the next message need not. */
export function readSomeWords(read: Read, most: number): void {
  const unread = stale(read)
  for (const userId of [...unread].slice(0, most)) {
    readWords(read, userId)
    unread.delete(userId)
  }
}

/**
 * The users with an alert word that a text contains as a whole word. The cost does not depend on the
 * number of alert words, except for those that have changed.
 *
 * @param text the message's text as people read it
 */
export function listAlertedUsers(read: Read, text: string): Set<number> {
  readSomeWords(read, Infinity)
  const { index, changing } = memory(read)
  for (const userId of changing) readWords(read, userId)
  return index.usersWithWordIn(text)
}
