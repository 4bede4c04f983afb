import type { Mail } from '#features/mail/actions.ts'
import { requireRealm } from '#features/realm/queries.ts'
import type { User } from '#features/users/queries.ts'
import type { Read } from '#platform/store/write.ts'

/**
 * Informs a user about a login with their password.
 *
 * @param address the client's network address
 */
export function loginMail(read: Read, user: User, address: string): Mail {
  const { name } = requireRealm(read)
  const time = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: user.timezone || 'UTC',
  }).format(read.clock.now())
  return {
    address: user.email,
    subject: `New login to ${name}`,
    body: [
      `Someone logged in to ${name} with your password.`,
      `Account: ${user.email}\nTime: ${time}\nNetwork address: ${address}`,
      'If that was not you, change your password at once. You can turn these mails off in your settings.',
      '',
    ].join('\n\n'),
  }
}
