import type { Message } from '#features/foundation/core/queries.ts'
import { type Recipient, recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { canAccessAllUsers, canAccessUser } from '#features/foundation/users/access.ts'
import {
  publicSenderFacts,
  type SenderFacts,
  senderFacts,
  unknownSenderFacts,
} from '#features/foundation/users/json.ts'
import { findUser, type User, type Viewer } from '#features/foundation/users/queries.ts'
import { memo } from '#platform/memo.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import { type EditHistoryEntry, editHistories } from './edit-history/entries.json.ts'
import { flagReader } from './flags/queries.ts'
import { type TopicLinker, topicLinker } from './lookups.queries.ts'
import { listReactionsOf, type Reaction } from './reactions/queries.ts'
import type { fetchedMessage, messageShape } from './shapes.ts'
import { submessageJson } from './submessages/events.ts'
import { listSubmessagesOf, type Submessage } from './submessages/queries.ts'

/** The form in which a client requests messages. */
export interface MessageForm {
  /** Whether `content` is HTML; otherwise it is the Markdown source. */
  readonly applyMarkdown: boolean
  /** Whether the empty topic is sent as it is; otherwise as the realm's display name for it. */
  readonly allowEmptyTopicName: boolean
  /** How many messages the reply has, if not all of them are read together. */
  readonly replyLength?: number
  /** Finds the links of topics once for all parts of that reply. */
  readonly topicLinks?: TopicLinker
}

/** A message in an event, without flags. @source Zulip API, "Get events", type "message" */
export type MessageJson = Shaped<typeof messageShape>

/** A fetched message, with the viewer's flags. @source Zulip API, "Get messages" */
export type FetchedMessage = Shaped<typeof fetchedMessage>

/** The parts of a message's wire form, except the viewer's flags. */
export interface MessageParts {
  readonly message: Message
  readonly sender: User
  /** Replaces the sender for viewers who may not see them. */
  readonly senderInstead?: SenderFacts | undefined
  readonly recipient: Recipient
  readonly topicLinks: readonly { text: string; url: string }[]
  readonly reactions: readonly Reaction[]
  readonly submessages: readonly Submessage[]
  readonly emptyTopicName: string
  /** The part that is shown, newest first; undefined for a message that was never changed. */
  readonly editHistory?: EditHistoryEntry[] | undefined
}

/** The wire form of a message, without the viewer's flags. */
export function messageJson(parts: MessageParts, form: MessageForm): MessageJson {
  const { message, sender, recipient } = parts
  const named = message.topic !== '' || form.allowEmptyTopicName || !recipient.channel
  return {
    id: message.id,
    type: recipient.channel ? 'stream' : 'private',
    content: form.applyMarkdown ? message.renderedContent : message.content,
    content_type: form.applyMarkdown ? 'text/html' : 'text/x-markdown',
    sender_id: sender.id,
    ...(parts.senderInstead ?? senderFacts(sender)),
    sender_realm_str: '',
    client: message.client,
    display_recipient: recipient.channel
      ? recipient.channel.name
      : recipient.people.map(personJson),
    recipient_id: message.recipientId,
    ...(recipient.channel && { stream_id: recipient.channel.id }),
    subject: named ? message.topic : parts.emptyTopicName,
    topic_links: [...parts.topicLinks],
    timestamp: message.sentAt,
    is_me_message: message.isMe,
    ...(message.lastEditAt !== null && { last_edit_timestamp: message.lastEditAt }),
    ...(message.lastMovedAt !== null && { last_moved_timestamp: message.lastMovedAt }),
    ...(parts.editHistory && { edit_history: parts.editHistory }),
    reactions: parts.reactions.map(reactionJson),
    submessages: parts.submessages.map(submessageJson),
  }
}

/**
 * A page of messages with the viewer's flags, in the given order. Senders whom a limited guest may
 * not see are "Unknown user"; names in the text of messages stay. For spectators, senders are
 * without their addresses.
 *
 * @param viewer may read all of them; the caller checks access
 */
export function messagesJson(
  read: Read,
  viewer: Viewer,
  page: readonly Message[],
  form: MessageForm,
): FetchedMessage[] {
  const flagsOf = flagReader(read, viewer, page)
  const reactions = listReactionsOf(read, page)
  const submessages = listSubmessagesOf(read, page)
  const senders = memo((id) => findUser(read, id))
  const seesAll = viewer !== 'spectator' && canAccessAllUsers(read, viewer)
  const senderInstead = memo((id) => hiddenSender(read, viewer, senders(id)))
  const recipientsOf = memo((recipientId) => recipientOf(read, recipientId))
  const topicLinks = form.topicLinks ?? topicLinker(read)
  const visible = realmSetting(read, 'message_edit_history_visibility_policy')
  const histories =
    visible === 'none' ? undefined : editHistories(read, page, visible, form.replyLength)
  const emptyTopicName = realmSetting(read, 'empty_topic_display_name')
  return page.flatMap((message) => {
    const sender = senders(message.senderId)
    if (!sender) return []
    const parts: MessageParts = {
      message,
      sender,
      senderInstead: seesAll ? undefined : senderInstead(sender.id),
      recipient: recipientsOf(message.recipientId),
      topicLinks: topicLinks(message.topic),
      reactions: reactions.get(message.id) ?? [],
      submessages: submessages.get(message.id) ?? [],
      emptyTopicName,
      editHistory: histories?.get(message.id),
    }
    return [{ ...messageJson(parts, form), flags: flagsOf(message) }]
  })
}

/** What replaces the sender for a viewer who may not see all of them; undefined for others. */
export function hiddenSender(
  read: Read,
  viewer: Viewer,
  sender: User | undefined,
): SenderFacts | undefined {
  if (sender && viewer === 'spectator') return publicSenderFacts(read, sender)
  if (!sender || canAccessUser(read, viewer, sender)) return undefined
  return unknownSenderFacts(read, sender.id)
}

function personJson(user: User): Exclude<MessageJson['display_recipient'], string>[number] {
  return { id: user.id, email: user.apiEmail, full_name: user.fullName, is_mirror_dummy: false }
}

function reactionJson(reaction: Reaction): MessageJson['reactions'][number] {
  return {
    emoji_name: reaction.emojiName,
    emoji_code: reaction.emojiCode,
    reaction_type: reaction.reactionType,
    user_id: reaction.userId,
  }
}
