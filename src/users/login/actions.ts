import { ApiError } from '#errors.ts'
import type { Read } from '#store/write.ts'
import { verifyPassword } from '#users/passwords.ts'
import { findUserByAddress, type User } from '#users/queries.ts'

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

/** @throws USER_DEACTIVATED */
export function requireActive(user: User): User {
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return user
}
