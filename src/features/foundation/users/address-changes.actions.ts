import type { Tx } from '#platform/store/store.ts'
import { showsEmail } from './access.ts'
import { apiAddress, emailVisibility } from './addresses.queries.ts'
import { emitAddresses } from './events.ts'
import { findUser, type User, updateUser } from './queries.ts'

/**
 * Changes a user's address or its visibility, and notifies all users of what they now see. The API
 * shows the real address while everyone may see it, and a placeholder otherwise.
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
  if (user) emitAddresses(tx, before, sawAddress, updateApiAddress(tx, user))
}

/** Updates a user's API address to match the real address and its visibility. */
export function updateApiAddress(tx: Tx, user: User): User {
  const apiEmail = apiAddress(tx, user)
  if (apiEmail === user.apiEmail) return user
  return updateUser(tx, user.id, { apiEmail, apiEmailKey: apiEmail.toLowerCase() })
}
