import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import type { Read } from '#platform/store/write.ts'

/**
 * Tells a user that their account is deactivated.
 *
 * @param comment a message from the administrator; may be empty
 */
export function deactivationMail(read: Read, email: string, comment: string): Mail {
  const { name } = requireRealm(read)
  const words = comment.trim()
  return composed({
    organization: name,
    address: email,
    subject: `Your account at ${name} is deactivated`,
    parts: [
      `An administrator has deactivated your account at ${name}. You can no longer log in.`,
      ...(words === '' ? [] : ['The administrator writes:', { quote: words }]),
    ],
  })
}
