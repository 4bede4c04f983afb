import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import { userLanguage } from '#features/people/users/language.queries.ts'
import type { User } from '#features/people/users/queries.ts'
import type { Read } from '#platform/store/write.ts'

/** The mail with the link that resets a password. */
export function resetMail(read: Read, user: User, url: string): Mail {
  const language = userLanguage(read, user)
  const { t } = language
  const { name: organization } = requireRealm(read)
  return composed({
    language,
    organization,
    address: user.email,
    subject: t('Your password at {organization}', { organization }),
    parts: [
      {
        lead: t('To choose a new password at {organization}, open this link within a day:', {
          organization,
        }),
        url,
        button: t('Choose a new password'),
      },
      t('If you did not request this, you can ignore this email.'),
    ],
  })
}
