import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import type { User } from '#features/people/users/queries.ts'
import { roles } from '#features/people/users/queries.ts'
import type { Read } from '#platform/store/write.ts'

/** Welcome Bot's message to a new user, in Markdown. */
export function welcomeText(read: Read, { role }: User): string {
  const { name } = requireRealm(read)
  const channels =
    role === roles.guest
      ? 'You can see the channels that you have been subscribed to.'
      : 'Look through the list of channels, and subscribe to those that interest you.'
  return [
    `Hello, and welcome to **${name.replaceAll('*', '\\*')}**! :wave:`,
    'Messages are sent to channels. Each channel has topics, one for each conversation, so' +
      ` that you can read what you want and leave the rest. ${channels}`,
    'Direct messages, such as this one, are visible only to their participants.',
  ].join('\n\n')
}

/**
 * The welcome mail, which keeps the server address at hand.
 *
 * @param realmUrl the server's origin
 */
export function welcomeMail(read: Read, { email }: User, realmUrl: string): Mail {
  const { name } = requireRealm(read)
  return composed({
    organization: name,
    address: email,
    subject: `Welcome to ${name}`,
    parts: [
      `You have joined ${name}.`,
      {
        lead: 'To come back, open this address, or add an account in any Zulip app:',
        url: realmUrl,
        button: `Open ${name}`,
      },
      {
        facts: [
          ['Server address', realmUrl],
          ['Email address', email],
        ],
      },
    ],
  })
}
