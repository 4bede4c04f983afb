import type { Role, User } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { type Text, texts } from '#translations/translate.ts'

/** The names of roles, English, for `t()`; the most powerful first. */
export const roleNames: Readonly<Record<Role, Text>> = texts({
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
})

/** Every role, the most powerful first. */
export const roles = Object.keys(roleNames).map(Number) as Role[]

/** The name of a user's role. */
export function roleText({ role, isBot }: Pick<User, 'role' | 'isBot'>): string {
  return isBot ? t('Bot') : t(roleNames[role])
}
