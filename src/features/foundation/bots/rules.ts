import { findUser, type User } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { type Bot, canAdministerBot, findBot } from './queries.ts'

/**
 * Finds a bot that the user administers, deactivated or not.
 *
 * @throws BAD_REQUEST "No such bot"; "Insufficient permission" for another user's bot
 */
export function accessBot(read: Read, user: User, botId: number): Bot {
  const bot = findBot(read, botId)
  if (!bot) throw badRequest(sentSentence('No such bot'), { parameter: 'bot_id' })
  if (!canAdministerBot(user, bot.user)) throw badRequest(sentSentence('Insufficient permission'))
  return bot
}

/**
 * The caller's row, read again inside the transaction.
 *
 * @throws BAD_REQUEST a bot, because bots cannot own bots
 */
export function requirePerson(read: Read, caller: User): User {
  const user = findUser(read, caller.id) ?? caller
  if (user.botType !== null)
    throw badRequest(sentSentence('This endpoint does not accept bot requests.'))
  return user
}
