import type { Mail } from '#mail/actions.ts'
import { requireRealm } from '#realm/queries.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'

/** Tells somebody that their password was used. @param address where from, on the network */
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
      `Somebody logged in to ${name} with your password.`,
      `Account: ${user.email}\nTime: ${time}\nNetwork address: ${address}`,
      'If that was not you, change your password at once. You can turn these mails off in your settings.',
      '',
    ].join('\n\n'),
  }
}
