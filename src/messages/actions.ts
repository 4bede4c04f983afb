import { listAlertedUsers } from '#alert-words/matching.ts'
import { claimable, claimFiles } from '#attachments/claims.ts'
import { setFirstMessage } from '#channels/actions.ts'
import { type Channel, findChannel, isSubscribed } from '#channels/queries.ts'
import { seconds } from '#clock.ts'
import { listAllMembers } from '#groups/queries.ts'
import type { Rendered } from '#markdown/types.ts'
import { listMuters } from '#muted-users/queries.ts'
import { markOwnSent } from '#read-state/actions.ts'
import { realmSetting } from '#realm/settings.ts'
import { directRecipient, findDirectRecipient } from '#recipients/queries.ts'
import { flagBits } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import { awaitThumbnails } from '#thumbnails/actions.ts'
import { topicKey } from '#topics/names.ts'
import { findUser, roles, type User } from '#users/queries.ts'
import { watchSight } from '#users/sight.ts'
import { tellWebhooks } from '#webhooks/deliveries/actions.ts'
import type { Draft } from './compose.ts'
import { messageEvent } from './events.ts'
import { insertFlags } from './flags/queries.ts'
import { topicLinker } from './lookups.ts'
import type { Place } from './place.ts'
import { followOnMention, followOnSend, type NewPolicy } from './policies.ts'
import { insertMessage, listTopicParticipants, type Message, topicExists } from './queries.ts'
import { requireChannelPost, requireDirectPost } from './rules.ts'
import { insertSubmessage, type Submessage } from './submessages/queries.ts'
import type { Widget } from './submessages/widgets.ts'

export interface Sent {
  readonly message: Message
  /** The policy that sending gave the topic for its sender; undefined when it changed nothing. */
  readonly newPolicy: NewPolicy | undefined
}

/**
 * Sends a message: stores it, flags it for those it mentions, and emits `message` to all who
 * receive it. The cost does not depend on how many people are subscribed.
 *
 * @param draft from `composeMessage`, which looked up and rendered it outside the write
 * @throws what `requireChannelPost` and `requireDirectPost` say
 * @source contract, "Send a message"
 */
export function sendMessage(tx: Tx, sender: User, draft: Draft): Sent {
  // Read again: an earlier write of this group may have changed it since the draft was made.
  const channel = draft.channel && findChannel(tx, draft.channel.id)
  return channel ? sendToChannel(tx, sender, channel, draft) : sendDirectly(tx, sender, draft)
}

function sendToChannel(tx: Tx, sender: User, channel: Channel, draft: Draft): Sent {
  requireChannelPost(tx, sender, channel, draft)
  const key = topicKey(draft.topic)
  const isFirst = !topicExists(tx, channel.recipientId, key)
  const message = store(tx, sender, channel.recipientId, draft)
  if (channel.firstMessageId === null) setFirstMessage(tx, channel, message.id)
  const place = { channel }
  const reach = reachOf(tx, place, message, draft.rendered)
  deliver(tx, sender, draft, message, place, reach)
  for (const userId of draft.rendered.mentions.userIds) {
    if (userId !== sender.id && reach.receives(userId)) {
      followOnMention(tx, userId, channel, draft.topic)
    }
  }
  return { message, newPolicy: followOnSend(tx, sender, channel, draft.topic, isFirst) }
}

function sendDirectly(tx: Tx, sender: User, draft: Draft): Sent {
  const ids = draft.people.map(({ id }) => id)
  const begins = findDirectRecipient(tx, ids) === undefined
  requireDirectPost(tx, sender, draft, () => begins)
  const sight = begins ? watchSight(tx, () => [{ members: ids, changing: ids }]) : undefined
  const recipient = directRecipient(tx, ids)
  sight?.tell()
  const message = store(tx, sender, recipient.id, draft)
  const place = { people: draft.people }
  deliver(tx, sender, draft, message, place, reachOf(tx, place, message, draft.rendered))
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
  awaitThumbnails(tx, message.id, rendered.html)
  return message
}

