import { composed, type Mail } from '#features/mail/frame.ts'
import { mailTime } from '#features/mail/times.ts'
import { unsubscribeHeaders, unsubscribeUrl } from '#features/mail/unsubscribe.queries.ts'
import { requireRealm } from '#features/realm/queries.ts'
import { deviceName } from '#features/sessions/device-names.ts'
import type { User } from '#features/users/queries.ts'
import type { Read } from '#platform/store/write.ts'

/** A login, as its mail tells of it. */
export interface LoginFacts {
  /** The client's network address. */
  readonly address: string
  /** Its `User-Agent`. */
  readonly device: string | undefined
  /** With what they logged in: `your password`. */
  readonly by: string
}

/** Informs a user about a login. @param realmUrl the server's origin */
export function loginMail(read: Read, user: User, login: LoginFacts, realmUrl: string): Mail {
  const { address, device = '', by } = login
  const { name } = requireRealm(read)
  const unsubscribe = unsubscribeUrl(read, 'login', user.id, realmUrl)
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
          ['Browser or app', deviceName(device).slice(0, 100) || 'unknown'],
        ],
      },
      'If that was not you, change your password at once.',
    ],
    footer: [
      [
        { lead: 'Settings', url: `${realmUrl}/#settings/notifications`, label: 'Notifications' },
        { lead: 'No more mail about logins', url: unsubscribe, label: 'Unsubscribe' },
      ],
    ],
    headers: unsubscribeHeaders(unsubscribe),
  })
}
