import { composed, type Mail } from '#features/mail/frame.ts'
import { mailTime } from '#features/mail/times.ts'
import { requireRealm } from '#features/realm/queries.ts'
import type { User } from '#features/users/queries.ts'
import type { Read } from '#platform/store/write.ts'

/** A login, as its mail tells of it. */
export interface LoginFacts {
  /** The client's network address. */
  readonly address: string
  /** With what they logged in: `your password`. */
  readonly by: string
}

/** Informs a user about a login. */
export function loginMail(read: Read, user: User, { address, by }: LoginFacts): Mail {
  const { name } = requireRealm(read)
  const time = mailTime(read.clock.now(), user.timezone)
  return composed({
    organization: name,
    address: user.email,
    subject: `New login to ${name}`,
    parts: [
      `Someone logged in to ${name} with ${by}.`,
      {
        facts: [
          ['Account', user.email],
          ['Time', time],
          ['Network address', address],
        ],
      },
      'If that was not you, change your password at once. You can turn these mails off in your settings.',
    ],
  })
}
