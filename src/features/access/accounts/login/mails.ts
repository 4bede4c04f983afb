import type { Mail } from '#features/foundation/mail/frame.ts'
import { mailTime } from '#features/foundation/mail/times.ts'
import {
  unsubscribeHeaders,
  unsubscribeUrl,
} from '#features/foundation/mail/unsubscribe.queries.ts'
import { mailToUser } from '#features/foundation/mail/written.mails.ts'
import { deviceName } from '#features/foundation/sessions/device-names.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { LoginMeans } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import type { Translator } from '#translations/translate.ts'

/** A login, for the mail about it. */
export interface LoginFacts {
  /** The client's network address. */
  readonly address: string
  /** Its `User-Agent`. */
  readonly device: string | undefined
  readonly by: LoginMeans
}

/** The origin of wrong codes of a second factor, and how many there were in a row. */
export interface WrongCodes extends Pick<LoginFacts, 'address' | 'device'> {
  readonly count: number
}

/** Warns a user that someone has their password, but not their second factor. */
export function wrongCodesMail(read: Read, user: User, wrong: WrongCodes, realmUrl: string): Mail {
  return mailToUser(read, user, (language, organization) => {
    const { t, tn } = language
    return {
      subject: t('Someone knows your password at {organization}', { organization }),
      parts: [
        tn(
          wrong.count,
          'Someone entered your password at {organization}, and then a wrong code for two-factor authentication. No more codes are accepted from there for a while.',
          'Someone entered your password at {organization}, and then {count} wrong codes for two-factor authentication in a row. No more codes are accepted from there for a while.',
          { organization },
        ),
        { facts: loginFacts(read, user, wrong, language) },
        t('If this was not you, choose another password at once.'),
        {
          lead: t('In your settings, under Account & privacy:'),
          url: `${realmUrl}/#settings/account-and-privacy`,
          button: t('Change password'),
        },
      ],
    }
  })
}

function loginFacts(
  read: Read,
  user: User,
  { address, device = '' }: Pick<LoginFacts, 'address' | 'device'>,
  language: Translator,
): [name: string, value: string][] {
  const { t } = language
  return [
    [t('Account'), user.email],
    [t('Time'), mailTime(language, read.clock.now(), user.timezone)],
    [t('Network address'), address],
    [t('Browser or app'), deviceName(device).slice(0, 100) || t('unknown')],
  ]
}

/** Informs a user about a login. @param realmUrl the server's origin */
export function loginMail(read: Read, user: User, login: LoginFacts, realmUrl: string): Mail {
  const unsubscribe = unsubscribeUrl(read, 'login', user.id, realmUrl)
  return mailToUser(read, user, (language, organization) => {
    const { t } = language
    return {
      subject: t('New login to {organization}', { organization }),
      parts: [
        loginText(language, organization, login.by),
        { facts: loginFacts(read, user, login, language) },
        t('If this was not you, change your password at once.'),
      ],
      footer: [
        [
          {
            lead: t('Settings'),
            url: `${realmUrl}/#settings/notifications`,
            label: t('Notifications'),
          },
          { lead: t('No more emails about logins'), url: unsubscribe, label: t('Unsubscribe') },
        ],
      ],
      headers: unsubscribeHeaders(unsubscribe),
    }
  })
}

function loginText({ t }: Translator, organization: string, by: LoginMeans): string {
  switch (by) {
    case 'password':
      return t('Someone logged in to {organization} with your password.', { organization })
    case 'click':
      return t('Someone logged in to {organization} with a click.', { organization })
    case 'desktop':
      return t('Someone logged in to {organization} with the desktop app.', { organization })
    default:
      return t('Someone logged in to {organization} with your account at {provider}.', {
        organization,
        provider: by.provider,
      })
  }
}
