import { and, eq } from 'drizzle-orm'
import { realmSettings, realmUserDefaults, userSettings } from '#store/schema.ts'
import type { Read } from '#store/write.ts'

/** Who may see somebody's real address, as the setting's values 1 to 5 stand for it. */
const visibilities = ['everyone', 'members', 'admins', 'nobody', 'moderators'] as const
export type EmailVisibility = (typeof visibilities)[number]

/** Who may see this user's real address: the user's own choice, or the organization's default. */
export function emailVisibility(read: Read, userId: number): EmailVisibility {
  const name = 'email_address_visibility'
  const own = read.db
    .select({ value: userSettings.value })
    .from(userSettings)
    .where(and(eq(userSettings.userId, userId), eq(userSettings.name, name)))
    .get()
  const usual =
    own ??
    read.db
      .select({ value: realmUserDefaults.value })
      .from(realmUserDefaults)
      .where(eq(realmUserDefaults.name, name))
      .get()
  return visibilities[((usual?.value as number | undefined) ?? 1) - 1] ?? 'everyone'
}

/** The address that stands for a hidden one: it works in the API and nowhere else. */
export function placeholderAddress(read: Read, userId: number): string {
  const row = read.db
    .select({ value: realmSettings.value })
    .from(realmSettings)
    .where(eq(realmSettings.name, 'placeholder_domain'))
    .get()
  return `user${userId}@${row?.value}`
}
