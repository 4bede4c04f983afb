import type { Tx } from '#store/write.ts'
import { showsEmail } from './access.ts'
import { apiAddress, emailVisibility } from './addresses.ts'
import { emitAddresses } from './events.ts'
import { findUser, type User, updateUser } from './queries.ts'

/**
 * Changes who may see a user's address, or the address, and tells everybody what that means for
 * them. The API shows the real address while everyone may see it, and a placeholder otherwise.
 *
 * @param change writes the new setting or the new `email`
 */
export function changeAddresses(tx: Tx, before: User, change: () => void): void {
  const wasPublic = before.apiEmail === before.email
  const visibility = emailVisibility(tx, before.id)
  const sawAddress = (viewer: User) =>
    wasPublic || viewer.id === before.id || showsEmail(viewer, visibility)
  change()
  const user = findUser(tx, before.id)
  if (user) emitAddresses(tx, before, sawAddress, withApiAddress(tx, user))
}

/** The user with the API address that belongs to the real one and to who may see that. */
export function withApiAddress(tx: Tx, user: User): User {
  const apiEmail = apiAddress(tx, user)
  if (apiEmail === user.apiEmail) return user
  return updateUser(tx, user.id, { apiEmail, apiEmailKey: apiEmail.toLowerCase() })
}
