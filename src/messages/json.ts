import { realmSetting } from '#realm/settings.ts'
import type { Shaped } from '#shape.ts'
import type { EditHistoryEntry, reactionTypes } from '#store/schema.ts'
import type { Read } from '#store/write.ts'
import { avatarUrl } from '#users/json.ts'
import { findUser, type User } from '#users/queries.ts'
import { visibleEntries } from './edit-history/snapshots.ts'
import { flagReader } from './flags/queries.ts'
import { topicLinker } from './lookups.ts'
import { type Place, placeOf } from './place.ts'
import type { Message } from './queries.ts'
import { listReactionsOf, type Reaction } from './reactions/queries.ts'
import type { fetchedMessage, messageShape } from './shapes.ts'
import { submessageJson } from './submessages/events.ts'
import { listSubmessagesOf, type Submessage } from './submessages/queries.ts'

/** The forms in which clients can have a message. */
export interface MessageForm {
  /** HTML, or the Markdown source. */
  readonly applyMarkdown: boolean
  /** Whether `avatar_url` may be null for a client that computes gravatars itself. */
  readonly clientGravatar: boolean
  /** Whether the empty topic is sent as such, or under the realm's display name for it. */
  readonly allowEmptyTopicName: boolean
}

interface PersonJson {
  id: number
  email: string
  full_name: string
  is_mirror_dummy: false
}

interface ReactionJson {
  emoji_name: string
  emoji_code: string
  reaction_type: (typeof reactionTypes)[number]
  user_id: number
}

/** A message on the wire. @source contract, "Message (as returned by GET /messages)" */
export type MessageJson = Shaped<typeof messageShape>

/** As its viewer gets it when fetching. */
export type FetchedMessage = Shaped<typeof fetchedMessage>

/** Everything that a message's wire form is made of, besides the viewer's flags. */
export interface MessageParts {
  readonly message: Message
  readonly sender: User
  readonly place: Place
  readonly topicLinks: readonly { text: string; url: string }[]
  readonly reactions: readonly Reaction[]
  readonly submessages: readonly Submessage[]
  readonly emptyTopicName: string
  /** As far as the realm shows it, newest first; empty for a message that was never changed. */
  readonly editHistory: EditHistoryEntry[]
}

/** A message as clients know it, without the viewer's flags. */
export function messageJson(parts: MessageParts, form: MessageForm): MessageJson {
  const { message, sender, place } = parts
  const named = message.topic !== '' || form.allowEmptyTopicName || !place.channel
  return {
    id: message.id,
    type: place.channel ? 'stream' : 'private',
    content: form.applyMarkdown ? message.renderedContent : message.content,
    content_type: form.applyMarkdown ? 'text/html' : 'text/x-markdown',
    sender_id: sender.id,
    sender_email: sender.apiEmail,
    sender_full_name: sender.fullName,
    sender_realm_str: '',
    avatar_url: avatarUrl(sender, form.clientGravatar),
    client: message.client,
    display_recipient: place.channel ? place.channel.name : place.people.map(personJson),
    recipient_id: message.recipientId,
    ...(place.channel && { stream_id: place.channel.id }),
    subject: named ? message.topic : parts.emptyTopicName,
    topic_links: [...parts.topicLinks],
    timestamp: message.sentAt,
    is_me_message: message.isMe,
    ...(message.lastEditAt !== null && { last_edit_timestamp: message.lastEditAt }),
    ...(message.lastMovedAt !== null && { last_moved_timestamp: message.lastMovedAt }),
    ...(parts.editHistory.length > 0 && { edit_history: parts.editHistory }),
    reactions: parts.reactions.map(reactionJson),
    submessages: parts.submessages.map(submessageJson),
  }
}

/**
 * A page of messages with the viewer's flags, in the order given.
 *
 * @param viewer somebody who may read all of them: access is not checked here
 */
export function messagesJson(
  read: Read,
  viewer: User,
  page: readonly Message[],
  form: MessageForm,
): FetchedMessage[] {
  const flagsOf = flagReader(read, viewer, page)
  const reactions = listReactionsOf(read, page)
  const submessages = listSubmessagesOf(read, page)
  const senders = memo((id) => findUser(read, id))
  const places = memo((recipientId) => placeOf(read, recipientId))
  const topicLinks = topicLinker(read)
  const visible = realmSetting(read, 'message_edit_history_visibility_policy')
  const emptyTopicName = realmSetting(read, 'empty_topic_display_name')
  return page.flatMap((message) => {
    const sender = senders(message.senderId)
    if (!sender) return []
    const parts: MessageParts = {
      message,
      sender,
      place: places(message.recipientId),
      topicLinks: topicLinks(message.topic),
      reactions: reactions.get(message.id) ?? [],
      submessages: submessages.get(message.id) ?? [],
      emptyTopicName,
      editHistory: visible === 'none' ? [] : visibleEntries(message, visible),
    }
    return [{ ...messageJson(parts, form), flags: flagsOf(message) }]
  })
}

function personJson(user: User): PersonJson {
  return { id: user.id, email: user.apiEmail, full_name: user.fullName, is_mirror_dummy: false }
}

function reactionJson(reaction: Reaction): ReactionJson {
  return {
    emoji_name: reaction.emojiName,
    emoji_code: reaction.emojiCode,
    reaction_type: reaction.reactionType,
    user_id: reaction.userId,
  }
}

function memo<T>(find: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>()
  return (id) => {
    if (!known.has(id)) known.set(id, find(id))
    return known.get(id) as T
  }
}
