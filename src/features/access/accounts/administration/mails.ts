import type { Mail } from '#features/foundation/mail/frame.ts'
import { mailToUser } from '#features/foundation/mail/written.mails.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'

/**
 * Tells a user that their account is deactivated.
 *
 * @param comment a message from the administrator; may be empty
 */
export function deactivationMail(read: Read, user: User, comment: string): Mail {
  const words = comment.trim()
  return mailToUser(read, user, ({ t }, organization) => ({
    subject: t('Your account at {organization} is deactivated', { organization }),
    parts: [
      t(
        'An administrator has deactivated your account at {organization}. You can no longer log in.',
        { organization },
      ),
      ...(words === '' ? [] : [t('The administrator wrote:'), { quote: words }]),
    ],
  }))
}
