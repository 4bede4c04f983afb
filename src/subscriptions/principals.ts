import { badRequest } from '#errors.ts'
import type { Read } from '#store/write.ts'
import { accessUser, accessUserByAddress } from '#users/access.ts'
import type { User } from '#users/queries.ts'

/** Somebody to subscribe or unsubscribe: a user id or an address. */
export type Principal = number | string

/**
 * The users that a caller named, each once; the caller where none is named.
 *
 * @throws BAD_REQUEST: one that does not exist, that the caller may not know of, that is
 * deactivated, or that belongs to the server
 * @source contract, "Subscribe to a channel": `principals`
 */
export function accessPrincipals(
  read: Read,
  caller: User,
  principals: readonly Principal[],
): User[] {
  if (principals.length === 0) return [caller]
  const users = new Map<number, User>()
  for (const principal of principals) {
    const user =
      typeof principal === 'number'
        ? accessUser(read, caller, principal)
        : accessUserByAddress(read, caller, principal)
    if (!user.isActive) throw badRequest('User is deactivated')
    if (user.isSystemBot) throw badRequest('No such user')
    users.set(user.id, user)
  }
  return [...users.values()]
}
