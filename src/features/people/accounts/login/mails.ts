import { deviceName } from '#features/access/sessions/device-names.ts'
import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { mailTime } from '#features/notifications/mail/times.ts'
import {
  unsubscribeHeaders,
  unsubscribeUrl,
} from '#features/notifications/mail/unsubscribe.queries.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import type { User } from '#features/people/users/queries.ts'
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

/** Where wrong codes of a second factor came from, and how many in a row. */
export interface WrongCodes extends Pick<LoginFacts, 'address' | 'device'> {
  readonly count: number
}

/** Warns a user whose password somebody has who does not have their second factor. */
export function wrongCodesMail(read: Read, user: User, wrong: WrongCodes, realmUrl: string): Mail {
  const { name } = requireRealm(read)
  return composed({
    organization: name,
    address: user.email,
    subject: `Somebody knows your password at ${name}`,
    parts: [
      `Somebody entered your password at ${name}, and then ${wrong.count} wrong codes of your two-factor authentication in a row. No more codes are accepted there for a while.`,
      { facts: loginFacts(read, user, wrong) },
      'If that was not you, choose another password at once.',
      {
        lead: 'In your settings, under Account and privacy:',
        url: `${realmUrl}/#settings/account-and-privacy`,
        button: 'Change the password',
      },
    ],
  })
}

function loginFacts(
  read: Read,
  user: User,
  { address, device = '' }: Pick<LoginFacts, 'address' | 'device'>,
): [name: string, value: string][] {
  return [
    ['Account', user.email],
    ['Time', mailTime(read.clock.now(), user.timezone)],
    ['Network address', address],
    ['Browser or app', deviceName(device).slice(0, 100) || 'unknown'],
  ]
}

/** Informs a user about a login. @param realmUrl the server's origin */
export function loginMail(read: Read, user: User, login: LoginFacts, realmUrl: string): Mail {
  const { name } = requireRealm(read)
  const unsubscribe = unsubscribeUrl(read, 'login', user.id, realmUrl)
  return composed({
    organization: name,
    address: user.email,
    subject: `New login to ${name}`,
    parts: [
      `Someone logged in to ${name} with ${login.by}.`,
      { facts: loginFacts(read, user, login) },
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
