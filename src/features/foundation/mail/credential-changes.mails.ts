import type { User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'
import { text } from '#translations/translate.ts'
import type { Mail } from './frame.ts'
import { mailTime } from './times.ts'
import { mailToUser } from './written.mails.ts'

/** The changes of an account's credentials. */
export type CredentialChange = keyof typeof changes

/** The text about each change. */
const changes = {
  password: {
    subject: text('Your password at {organization} was changed'),
    what: text(
      'The password of your account at {organization} was changed. All browsers were logged out, and assistants disconnected.',
    ),
  },
  key: {
    subject: text('Your API key at {organization} was changed'),
    what: text(
      'The API key of your account at {organization} was replaced. Apps and programs have to log in again.',
    ),
  },
  assistant: {
    subject: text('An assistant was connected at {organization}'),
    what: text(
      'An assistant was connected with your account at {organization}. Your settings list what is connected, and can disconnect it.',
    ),
  },
  secondFactorOn: {
    subject: text('Two-factor authentication is on at {organization}'),
    what: text('Two-factor authentication was turned on for your account at {organization}.'),
  },
  secondFactorOff: {
    subject: text('Two-factor authentication is off at {organization}'),
    what: text(
      'Two-factor authentication was turned off for your account at {organization}: your password alone logs you in.',
    ),
  },
  secondFactorReset: {
    subject: text('Two-factor authentication is off at {organization}'),
    what: text(
      'An administrator turned off two-factor authentication for your account at {organization}: your password alone logs you in.',
    ),
  },
  recoveryCodes: {
    subject: text('New recovery codes at {organization}'),
    what: text(
      'Your account at {organization} has new recovery codes for two-factor authentication. The old ones no longer work.',
    ),
  },
} as const

/** Informs a user about a change of their credentials. */
export function credentialMail(read: Read, user: User, change: CredentialChange): Mail {
  const { subject, what } = changes[change]
  return mailToUser(read, user, (language, organization) => {
    const { t } = language
    return {
      subject: t(subject, { organization }),
      parts: [
        t(what, { organization }),
        {
          facts: [
            [t('Account'), user.email],
            [t('Time'), mailTime(language, read.clock.now(), user.timezone)],
          ],
        },
        t('If this was not you, ask the administrators for help.'),
      ],
    }
  })
}
