import { asc, eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { alertWords } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
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

const insertOne = preparedSql(`
  INSERT INTO alert_words (user_id, word, word_key)
  VALUES (@userId, @word, @wordKey)
  ON CONFLICT DO NOTHING`)

/** Returns false if the user has the word already, ignoring case. */
export function insertAlertWord(tx: Tx, userId: number, word: string): boolean {
  const row = { userId, word, wordKey: word.toLowerCase() }
  forgetAlertWords(tx, userId)
  return insertOne(tx).run(row).changes > 0
}

const deleteOne = preparedSql(
  'DELETE FROM alert_words WHERE user_id = @userId AND word_key = @wordKey',
)

/** Returns false if the user lacks the word, ignoring case. */
export function deleteAlertWord(tx: Tx, userId: number, word: string): boolean {
  forgetAlertWords(tx, userId)
  return deleteOne(tx).run({ userId, wordKey: word.toLowerCase() }).changes > 0
}
