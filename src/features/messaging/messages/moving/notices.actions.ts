import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { organizationLanguage } from '#features/foundation/users/language.queries.ts'
import { postNotice } from '#features/messaging/messages/notices.actions.ts'
import { silentMention } from '#features/messaging/messages/quoting.ts'
import type { Caller } from '#platform/http/caller.ts'
import { messageUrl } from '#platform/markdown/links.ts'
import type { Tx } from '#platform/store/store.ts'
import { linkMarkdown } from '#shared/place-links.ts'
import { isResolved } from '#shared/resolved-topics.ts'
import type { Translator, Values } from '#translations/translate.ts'
import { listAutoReaders } from './queries.ts'
import { type ChannelTopic, isResolving, isSameTopic } from './rules.ts'

interface MoveNotices {
  readonly from: ChannelTopic
  readonly to: ChannelTopic
  /** How many messages. */
  readonly moved: number
  /** The ID of the message that the caller named, which is one of them. */
  readonly messageId: number
  /** Whether the old topic still has messages. */
  readonly stays: boolean
  readonly notifyOldTopic: boolean
  readonly notifyNewTopic: boolean
}

/**
 * Posts notices about a move in the old and the new topic, as Notification Bot, if the caller
 * requests them. The notice about a resolved topic is in the new one; there is none about a name
 * that changed in capitals only.
 *
 * @source Zulip API, "Edit a message", `send_notification_to_old_thread` and
 * `send_notification_to_new_thread`
 */
export function postMoveNotices(tx: Tx, caller: Caller, notices: MoveNotices): void {
  const { from, to } = notices
  const language = organizationLanguage(tx)
  const { t } = language
  const name = silentMention(caller.user)
  const { realmUrl } = caller.server
  const post = ({ channel, topic }: ChannelTopic, content: string, readBy: number[] = []) =>
    postNotice(tx, channel, topic, { author: caller.user, content, realmUrl, readBy })
  if (isResolving(from, to)) {
    if (!notices.notifyNewTopic) return
    const content = isResolved(to.topic)
      ? t('{name} has marked this topic as resolved.', { name })
      : t('{name} has marked this topic as unresolved.', { name })
    // The person who resolved it need not be told.
    const readBy = new Set(listAutoReaders(tx, to.channel.id, topicKey(to.topic)))
    post(to, content, [...readBy.add(caller.user.id)])
    return
  }
  if (isSameTopic(from, to)) return
  const url = realmUrl + messageUrl(to.channel, to.topic, notices.messageId)
  const values = { name, url }
  if (notices.notifyNewTopic) {
    post(to, textInNewTopic(language, notices, { ...values, place: linkTo(tx, from) }))
  }
  if (notices.notifyOldTopic) {
    post(from, textInOldTopic(language, notices, { ...values, place: linkTo(tx, to) }))
  }
}

function textInNewTopic({ t, tn }: Translator, { moved, stays }: MoveNotices, values: Values) {
  if (!stays) return t('This topic was moved here from {place} by {name}.', values)
  if (moved === 1) return t('[A message]({url}) was moved here from {place} by {name}.', values)
  return tn(
    moved,
    'A message was moved here from {place} by {name}.',
    '{count} messages were moved here from {place} by {name}.',
    values,
  )
}

function textInOldTopic({ t, tn }: Translator, { moved, stays }: MoveNotices, values: Values) {
  if (!stays) return t('This topic was moved to {place} by {name}.', values)
  if (moved === 1) return t('[A message]({url}) was moved to {place} by {name}.', values)
  return tn(
    moved,
    'A message was moved to {place} by {name}.',
    '{count} messages were moved to {place} by {name}.',
    values,
  )
}

function linkTo(tx: Tx, { channel, topic }: ChannelTopic): string {
  return linkMarkdown(channel, topic, realmSetting(tx, 'empty_topic_display_name'))
}
