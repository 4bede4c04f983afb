import { preparedSql } from '#platform/store/prepared.ts'
import type { webhookAttempts } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Attempt = typeof webhookAttempts.$inferSelect

/** How many attempts of each bot are kept: the newest. */
const mostKept = 20
/** How much of an answer is kept, in UTF-16 code units. */
const longestReply = 500

const insertOne = preparedSql(`
  INSERT INTO webhook_attempts (bot_id, at, message_id, what, status, answer)
  VALUES (@botId, @at, @messageId, @what, @status, @answer)
`)
const removeOld = preparedSql(`
  DELETE FROM webhook_attempts WHERE bot_id = @botId AND id <= (
    SELECT id FROM webhook_attempts WHERE bot_id = @botId ORDER BY id DESC LIMIT 1 OFFSET @most
  )
`)

/** Remembers an attempt, and forgets the oldest of this bot. */
export function insertAttempt(tx: Tx, attempt: Omit<Attempt, 'id'>): void {
  const reply = attempt.answer.slice(0, longestReply).toWellFormed()
  insertOne(tx).run({ ...attempt, answer: reply })
  removeOld(tx).run({ botId: attempt.botId, most: mostKept })
}

const ofBot = preparedSql<Attempt>(`
  SELECT id, bot_id AS botId, at, message_id AS messageId, what, status, answer
  FROM webhook_attempts WHERE bot_id = @botId ORDER BY id DESC
`)

/** The last attempts of a bot, the newest first. */
export function listAttempts(read: Read, botId: number): Attempt[] {
  return ofBot(read).all({ botId })
}
