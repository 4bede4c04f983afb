import type { Mail } from '#mail/actions.ts'
import { requireRealm } from '#realm/queries.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { roles } from '#users/queries.ts'

/** What Welcome Bot writes to somebody new, in Markdown. */
export function welcomeText(read: Read, { role }: User): string {
  const { name } = requireRealm(read)
  const channels =
    role === roles.guest
      ? 'You see the channels that somebody subscribed you to.'
      : 'Look through the list of channels, and subscribe to those that concern you.'
  return [
    `Hello, and welcome to **${name.replaceAll('*', '\\*')}**! :wave:`,
    'Messages here are in channels, and each channel has topics: one for each conversation, so' +
      ` that you can read what you want and leave the rest. ${channels}`,
    'Direct messages, such as this one, are between the people in them alone.',
  ].join('\n\n')
}

/** The mail that somebody new finds again later. @param realmUrl the server's address */
export function welcomeMail(read: Read, { email }: User, realmUrl: string): Mail {
  const { name } = requireRealm(read)
  return {
    address: email,
    subject: `Welcome to ${name}`,
    body: [
      `You have joined ${name}. To come back, add an account in any Zulip app:`,
      `Server address: ${realmUrl}\nEmail address: ${email}`,
      '',
    ].join('\n\n'),
  }
}
