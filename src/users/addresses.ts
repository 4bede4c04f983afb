import { realmSetting } from '#realm/settings.ts'
import type { Read } from '#store/write.ts'
import type { User } from './queries.ts'
import { userSetting } from './settings.ts'

/** Who may see somebody's real address, as the setting's values 1 to 5 stand for it. */
const visibilities = ['everyone', 'members', 'admins', 'nobody', 'moderators'] as const
export type EmailVisibility = (typeof visibilities)[number]

/** Who may see this user's real address. Bots have no such choice: everyone sees theirs. */
export function emailVisibility(read: Read, userId: number): EmailVisibility {
  return visibilities[userSetting(read, userId, 'email_address_visibility') - 1] ?? 'everyone'
}

/** The address that stands for a hidden one: it works in the API and nowhere else. */
export function placeholderAddress(read: Read, userId: number): string {
  return `user${userId}@${realmSetting(read, 'placeholder_domain')}`
}

/** What the API shows as `email`: the real address while everyone may see it. A bot's is never hidden. */
export function apiAddress(
  read: Read,
  { id, email, botType }: Pick<User, 'id' | 'email' | 'botType'>,
): string {
  if (botType !== null || emailVisibility(read, id) === 'everyone') return email
  return placeholderAddress(read, id)
}

/** Whose placeholder address this is, if it has the form of one; the user need not exist. */
export function placeholderOwner(read: Read, address: string): number | undefined {
  const [, id, domain] = /^user(\d{1,15})@(.+)$/.exec(address.toLowerCase()) ?? []
  if (domain !== realmSetting(read, 'placeholder_domain').toLowerCase()) return undefined
  return Number(id)
}
