import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { alertWords } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import { firstWordOf, forgetAlertWords } from './matching.ts'

const ofUser = prepared((db) =>
  db
    .select({ word: alertWords.word })
    .from(alertWords)
    .where(eq(alertWords.userId, sql.placeholder('userId')))
    .orderBy(asc(alertWords.wordKey))
    .prepare(),
)

/** The alert words of a user as they were typed, by the alphabet. */
export function listAlertWords(read: Read, userId: number): string[] {
  return ofUser(read)
    .all({ userId })
    .map(({ word }) => word)
}

/** Adds a word; returns false when the user has it, in whatever case of letters. */
export function insertAlertWord(tx: Tx, userId: number, word: string): boolean {
  const row = { userId, word, wordKey: word.toLowerCase(), firstWord: firstWordOf(word) }
  forgetAlertWords(tx)
  const { changes } = tx.db.insert(alertWords).values(row).onConflictDoNothing().run()
  return changes > 0
}

/** Removes a word; returns false when the user does not have it. */
export function deleteAlertWord(tx: Tx, userId: number, word: string): boolean {
  const own = and(eq(alertWords.userId, userId), eq(alertWords.wordKey, word.toLowerCase()))
  forgetAlertWords(tx)
  const { changes } = tx.db.delete(alertWords).where(own).run()
  return changes > 0
}
