import type { Mail } from '#features/foundation/mail/frame.ts'
import { mailToUser } from '#features/foundation/mail/written.mails.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { IdentityProvider } from '#platform/config.ts'
import type { Read } from '#platform/store/store.ts'

/** Informs a user that they can log in with an account elsewhere from now on. */
export function linkedMail(read: Read, user: User, { name: provider }: IdentityProvider): Mail {
  return mailToUser(read, user, ({ t }, organization) => ({
    subject: t('You can log in to {organization} with {provider}', { organization, provider }),
    parts: [
      t(
        'From now on, your account at {provider} logs you in to {organization}, because both have the address {email}.',
        { provider, organization, email: user.email },
      ),
      t('If this was not you, tell an administrator of the organization at once.'),
    ],
  }))
}
