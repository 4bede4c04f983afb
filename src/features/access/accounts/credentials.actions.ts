import { newApiKey } from '#features/access/accounts/actions.ts'
import { deleteIdentitiesOf } from '#features/foundation/identity-providers/queries.ts'
import { queueCredentialMail } from '#features/foundation/mail/credential-changes.actions.ts'
import { deleteAllMailLinksAbout } from '#features/foundation/mail/links.queries.ts'
import { deleteAttemptsOf } from '#features/foundation/sessions/attempts.queries.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSession,
} from '#features/foundation/sessions/queries.ts'
import { listBotsOf, type User, updateUser } from '#features/foundation/users/queries.ts'
import { deleteConnectionsOf } from '#features/integrations/assistants/authorization/queries.ts'
import { deleteZoomTokens } from '#features/integrations/calls/queries.ts'
import { deleteAddressesPostingAs } from '#features/notifications/mail-gateway/addresses.queries.ts'
import { forgetPhones } from '#features/notifications/phone-push/actions.ts'
import { deleteSubscriptionsOfKey } from '#features/notifications/web-push/queries.ts'
import type { Queues } from '#platform/events/queues.ts'
import type { Tx } from '#platform/store/store.ts'

/**
 * Gives a user or bot a new API key. Closes the event queues that the old key opened, with their
 * parked polls, and removes registered devices and the email addresses that post as the user.
 * Sessions and assistants have other secrets, and stay.
 */
export function replaceApiKey(tx: Tx, queues: Pick<Queues, 'closeAllOf'>, userId: number): User {
  forgetPhones(tx, userId)
  deleteSubscriptionsOfKey(tx, userId)
  deleteAddressesPostingAs(tx, userId)
  queues.closeAllOf(tx, userId, 'key')
  return updateUser(tx, userId, { apiKey: newApiKey() })
}

/**
 * Ends all access to an account from before its address was verified, because someone else may have
 * made it for the owner of the address: sessions, incomplete log-ins, assistants, links in mail,
 * addresses to answer mail, keys, those of their bots, identities at providers, and the connection
 * with Zoom.
 * The address counts as verified from then on. A second factor stays.
 */
export function claimAccount(tx: Tx, queues: Pick<Queues, 'closeAllOf'>, userId: number): User {
  endBrowserAccess(tx, queues, userId)
  deleteIdentitiesOf(tx, userId)
  deleteZoomTokens(tx, userId)
  for (const bot of listBotsOf(tx, userId)) replaceApiKey(tx, queues, bot.id)
  replaceApiKey(tx, queues, userId)
  return updateUser(tx, userId, { isEmailVerified: true })
}

/** Ends a browser session, with the event queues that it opened and their parked polls. */
export function endSession(tx: Tx, queues: Pick<Queues, 'closeAllOf'>, token: string): void {
  const session = findSession(tx, token, tx.clock)
  if (!session) return
  deleteSession(tx, token)
  queues.closeAllOf(tx, session.user.id, 'session', session.id)
}

/**
 * Gives a user a new password. Ends their sessions with the event queues that they opened, and their
 * assistants, and invalidates pending links in mail and the email addresses that post as the user.
 * API keys stay valid.
 *
 * A mail tells them.
 *
 * @param passwordHash from `hashPassword`
 */
export function replacePassword(
  tx: Tx,
  queues: Pick<Queues, 'closeAllOf'>,
  userId: number,
  passwordHash: string,
): User {
  endBrowserAccess(tx, queues, userId)
  const user = updateUser(tx, userId, { passwordHash })
  queueCredentialMail(tx, user, 'password')
  return user
}

function endBrowserAccess(tx: Tx, queues: Pick<Queues, 'closeAllOf'>, userId: number): void {
  deleteConnectionsOf(tx, userId)
  deleteSessionsOf(tx, userId)
  deleteAttemptsOf(tx, userId)
  deleteAllMailLinksAbout(tx, userId)
  deleteAddressesPostingAs(tx, userId)
  queues.closeAllOf(tx, userId, 'session')
}
