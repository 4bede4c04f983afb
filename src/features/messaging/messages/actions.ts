import { claimable, claimFiles } from '#features/files/attachments/claims.actions.ts'
import { canAccessContent } from '#features/foundation/channels/access.ts'
import { setFirstMessage } from '#features/foundation/channels/actions.ts'
import {
  type Channel,
  findChannel,
  findChannelByRecipient,
  isSubscribed,
} from '#features/foundation/channels/queries.ts'
import { addToHistory } from '#features/foundation/channels/subscriptions.queries.ts'
import { messageSent } from '#features/foundation/core/occasions.ts'
import {
  insertMessage,
  listTopicParticipants,
  type Message,
} from '#features/foundation/core/queries.ts'
import type { Recipient } from '#features/foundation/core/recipient.queries.ts'
import { listAllMembers } from '#features/foundation/groups/queries.ts'
import { markOwnSent } from '#features/foundation/read-state/actions.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { directRecipient, findDirectRecipient } from '#features/foundation/recipients/queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { trackGuestVisibility } from '#features/foundation/users/guest-visibility.actions.ts'
import { listMuters } from '#features/foundation/users/muting.queries.ts'
import { findUser, roles, type User } from '#features/foundation/users/queries.ts'
import { listAlertedUsers } from '#features/messaging/alert-words/matching.queries.ts'
import { seconds } from '#platform/clock.ts'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import { botTypes, flagBits } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { Draft } from './compose.rules.ts'
import { messageEvent } from './events.ts'
import { insertFlagsOf } from './flags/queries.ts'
import { hiddenSender } from './json.ts'
import { topicLinker } from './lookups.queries.ts'
import { followOnMention, followOnSend, type NewPolicy } from './policies.actions.ts'
import { requireChannelPost, requireDirectPost } from './rules.ts'
import { insertSubmessage, type Submessage } from './submessages/queries.ts'
import type { Widget } from './submessages/widgets.ts'

export interface Sent {
  readonly message: Message
  /** The topic's new visibility policy for the sender; undefined when sending did not change it. */
  readonly newPolicy: NewPolicy | undefined
}

/**
 * Sends a message: stores it, flags it for the users it mentions, and emits `message` to all
 * recipients. The cost does not depend on the number of subscribers.
 *
 * @param draft from `composeMessage`, which looked up and rendered it outside the write
 * @throws ApiError see `requireChannelPost` and `requireDirectPost`
 * @source Zulip API, "Send a message"
 */
export function sendMessage(tx: Tx, sender: User, draft: Draft): Sent {
  // Reads the channel again: it may have changed since the draft was composed.
  const channel = draft.channel && findChannel(tx, draft.channel.id)
  return channel ? sendToChannel(tx, sender, channel, draft) : sendDirectly(tx, sender, draft)
}

function sendToChannel(tx: Tx, sender: User, channel: Channel, draft: Draft): Sent {
  requireChannelPost(tx, sender, channel, draft)
  const message = store(tx, sender, channel.recipientId, draft)
  if (channel.firstMessageId === null) setFirstMessage(tx, channel, message.id)
  const recipient = { channel }
  const reach = messageRecipients(tx, recipient, message, draft.rendered)
  const flagged = insertRecipientFlags(tx, draft.rendered, message, reach)
  // Before the message, so that clients know the topic's new policy when it comes.
  followOnMention(tx, mentionedIn(flagged.bits, sender), channel, draft.topic)
  const newPolicy = followOnSend(tx, sender, channel, message)
  deliver(tx, sender, draft, message, recipient, { ...reach, ...flagged })
  return { message, newPolicy }
}

function sendDirectly(tx: Tx, sender: User, draft: Draft): Sent {
  const ids = draft.people.map(({ id }) => id)
  const isNew = findDirectRecipient(tx, ids) === undefined
  requireDirectPost(tx, sender, draft, () => isNew)
  const visibility = isNew
    ? trackGuestVisibility(tx, () => [{ members: ids, changing: ids }])
    : undefined
  const { id } = directRecipient(tx, ids)
  visibility?.emitChanges()
  const message = store(tx, sender, id, draft)
  const recipient = { people: draft.people }
  const reach = messageRecipients(tx, recipient, message, draft.rendered)
  const flagged = insertRecipientFlags(tx, draft.rendered, message, reach)
  deliver(tx, sender, draft, message, recipient, { ...reach, ...flagged })
  return { message, newPolicy: undefined }
}

function store(tx: Tx, sender: User, recipientId: number, draft: Draft): Message {
  const { rendered } = draft
  const files = claimable(tx, sender, rendered.links.uploads)
  const message = insertMessage(tx, {
    recipientId,
    senderId: sender.id,
    topic: draft.topic,
    topicKey: topicKey(draft.topic),
    content: draft.content,
    renderedContent: rendered.html,
    sentAt: seconds(tx.clock),
    client: draft.client,
    hasLink: rendered.links.hasLink,
    hasImage: rendered.links.hasImage,
    hasAttachment: files.length > 0,
    isMe: rendered.isMe,
    channelWildcard: draft.channel !== undefined && rendered.mentions.channelWildcard,
  })
  claimFiles(tx, files, message.id)
  return message
}

/** The users whom a message mentions by name or with a group, without its author. */
export function mentionedIn(bits: ReadonlyMap<number, number>, { id }: User): number[] {
  return [...bits].flatMap(([userId, flags]) =>
    flags & flagBits.mentioned && userId !== id ? [userId] : [],
  )
}

/** The recipients of a message. */
export interface MessageRecipients {
  receives(userId: number): boolean
  /** Ids of the users that its topic wildcard mentions; empty without one. */
  readonly topicPeople: readonly number[]
  /** Ids of the bots that receive it without being subscribed, because it mentions them. */
  readonly mentionedBots: ReadonlySet<number>
}