/** Whom a message is for. */
export interface Reach {
  receives(userId: number): boolean
  /** Whom a topic wildcard mentions. */
  readonly topicPeople: readonly number[]
}

function deliver(
  tx: Tx,
  sender: User,
  draft: Draft,
  message: Message,
  place: Place,
  reach: Reach,
): void {
  const bits = flagPeople(tx, draft.rendered, message, reach)
  const readBy = readAtOnce(tx, sender, draft, message, reach)
  tellWebhooks(tx, sender, message, place, draft.rendered.mentions.userIds)
  const received = new Map<number, boolean>()
  const audience = (userId: number) => {
    const own = reach.receives(userId)
    received.set(userId, own)
    return own || (place.channel !== undefined && mayFollowAllPublic(tx, userId, place.channel))
  }
  const event = messageEvent({
    parts: {
      message,
      sender,
      place,
      topicLinks: topicLinker(tx)(message.topic),
      reactions: [],
      submessages: draft.widget ? [showWidget(tx, sender, message, draft.widget)] : [],
      editHistory: [],
      emptyTopicName: realmSetting(tx, 'empty_topic_display_name'),
    },
    received: (userId) => received.get(userId) === true,
    bits,
    readBy,
    echo: draft.echo,
  })
  tx.emit(event, audience)
}

function showWidget(tx: Tx, sender: User, message: Message, widget: Widget): Submessage {
  return insertSubmessage(tx, {
    messageId: message.id,
    senderId: sender.id,
    msgType: 'widget',
    content: JSON.stringify(widget),
  })
}

/** Marks the message as read for whom the draft says, and for those who muted the sender. */
function readAtOnce(
  tx: Tx,
  sender: User,
  draft: Draft,
  message: Message,
  reach: Reach,
): ReadonlySet<number> {
  const userIds = new Set(draft.readBy)
  for (const userId of listMuters(tx, sender.id)) if (reach.receives(userId)) userIds.add(userId)
  if (draft.readBySender) userIds.add(sender.id)
  for (const userId of userIds) markOwnSent(tx, userId, message.recipientId, message.id)
  return userIds
}

/** A queue with `all_public_streams` gets public channels' messages without a subscription. */
function mayFollowAllPublic(tx: Tx, userId: number, channel: Channel): boolean {
  if (channel.isPrivate) return false
  const user = findUser(tx, userId)
  return user !== undefined && user.role !== roles.guest
}

/** Whom a message in a place reaches, and whom a topic wildcard in it mentions. */
export function reachOf(
  read: Read,
  { channel, people }: Place,
  message: Message,
  { mentions }: Rendered,
): Reach {
  const takesPart = channel !== undefined && mentions.topicWildcard
  return {
    receives: channel
      ? (userId) => isSubscribed(read, userId, channel.id)
      : (userId) => people.some(({ id }) => id === userId),
    topicPeople: takesPart
      ? listTopicParticipants(read, message.recipientId, message.topicKey)
      : [],
  }
}

/** Stores what the message is to those it speaks of; returns the bits by user id. */
export function flagPeople(
  tx: Tx,
  rendered: Rendered,
  message: Message,
  reach: Reach,
): Map<number, number> {
  const bits = new Map<number, number>()
  const flag = (userIds: Iterable<number>, bit: number) => {
    for (const userId of userIds) {
      if (reach.receives(userId)) bits.set(userId, (bits.get(userId) ?? 0) | bit)
    }
  }
  const { userIds, groupIds } = rendered.mentions
  const grouped = groupIds.flatMap((id) => listAllMembers(tx, id))
  flag(new Set([...userIds, ...grouped]), flagBits.mentioned)
  flag(reach.topicPeople, flagBits.topic_wildcard_mentioned)
  flag(listAlertedUsers(tx, rendered.text), flagBits.has_alert_word)
  for (const [userId, userBits] of bits) insertFlags(tx, userId, message.id, userBits)
  return bits
}
