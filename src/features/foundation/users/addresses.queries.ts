import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import type { Read } from '#platform/store/store.ts'
import type { User } from './queries.ts'
import { userSetting } from './settings.queries.ts'

/** Who may see a user's real address; the index plus 1 is the setting's value. */
const visibilities = ['everyone', 'members', 'admins', 'nobody', 'moderators'] as const
export type EmailVisibility = (typeof visibilities)[number]

/** Who may see this user's real address. Everyone sees a bot's address. */
export function emailVisibility(read: Read, userId: number): EmailVisibility {
  return visibilities[userSetting(read, userId, 'email_address_visibility') - 1] ?? 'everyone'
}

/** The address that replaces a hidden one. It identifies the user in the API only. */
export function placeholderAddress(read: Read, userId: number): string {
  return `user${userId}@${realmSetting(read, 'placeholder_domain')}`
}

/**
 * The `email` that the API shows: the real address while everyone may see it. Bots always show
 * theirs.
 */
export function apiAddress(
  read: Read,
  { id, email, botType }: Pick<User, 'id' | 'email' | 'botType'>,
): string {
  if (botType !== null || emailVisibility(read, id) === 'everyone') return email
  return placeholderAddress(read, id)
}

/** The ID in a placeholder address; undefined for other addresses. The user need not exist. */
export function placeholderOwner(read: Read, address: string): number | undefined {
  const [, id, domain] = /^user(\d{1,15})@(.+)$/.exec(address.toLowerCase()) ?? []
  if (domain !== realmSetting(read, 'placeholder_domain').toLowerCase()) return undefined
  return Number(id)
}
