import type { Mail } from '#features/foundation/mail/frame.ts'
import { mailToUser } from '#features/foundation/mail/written.mails.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'

/** The mail with the link that resets a password. */
export function resetMail(read: Read, user: User, url: string): Mail {
  return mailToUser(read, user, ({ t }, organization) => ({
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
  }))
}
