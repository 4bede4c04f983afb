import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import type { User } from '#features/people/users/queries.ts'
import type { IdentityProvider } from '#platform/config.ts'
import type { Read } from '#platform/store/write.ts'

/** Informs a user that an account elsewhere opens theirs from now on. */
export function linkedMail(read: Read, user: User, { name }: IdentityProvider): Mail {
  const { name: organization } = requireRealm(read)
  return composed({
    organization,
    address: user.email,
    subject: `You can log in to ${organization} with ${name}`,
    parts: [
      `From now on, your account at ${name} logs you in to ${organization}, because both have the address ${user.email}.`,
      'If that was not you, tell an administrator of the organization at once.',
    ],
  })
}
