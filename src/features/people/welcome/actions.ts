import { findChannel, listDefaultChannels } from '#features/foundation/channels/queries.ts'
import { canSendMail, queueNotice } from '#features/foundation/mail/actions.ts'
import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { markUnread } from '#features/foundation/read-state/actions.ts'
import { limits, requireLength } from '#features/foundation/realm/limits.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { organizationLanguage } from '#features/foundation/users/language.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { postNotice, sendNotices } from '#features/messaging/messages/notices.actions.ts'
import { silentMention } from '#features/messaging/messages/quoting.ts'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { listNewestOfPeople } from './queries.ts'
import { welcomeMail, welcomeText } from './texts.ts'

/**
 * Welcomes a new user, for whom the newest messages of the default channels are unread. Sends a direct message from Welcome Bot, unless the server's configuration
 * turns that off; a welcome mail, if the server can send mail and the organization wants it; and a
 * notice to the channel for signup announcements.
 *
 * @param ownText the invitation's text for the end of the message, Markdown; null: the
 *   organization's
 */
export function welcomeNewcomer(
  tx: Tx,
  { realmUrl }: Pick<Context, 'realmUrl'>,
  newcomer: User,
  ownText: string | null = null,
): void {
  showWhatWasSaid(tx, newcomer)
  if (tx.config.welcomeMessages) {
    const custom = ownText ?? realmSetting(tx, 'welcome_message_custom_text')
    const content = [welcomeText(tx, newcomer), custom.trim()].filter(Boolean).join('\n\n')
    sendNotices(tx, [newcomer], { author: newcomer, content, realmUrl, bot: 'welcome-bot' })
  }
  if (canSendMail(tx.config) && realmSetting(tx, 'send_welcome_emails')) {
    queueNotice(tx, welcomeMail(tx, newcomer, realmUrl))
  }
  const place = findChannel(tx, realmSetting(tx, 'signup_announcements_stream_id'))
  if (!place || place.isArchived) return
  const { t } = organizationLanguage(tx)
  const content = t('{name} joined this organization.', { name: silentMention(newcomer) })
  const readBy = [newcomer.id]
  postNotice(tx, place, t('signups'), { author: newcomer, content, realmUrl, readBy })
}

/** How much of what was said before a newcomer is to read. */
const mostBefore = 20

/**
 * Leaves the newest messages of the default channels unread for someone who has just joined, so that
 * what was said to everyone is the first that they see. Protected history stays as it is.
 */
function showWhatWasSaid(tx: Tx, newcomer: User): void {
  const places = listDefaultChannels(tx).map(({ recipientId }) => recipientId)
  markUnread(tx, newcomer.id, listNewestOfPeople(tx, places, mostBefore))
}

/**
 * Sends a welcome text to an administrator as a direct message from Welcome Bot.
 *
 * @returns the message's ID
 * @throws UNAUTHORIZED_PRINCIPAL
 * @throws BAD_REQUEST an empty text, or a too long one
 * @source Zulip API, "Test welcome bot custom message" (feature level 416)
 */
export function sendWelcomePreview(tx: Tx, caller: Caller, text: string): number {
  const { user } = caller
  requireAdministrator(user)
  const content = text.trim()
  if (content === '')
    throw badRequest(sentSentence('Message must not be empty'), {
      parameter: 'welcome_message_custom_text',
    })
  requireLength('welcome_message_custom_text', content, limits.welcomeTextLength)
  const { realmUrl } = caller.server
  const [id] = sendNotices(tx, [user], { author: user, content, realmUrl, bot: 'welcome-bot' })
  if (id === undefined) throw new Error('There is no Welcome Bot.')
  return id
}
