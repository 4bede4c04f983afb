import type { Mail } from '#features/foundation/mail/frame.ts'
import { mailToAddress, mailToUser } from '#features/foundation/mail/written.mails.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'

/** Goes to the new address; opening its link confirms the change. */
export function confirmationMail(read: Read, user: User, email: string, url: string): Mail {
  return mailToUser(read, { ...user, email }, ({ t }, organization) => ({
    subject: t('Confirm your new address at {organization}', { organization }),
    parts: [
      {
        lead: t(
          'To use this address for your account at {organization}, open this link within a day:',
          { organization },
        ),
        url,
        button: t('Use this address'),
      },
      t('If you did not request this, you can ignore this email.'),
    ],
  }))
}

/** Goes to the old address once the new one is confirmed. */
export function oldAddressMail(read: Read, user: User, email: string): Mail {
  return mailToUser(read, user, ({ t }, organization) => ({
    subject: t('Your address at {organization} was changed', { organization }),
    parts: [
      t('The address of your account at {organization} is now {email}.', { organization, email }),
      t('If this was not you, ask the administrators for help.'),
    ],
  }))
}

/** Goes to the new address, if someone other than its owner has changed it. */
export function newAddressMail(read: Read, user: User, email: string): Mail {
  return mailToUser(read, { ...user, email }, ({ t }, organization) => ({
    subject: t('Your address at {organization} was changed', { organization }),
    parts: [
      t(
        'An account at {organization} has this address from now on: someone who manages the accounts has set it.',
        { organization },
      ),
      t('If you have no account there, ask its administrators to correct it.'),
    ],
  }))
}

/** Goes to an address that someone else wants, but may not know to be taken. */
export function addressInUseMail(read: Read, email: string): Mail {
  return mailToAddress(read, email, ({ t }, organization) => ({
    subject: t('Your address at {organization}', { organization }),
    parts: [
      t('Someone, perhaps you, wants to use this address for another account at {organization}.', {
        organization,
      }),
      t('It already belongs to another account, so nothing was changed.'),
    ],
  }))
}
