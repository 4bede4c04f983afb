import type { Mail } from '#mail/actions.ts'
import { requireRealm } from '#realm/queries.ts'
import type { Read } from '#store/write.ts'

/** Tells somebody that their account is deactivated. @param comment an administrator's own words */
export function deactivationMail(read: Read, email: string, comment: string): Mail {
  const { name } = requireRealm(read)
  const words = comment.trim()
  return {
    address: email,
    subject: `Your account at ${name} is deactivated`,
    body: [
      `An administrator has deactivated your account at ${name}. You cannot log in any more.`,
      ...(words === '' ? [] : [`The administrator writes:`, words.replace(/^/gm, '> ')]),
      '',
    ].join('\n\n'),
  }
}
