import { findChannel } from '#channels/queries.ts'
import type { Context } from '#context.ts'
import { postNotice, sendNotices, silently } from '#messages/notices.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { welcomeText } from './texts.ts'

/** The topic under which new people are announced. */
const signupsTopic = 'signups'

/**
 * Greets somebody who has just joined, and tells the others: Welcome Bot writes to them, unless the
 * server does without, and Notification Bot to the channel that the organization chose for it.
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
  const place = findChannel(tx, realmSetting(tx, 'signup_announcements_stream_id'))
  if (!place || place.isArchived) return
  const topic = place.topicsPolicy === 'empty_topic_only' ? '' : signupsTopic
  const content = `${silently(newcomer)} joined this organization.`
  postNotice(tx, place, topic, { author: newcomer, content, realmUrl })
}
