import { requirePasswordUse } from '#features/foundation/identity-providers/rules.ts'
import { canSendMail, queueNotice } from '#features/foundation/mail/actions.ts'
import { hashCost, verifyPassword } from '#features/foundation/users/passwords.ts'
import {
  findUser,
  findUserByAddress,
  type User,
  updateUser,
} from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { Account, Guess } from '#platform/http/guesses.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentence } from '#translations/translate.ts'
import { type LoginFacts, loginMail, type WrongCodes, wrongCodesMail } from './mails.ts'

/**
 * Finds the user with this address and password, who may use it to log in. An unknown address takes
 * as long as a wrong password.
 *
 * @throws as `checkPassword`; PASSWORD_AUTH_DISABLED the right password, but passwords are switched
 *   off
 */
export async function logIn(
  read: Read,
  username: string,
  password: string,
  guess: (account: Account) => Guess,
): Promise<User> {
  const user = await checkPassword(read, username, password, guess)
  requirePasswordUse(read, user)
  return user
}

/**
 * Finds the user with this address and password, whether or not people log in with passwords.
 *
 * @param guess counts the try, before the password is compared
 * @throws RATE_LIMIT_HIT too many passwords were wrong
 * @throws AUTHENTICATION_FAILED a wrong address or password
 * @throws USER_DEACTIVATED the right password of a deactivated account
 */
export async function checkPassword(
  read: Read,
  username: string,
  password: string,
  guess: (account: Account) => Guess,
): Promise<User> {
  const found = findUserByAddress(read, username)
  const counted = guess(found?.id ?? username)
  const hash = found?.passwordHash ?? null
  const right = await verifyPassword(password, hash, hashCost(read.config))
  if (!right || !found) throw wrongLogin()
  counted.right()
  // Read again, because the account may have changed during the hashing.
  return requireSame(read, found)
}

/**
 * The account of a login whose password was checked before the write.
 *
 * @throws as `requireSame`; PASSWORD_AUTH_DISABLED
 */
export function requireLogin(read: Read, known: User): User {
  const user = requireSame(read, known)
  requirePasswordUse(read, user)
  return user
}

/**
 * An account whose password was checked before.
 *
 * @throws AUTHENTICATION_FAILED the password has changed since
 * @throws USER_DEACTIVATED
 */
export function requireSame(read: Read, { id, passwordHash }: User): User {
  const user = findUser(read, id)
  if (!user || user.passwordHash !== passwordHash) throw wrongLogin()
  return requireActive(user)
}

function wrongLogin(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', sentence('Your username or password is incorrect'))
}

/** How long after joining, in seconds, users get no login mails. */
const newAccountSeconds = 60

/**
 * Records a completed login: an imported user counts as joined. Mails the user about it, if the
 * server can send mail and the user has not turned that off.
 *
 * @source Zulip API, "Update settings", parameter "enable_login_emails"
 */
export function recordLogin(
  tx: Tx,
  { realmUrl }: Pick<Context, 'realmUrl'>,
  user: User,
  login: LoginFacts,
): void {
  if (user.awaitsFirstLogin) updateUser(tx, user.id, { awaitsFirstLogin: false })
  if (!canSendMail(tx.config) || seconds(tx.clock) - user.dateJoined < newAccountSeconds) return
  if (userSetting(tx, user.id, 'enable_login_emails'))
    queueNotice(tx, loginMail(tx, user, login, realmUrl))
}

/**
 * Warns a user by mail that someone with their password enters wrong codes, if mail can be sent.
 */
export function queueCodesMail(
  tx: Tx,
  { realmUrl }: Pick<Context, 'realmUrl'>,
  user: User,
  wrong: WrongCodes,
): void {
  if (canSendMail(tx.config)) queueNotice(tx, wrongCodesMail(tx, user, wrong, realmUrl))
}

/** @throws USER_DEACTIVATED */
export function requireActive(user: User): User {
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', sentence('Account is deactivated'))
  return user
}
