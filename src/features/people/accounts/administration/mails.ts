import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import { userLanguage } from '#features/people/users/language.queries.ts'
import type { User } from '#features/people/users/queries.ts'
import type { Read } from '#platform/store/write.ts'

/**
 * Tells a user that their account is deactivated.
 *
 * @param comment a message from the administrator; may be empty
 */
export function deactivationMail(read: Read, user: User, comment: string): Mail {
  const language = userLanguage(read, user)
  const { t } = language
  const { name: organization } = requireRealm(read)
  const words = comment.trim()
  return composed({
    language,
    organization,
    address: user.email,
    subject: t('Your account at {organization} is deactivated', { organization }),
    parts: [
      t(
        'An administrator has deactivated your account at {organization}. You can no longer log in.',
        { organization },
      ),
      ...(words === '' ? [] : [t('The administrator wrote:'), { quote: words }]),
    ],
  })
}
