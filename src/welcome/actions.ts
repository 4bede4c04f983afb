import { findChannel } from '#channels/queries.ts'
import type { Context } from '#context.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { canSendMail, queueMail } from '#mail/actions.ts'
import { postNotice, sendNotices, silently } from '#messages/notices.ts'
import { requireAdministrator } from '#permissions/can.ts'
import { limits, requireLength } from '#realm/limits.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { welcomeMail, welcomeText } from './texts.ts'

/** The topic under which new people are announced. */
const signupsTopic = 'signups'

/**
 * Greets somebody who has just joined, and tells the others: Welcome Bot writes to them, unless the
 * server does without, and a mail says how to come back, where mail can be sent and the organization
 * wants it. Notification Bot writes to the channel that the organization chose for it.
 *
 * @param ownText what the invitation says at the end of the welcome; null: as the organization says
 */
export function greet(
  tx: Tx,
  { config, realmUrl }: Pick<Context, 'config' | 'realmUrl'>,
  newcomer: User,
  ownText: string | null = null,
): void {
  if (config.welcomeMessages) {
    const custom = ownText ?? realmSetting(tx, 'welcome_message_custom_text')
    const content = [welcomeText(tx, newcomer), custom.trim()].filter(Boolean).join('\n\n')
    sendNotices(tx, [newcomer], { author: newcomer, content, realmUrl, bot: 'welcome-bot' })
  }
  if (canSendMail(config) && realmSetting(tx, 'send_welcome_emails')) {
    queueMail(tx, welcomeMail(tx, newcomer, realmUrl))
  }
  const place = findChannel(tx, realmSetting(tx, 'signup_announcements_stream_id'))
  if (!place || place.isArchived) return
  const content = `${silently(newcomer)} joined this organization.`
  postNotice(tx, place, signupsTopic, { author: newcomer, content, realmUrl })
}

/**
 * Has Welcome Bot write to an administrator what newcomers would read at the end of their welcome.
 *
 * @returns the message's id
 * @throws UNAUTHORIZED_PRINCIPAL; BAD_REQUEST an empty text, or a too long one
 * @source api-changes §2a (feature level 416)
 */
export function tryWelcomeText(tx: Tx, caller: Caller, text: string): number {
  const user = findUser(tx, caller.user.id) ?? caller.user
  requireAdministrator(user)
  const content = text.trim()
  if (content === '') throw badRequest('Message must not be empty')
  requireLength('welcome_message_custom_text', content, limits.welcomeTextLength)
  const { realmUrl } = caller.server
  const [id] = sendNotices(tx, [user], { author: user, content, realmUrl, bot: 'welcome-bot' })
  if (id === undefined) throw new Error('There is no Welcome Bot.')
  return id
}
