import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import { ApiError } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentence } from '#translations/translate.ts'
import { listProviders } from './queries.ts'

/** Whether people can log in with passwords: always if there is no other way. */
export function usesPasswords(read: Read): boolean {
  return realmSetting(read, 'password_auth_enabled') || listProviders(read).length === 0
}

/**
 * Whether this account can log in with a password. Owners always can, in case no provider answers.
 */
export function canUsePassword(read: Read, user: Pick<User, 'role'>): boolean {
  return user.role === roles.owner || usesPasswords(read)
}

/** @throws PASSWORD_AUTH_DISABLED */
export function requirePasswordUse(read: Read, user: Pick<User, 'role'>): void {
  if (canUsePassword(read, user)) return
  throw new ApiError(
    'PASSWORD_AUTH_DISABLED',
    sentence('Password authentication is disabled in this organization'),
  )
}
