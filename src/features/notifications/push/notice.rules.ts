import { findMessage, type Message } from '#features/foundation/core/queries.ts'
import { type Recipient, recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { findGroup } from '#features/foundation/groups/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { type SenderFacts, senderFacts } from '#features/foundation/users/json.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { hiddenSender } from '#features/messaging/messages/json.ts'
import { triggersNow } from '#features/messaging/messages/notified.rules.ts'
import type { Trigger } from '#features/messaging/notifications/decision.ts'
import type { Push } from '#features/messaging/notifications/pushes.queries.ts'
import type { Read } from '#platform/store/store.ts'
import { messageText, shortened } from '#shared/message-text.ts'
import type { Translator } from '#translations/translate.ts'
import { groupOf } from './queries.ts'

/** The content of a notification about a message, for all transports. */
export interface Notice {
  readonly reader: User
  /** The reader's. */
  readonly language: Translator
  readonly message: Message
  readonly recipient: Recipient
  /** As clients without empty topics see it; empty for a direct message. */
  readonly topic: string
  /** The sender, as the reader may see them. */
  readonly sender: SenderFacts
  readonly trigger: Trigger
  /** The group that mentions the reader. */
  readonly group: { readonly id: number; readonly name: string } | undefined
  /** The text of the message, without markup, or "New message". */
  readonly text: string
  /** Whether names and contents must not leave the server. */
  readonly isHidden: boolean
}

/** The most characters of a message that a device shows. */
const longestText = 200

/** The reason for a device to show a message; undefined if it should not, or no longer. */
export function triggerOfPush(read: Read, { userId, messageId }: Push): Trigger | undefined {
  const reader = findUser(read, userId)
  return reader?.isActive ? triggersNow(read, reader, { id: messageId }).push : undefined
}

/** The notification about a message for a device; undefined if it should not show it. */
export function noticeOf(read: Read, push: Push): Notice | undefined {
  const trigger = triggerOfPush(read, push)
  const reader = findUser(read, push.userId)
  const message = findMessage(read, push.messageId)
  const sender = message && findUser(read, message.senderId)
  if (!trigger || !reader || !sender) return undefined
  const recipient = recipientOf(read, message.recipientId)
  const groupId = groupOf(read, push)
  const group = groupId === null ? undefined : findGroup(read, groupId)
  const isHidden = !realmSetting(read, 'message_content_allowed_in_push_notifications')
  const text = isHidden ? '' : shortened(messageText(message.renderedContent), longestText)
  const emptyTopic = realmSetting(read, 'empty_topic_display_name')
  const language = userLanguage(read, reader)
  return {
    reader,
    language,
    message,
    recipient,
    topic: recipient.channel ? message.topic || emptyTopic : '',
    sender: hiddenSender(read, reader, sender) ?? senderFacts(sender),
    trigger,
    group: group && { id: group.id, name: group.name },
    text: text || language.t('New message'),
    isHidden,
  }
}
