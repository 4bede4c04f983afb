import type { Mail } from '#features/foundation/mail/frame.ts'
import { mailToUser } from '#features/foundation/mail/written.mails.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { roles } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'

/** Welcome Bot's message to a new user, in Markdown. */
export function welcomeText(read: Read, user: User): string {
  const { t } = userLanguage(read, user)
  const { name } = requireRealm(read)
  const channels =
    user.role === roles.guest
      ? t('You can see the channels that you are subscribed to.')
      : t('Look through the list of channels, and subscribe to those that interest you.')
  return [
    t('Hello, and welcome to {organization}! :wave:', {
      organization: `**${name.replaceAll('*', '\\*')}**`,
    }),
    `${t('Messages are sent to channels. Each channel has topics, one for each conversation, so that you can read what you want and leave the rest.')} ${channels}`,
    t('Direct messages, such as this one, are visible only to their participants.'),
  ].join('\n\n')
}

/**
 * The welcome mail, which keeps the server address at hand.
 *
 * @param realmUrl the server's origin
 */
export function welcomeMail(read: Read, user: User, realmUrl: string): Mail {
  return mailToUser(read, user, ({ t }, organization) => ({
    subject: t('Welcome to {organization}', { organization }),
    parts: [
      t('You have joined {organization}.', { organization }),
      {
        lead: t('To come back, open this address, or add an account in any Zulip app:'),
        url: realmUrl,
        button: t('Open {organization}', { organization }),
      },
      {
        facts: [
          [t('Server address'), realmUrl],
          [t('Email address'), user.email],
        ],
      },
    ],
  }))
}
