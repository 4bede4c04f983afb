import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { alertWords } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import { forgetAlertWords } from './matching.queries.ts'

const ofUser = prepared((db) =>
  db
    .select({ word: alertWords.word })
    .from(alertWords)
    .where(eq(alertWords.userId, sql.placeholder('userId')))
    .orderBy(asc(alertWords.wordKey))
    .prepare(),
)

/** A user's alert words as typed, in alphabetical order. */
export function listAlertWords(read: Read, userId: number): string[] {
  return ofUser(read)
    .all({ userId })
    .map(({ word }) => word)
}

/** Returns false if the user has the word already, ignoring case. */
export function insertAlertWord(tx: Tx, userId: number, word: string): boolean {
  const row = { userId, word, wordKey: word.toLowerCase() }
  forgetAlertWords(tx, userId)
  const { changes } = tx.db.insert(alertWords).values(row).onConflictDoNothing().run()
  return changes > 0
}

/** Returns false if the user lacks the word, ignoring case. */
export function deleteAlertWord(tx: Tx, userId: number, word: string): boolean {
  const own = and(eq(alertWords.userId, userId), eq(alertWords.wordKey, word.toLowerCase()))
  forgetAlertWords(tx, userId)
  const { changes } = tx.db.delete(alertWords).where(own).run()
  return changes > 0
}
