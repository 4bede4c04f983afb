import { claimAccount, replacePassword } from '#features/access/accounts/credentials.actions.ts'
import { canUsePassword } from '#features/foundation/identity-providers/rules.ts'
import { canMail, queueMail } from '#features/foundation/mail/actions.ts'
import {
  deleteMailLinksAbout,
  findMailLink,
  insertMailLink,
  insertMailRequest,
  takeMailRequest,
} from '#features/foundation/mail/links.queries.ts'
import { findUser, findUserByAddress, type User } from '#features/foundation/users/queries.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { Queues } from '#platform/events/queues.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { resetMail } from './mails.ts'

/** The path of the page that requests a password reset. */
export const resetPath = '/accounts/password/reset/'

/**
 * Requests a mail with a reset link. A job sends it, so that the request takes the same time for an
 * address without an account.
 */
export function requestPasswordReset(tx: Tx, address: string): void {
  insertMailRequest(tx, 'password_reset', address)
  wakeJobs(tx)
}

/**
 * Handles the oldest request: mails a reset link if the address is the real address of an active
 * person who may use passwords and has not got too many mails lately; otherwise sends nothing.
 *
 * @returns whether there was a request
 */
export function sendPasswordReset(tx: Tx, server: Pick<Context, 'realmUrl'>): boolean {
  const address = takeMailRequest(tx, 'password_reset')
  if (address === undefined) return false
  mailResetLink(tx, address, server)
  return true
}

function mailResetLink(tx: Tx, address: string, { realmUrl }: Pick<Context, 'realmUrl'>): void {
  const user = findUserByAddress(tx, address)
  const isTheirs = user?.emailKey === address.toLowerCase()
  if (!user?.isActive || user.botType !== null || !isTheirs || !canMail(tx, user.email)) return
  if (!canUsePassword(tx, user)) return
  deleteMailLinksAbout(tx, 'password_reset', user.id)
  const key = insertMailLink(tx, { purpose: 'password_reset', userId: user.id, email: user.email })
  queueMail(tx, null, resetMail(tx, user, `${realmUrl}${resetPath}${key}/`))
}

/** The user whose password a link resets; undefined if the link is not valid. */
export function findPasswordReset(read: Read, key: string): User | undefined {
  const link = findMailLink(read, 'password_reset', key)
  const user = link?.userId ? findUser(read, link.userId) : undefined
  return user?.isActive && canUsePassword(read, user) ? user : undefined
}

/**
 * Sets a new password by a reset link, as `replacePassword` does. The link proves the ownership of
 * the address; if it was not verified before, all earlier access to the account ends.
 *
 * @throws NOT_FOUND the link is no longer valid
 */
export function resetPassword(
  tx: Tx,
  queues: Pick<Queues, 'closeAllOf'>,
  key: string,
  passwordHash: string,
): User {
  const user = findPasswordReset(tx, key)
  if (!user) throw new ApiError('NOT_FOUND', sentSentence('This link is no longer valid.'))
  if (!user.isEmailVerified) claimAccount(tx, queues, user.id)
  return replacePassword(tx, queues, user.id, passwordHash)
}
