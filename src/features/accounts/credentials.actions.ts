import { newApiKey } from '#features/accounts/actions.ts'
import { deleteAllMailLinksAbout } from '#features/mail/links.queries.ts'
import { deleteReplyAddressesOf } from '#features/mail-in/addresses.queries.ts'
import { forgetPhones } from '#features/push/actions.ts'
import { deleteAttemptsOf } from '#features/sessions/attempts.queries.ts'
import { deleteSession, deleteSessionsOf, findSession } from '#features/sessions/queries.ts'
import { type User, updateUser } from '#features/users/queries.ts'
import { deleteSubscriptionsOfKey } from '#features/web-push/queries.ts'
import type { Queues } from '#platform/events/queues.ts'
import type { Tx } from '#platform/store/write.ts'

/**
 * Gives a user or bot a new API key. Closes the event queues that the old key opened, with their
 * parked polls, and removes registered devices.
 */
export function replaceApiKey(tx: Tx, queues: Pick<Queues, 'closeAllOf'>, userId: number): User {
  forgetPhones(tx, userId)
  deleteSubscriptionsOfKey(tx, userId)
  queues.closeAllOf(tx, userId, 'key')
  return updateUser(tx, userId, { apiKey: newApiKey() })
}

/** Ends a browser session, with the event queues that it opened and their parked polls. */
export function endSession(tx: Tx, queues: Pick<Queues, 'closeAllOf'>, token: string): void {
  const session = findSession(tx, token, tx.clock)
  if (!session) return
  deleteSession(tx, token)
  queues.closeAllOf(tx, session.user.id, 'session', session.id)
}

/**
 * Gives a user a new password. Ends their sessions and the event queues that sessions opened, and
 * invalidates pending links in mail and the addresses to answer it. API keys stay valid.
 *
 * @param passwordHash from `hashPassword`
 */
export function replacePassword(
  tx: Tx,
  queues: Pick<Queues, 'closeAllOf'>,
  userId: number,
  passwordHash: string,
): User {
  deleteSessionsOf(tx, userId)
  deleteAttemptsOf(tx, userId)
  deleteAllMailLinksAbout(tx, userId)
  deleteReplyAddressesOf(tx, userId)
  queues.closeAllOf(tx, userId, 'session')
  return updateUser(tx, userId, { passwordHash })
}
