import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import { canSendMail, queueMail } from '#mail/actions.ts'
import type { Read, Tx } from '#store/write.ts'
import { verifyPassword } from '#users/passwords.ts'
import { findUserByAddress, type User } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'
import { loginMail } from './mails.ts'

/**
 * Who has this address and password. An unknown address takes as long as a wrong password.
 *
 * @throws AUTHENTICATION_FAILED whatever of the two was wrong
 * @throws USER_DEACTIVATED the right password of a deactivated account
 */
export async function logIn(read: Read, username: string, password: string): Promise<User> {
  const found = findUserByAddress(read, username)
  const right = await verifyPassword(password, found?.passwordHash ?? null)
  // Read anew: much can happen while a password is being hashed.
  const user = findUserByAddress(read, username)
  if (!right || !user || user.passwordHash !== found?.passwordHash) {
    throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
  }
  return requireActive(user)
}

/** For so long nobody is told of their own first logins, in seconds. */
const freshSeconds = 3600

/**
 * Mails somebody that their password was used, where mail can be sent and they want to know.
 *
 * @param address where from, on the network
 * @source the API description of `PATCH /settings`, `enable_login_emails`
 */
export function tellOfLogin(
  tx: Tx,
  { config }: Pick<Context, 'config'>,
  user: User,
  address: string,
): void {
  if (!canSendMail(config) || seconds(tx.clock) - user.dateJoined < freshSeconds) return
  if (userSetting(tx, user.id, 'enable_login_emails')) queueMail(tx, loginMail(tx, user, address))
}

/** @throws USER_DEACTIVATED */
export function requireActive(user: User): User {
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return user
}
