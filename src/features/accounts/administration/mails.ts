import type { Mail } from '#features/mail/actions.ts'
import { requireRealm } from '#features/realm/queries.ts'
import type { Read } from '#platform/store/write.ts'

/**
 * Tells a user that their account is deactivated.
 *
 * @param comment a message from the administrator; may be empty
 */
export function deactivationMail(read: Read, email: string, comment: string): Mail {
  const { name } = requireRealm(read)
  const words = comment.trim()
  return {
    address: email,
    subject: `Your account at ${name} is deactivated`,
    body: [
      `An administrator has deactivated your account at ${name}. You can no longer log in.`,
      ...(words === '' ? [] : [`The administrator writes:`, words.replace(/^/gm, '> ')]),
      '',
    ].join('\n\n'),
  }
}
