import type { Mail } from '#features/foundation/mail/frame.ts'
import { mailTime } from '#features/foundation/mail/times.ts'
import { mailToAddress } from '#features/foundation/mail/written.mails.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'
import { joinUrl } from './json.ts'
import type { Invitation } from './queries.ts'

/**
 * The mail with an invitation link.
 *
 * @param realmUrl the server's origin
 */
export function invitationMail(
  read: Read,
  invitation: Invitation,
  email: string,
  realmUrl: string,
): Mail {
  const inviter = findUser(read, invitation.inviterId)
  const { expiresAt } = invitation
  return mailToAddress(read, email, (language, name) => {
    const { t } = language
    return {
      subject: t('Invitation to {organization}', { organization: name }),
      parts: [
        t('{inviter} has invited you to join {organization}, a team chat.', {
          inviter: inviter?.fullName ?? t('Someone'),
          organization: name,
        }),
        {
          lead: t('To choose a name and a password, open:'),
          url: joinUrl(realmUrl, invitation.key),
          button: t('Join {organization}', { organization: name }),
        },
        expiresAt === null
          ? t('The link works once.')
          : t('The link works once, until {time}.', {
              time: mailTime(language, expiresAt * 1000, ''),
            }),
        t('If you do not want to join, you can ignore this email.'),
      ],
    }
  })
}

/** The mail with which a person confirms their address to join. */
export function registrationMail(read: Read, email: string, url: string): Mail {
  return mailToAddress(read, email, ({ t }, organization) => ({
    subject: t('Join {organization}', { organization }),
    parts: [
      {
        lead: t('To join {organization} with this address, open this link within a day:', {
          organization,
        }),
        url,
        button: t('Join {organization}', { organization }),
      },
      t('If you did not request this, you can ignore this email.'),
    ],
  }))
}

/** Sent instead if the address already has an account. */
export function accountExistsMail(read: Read, email: string, realmUrl: string): Mail {
  return mailToAddress(read, email, ({ t }, organization) => ({
    subject: t('Your account at {organization}', { organization }),
    parts: [
      t(
        'Someone, perhaps you, tried to join {organization} with this address, which already has an account.',
        { organization },
      ),
      {
        lead: t("Log in with your browser or with any Zulip app. The server's address is:"),
        url: realmUrl,
        button: t('Log in'),
      },
    ],
  }))
}