function deliver(
  tx: Tx,
  sender: User,
  draft: Draft,
  message: Message,
  recipient: Recipient,
  reach: MessageRecipients & ReturnType<typeof insertRecipientFlags>,
): void {
  const { bits, mentioned } = reach
  const readBy = markReadOnSend(tx, sender, draft, message, reach)
  tx.announce(messageSent, {
    message,
    sender,
    recipient,
    bits,
    mentioned,
    pages: draft.rendered.links.pages,
    hasRead: (userId) => readBy.has(userId),
  })
  const received = new Map<number, boolean>()
  const audience = (userId: number) => {
    const own = reach.receives(userId)
    received.set(userId, own)
    return (
      own || (recipient.channel !== undefined && mayReadAsPublic(tx, userId, recipient.channel))
    )
  }
  const event = messageEvent({
    parts: {
      message,
      sender,
      recipient,
      topicLinks: topicLinker(tx)(message.topic),
      reactions: [],
      submessages: draft.widget ? [insertWidget(tx, sender, message, draft.widget)] : [],
      emptyTopicName: realmSetting(tx, 'empty_topic_display_name'),
    },
    received: (userId) => received.get(userId) === true,
    senderInstead(userId) {
      const viewer = findUser(tx, userId)
      return viewer && hiddenSender(tx, viewer, sender)
    },
    bits,
    readBy,
    echo: draft.echo,
  })
  tx.emit(event, audience)
}

function insertWidget(tx: Tx, sender: User, message: Message, widget: Widget): Submessage {
  return insertSubmessage(tx, {
    messageId: message.id,
    senderId: sender.id,
    msgType: 'widget',
    content: JSON.stringify(widget),
  })
}

/**
 * Marks the message as read for the users that the draft lists, and for users who muted the sender.
 *
 * @returns their ids
 */
function markReadOnSend(
  tx: Tx,
  sender: User,
  draft: Draft,
  message: Message,
  reach: MessageRecipients,
): ReadonlySet<number> {
  const userIds = new Set(draft.readBy)
  for (const userId of listMuters(tx, sender.id)) if (reach.receives(userId)) userIds.add(userId)
  if (draft.readBySender) userIds.add(sender.id)
  for (const userId of userIds) markOwnSent(tx, userId, message.recipientId, message.id)
  // Messages of a channel are unread only for subscribers.
  return new Set([...userIds, ...reach.mentionedBots])
}

/** Queues with `all_public_streams` get the messages of public channels without a subscription. */
function mayReadAsPublic(tx: Tx, userId: number, channel: Channel): boolean {
  if (channel.isPrivate) return false
  const user = findUser(tx, userId)
  return user !== undefined && user.role !== roles.guest
}

/**
 * Everyone who gets a message: subscribers of the channel, or the people in the conversation whose
 * accounts are active.
 */
export function messageRecipients(
  read: Read,
  { channel, people }: Recipient,
  message: Message,
  { mentions }: RenderedMarkdown,
): MessageRecipients {
  const mentionsTopic = channel !== undefined && mentions.topicWildcard
  const mentionedBots = new Set(
    mentions.userIds.filter((id) => channel && receivesMentions(read, id, channel, message)),
  )
  return {
    mentionedBots,
    receives: channel
      ? (userId) => isSubscribed(read, userId, channel.id) || mentionedBots.has(userId)
      : (userId) =>
          people.some(({ id }) => id === userId) && findUser(read, userId)?.isActive === true,
    topicPeople: mentionsTopic
      ? listTopicParticipants(read, message.recipientId, message.topicKey)
      : [],
  }
}

/**
 * Whether a user is a generic bot that receives a message because it mentions the bot by name: in a
 * channel that the bot could read, but is not subscribed to.
 *
 * @source Zulip API, "Writing bots": a bot answers where it is mentioned
 */
function receivesMentions(
  read: Read,
  userId: number,
  channel: Channel,
  message: Pick<Message, 'senderId'>,
): boolean {
  const user = findUser(read, userId)
  return (
    user?.botType === botTypes.generic &&
    user.isActive &&
    userId !== message.senderId &&
    !isSubscribed(read, userId, channel.id) &&
    canAccessContent(read, user, channel)
  )
}

/**
 * Stores mention and alert word flags of recipients, and adds the message to the history of those
 * who receive it without being subscribed.
 *
 * @returns the flag bits by user id, and the IDs of all whom it mentions by name or with a group
 */
export function insertRecipientFlags(
  tx: Tx,
  rendered: RenderedMarkdown,
  message: Message,
  reach: MessageRecipients,
): { readonly bits: ReadonlyMap<number, number>; readonly mentioned: ReadonlySet<number> } {
  const channel = findChannelByRecipient(tx, message.recipientId)
  for (const id of reach.mentionedBots) if (channel) addToHistory(tx, id, channel.id, message.id)
  const bits = new Map<number, number>()
  const flag = (userIds: Iterable<number>, bit: number) => {
    for (const userId of userIds) {
      if (reach.receives(userId)) bits.set(userId, (bits.get(userId) ?? 0) | bit)
    }
  }
  const { userIds, groupIds } = rendered.mentions
  const mentioned = new Set([...userIds, ...listAllMembers(tx, ...groupIds)])
  flag(mentioned, flagBits.mentioned)
  flag(reach.topicPeople, flagBits.topic_wildcard_mentioned)
  flag(listAlertedUsers(tx, rendered.text), flagBits.has_alert_word)
  insertFlagsOf(tx, message.id, bits)
  return { bits, mentioned }
}
