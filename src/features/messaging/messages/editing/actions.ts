import { createHash } from 'node:crypto'
import { reclaimFiles } from '#features/files/attachments/claims.actions.ts'
import type { Attachment } from '#features/files/attachments/queries.ts'
import { awaitOtherCards } from '#features/files/link-previews/actions.ts'
import { awaitThumbnails } from '#features/files/thumbnails/actions.ts'
import { messagesChanged } from '#features/foundation/core/occasions.ts'
import {
  accessMessage,
  findMessage,
  type Message,
  messageAudience,
} from '#features/foundation/core/queries.ts'
import { type Recipient, recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { isRead } from '#features/foundation/read-state/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import {
  insertRecipientFlags,
  mentionedIn,
  messageRecipients,
} from '#features/messaging/messages/actions.ts'
import { type Edit, insertEdit } from '#features/messaging/messages/edit-history/queries.ts'
import { type Flag, flagsOfUsers } from '#features/messaging/messages/flags/queries.ts'
import { followOnMention } from '#features/messaging/messages/policies.actions.ts'
import { requireMentions } from '#features/messaging/messages/rules.ts'
import { submessageExtent } from '#features/messaging/messages/submessages/queries.ts'
import { notifyOfEdit } from '#features/messaging/notifications/actions.ts'
import { mentionFlags } from '#features/messaging/notifications/queries.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import { flagBits } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { type UpdatedMessages, type UpdateMessageEvent, updateMessageEvent } from './events.ts'
import { clearFlagsOf, updateMessage } from './queries.ts'

/**
 * How long after the time limit edits are still accepted, for users who began in time; in seconds.
 */
const graceSeconds = 20

export interface NewContent {
  readonly content: string
  readonly rendered: RenderedMarkdown
  /** The SHA-256 of the content that the client started from, in hex (feature level 379). */
  readonly prevSha256: string | undefined
}

/** A change of a message's content that is in the rows, but not yet in its history and events. */
export interface ContentChange {
  /** Its part of the entry in the message's history. */
  readonly entry: Pick<Edit, 'prevContent' | 'prevRenderedContent'>
  /** Its part of the `update_message` event. */
  readonly update: Pick<
    UpdateMessageEvent,
    'orig_content' | 'orig_rendered_content' | 'content' | 'rendered_content' | 'is_me_message'
  >
  /** The caller's files that only the previous content linked to. */
  readonly detached: readonly Attachment[]
}

/**
 * Records a change of content that came without a move: one entry in the message's history, and
 * one `update_message`.
 */
export function recordEdit(
  tx: Tx,
  { user }: Caller,
  messageId: number,
  { entry, update }: ContentChange,
): void {
  const message = findMessage(tx, messageId)
  if (!message) return
  const { channel } = recipientOf(tx, message.recipientId)
  const now = seconds(tx.clock)
  insertEdit(tx, { messageId, userId: user.id, editedAt: now, ...entry })
  emitUpdate(tx, message, {
    user_id: user.id,
    edit_timestamp: now,
    message_ids: [messageId],
    ...update,
    ...(channel && { stream_id: channel.id, stream_name: channel.name }),
  })
}

/**
 * Changes the content of one of the caller's own messages and updates its flags. The caller of this
 * function records it, alone (`recordEdit`) or with a move.
 *
 * @returns undefined if the content is the same
 * @throws BAD_REQUEST the caller may not or may no longer edit the message
 * @throws EXPECTATION_MISMATCH the content has changed since the client read it
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 * @source Zulip API, "Edit a message" (feature levels 285 and 379)
 */
export function editContent(
  tx: Tx,
  caller: Caller,
  messageId: number,
  edit: NewContent,
): ContentChange | undefined {
  const { message, recipient } = accessEditable(tx, caller, messageId)
  const { channel } = recipient
  if (edit.prevSha256 !== undefined && edit.prevSha256 !== sha256(message.content)) {
    throw new ApiError(
      'EXPECTATION_MISMATCH',
      sentSentence('The message has been edited in the meantime.'),
      {},
      { parameter: 'prev_content_sha256' },
    )
  }
  if (edit.content === message.content) return undefined
  const { mentions, links } = edit.rendered
  requireMentions(tx, caller.user, channel, message.topic, edit.rendered)
  const { hasAttachment, detached } = reclaimFiles(tx, caller.user, message.id, links.uploads)
  awaitThumbnails(tx, message.id, edit.rendered.html)
  awaitOtherCards(tx, caller.user, message.id, links.pages)
  const changed = updateMessage(tx, message.id, {
    content: edit.content,
    renderedContent: edit.rendered.html,
    hasLink: links.hasLink,
    hasImage: links.hasImage,
    hasAttachment,
    isMe: edit.rendered.isMe,
    channelWildcard: channel !== undefined && mentions.channelWildcard,
    lastEditAt: seconds(tx.clock),
  })
  const before = { bits: mentionFlags(tx, message.id), channelWildcard: message.channelWildcard }
  const { mentioned, topic_wildcard_mentioned, has_alert_word } = flagBits
  clearFlagsOf(tx, message.id, mentioned | topic_wildcard_mentioned | has_alert_word)
  const reach = messageRecipients(tx, recipient, changed, edit.rendered)
  const { bits } = insertRecipientFlags(tx, edit.rendered, changed, reach)
  const hasRead = (userId: number) => isRead(tx, userId, changed.recipientId, changed.id)
  notifyOfEdit(tx, { message: changed, channel, bits, hasRead }, before)
  if (channel) {
    const added = mentionedIn(bits, caller.user).filter(
      (userId) => !((before.bits.get(userId) ?? 0) & flagBits.mentioned),
    )
    followOnMention(tx, added, channel, message.topic)
  }
  return {
    entry: { prevContent: message.content, prevRenderedContent: message.renderedContent },
    update: {
      orig_content: message.content,
      orig_rendered_content: message.renderedContent,
      content: changed.content,
      rendered_content: changed.renderedContent,
      is_me_message: changed.isMe,
    },
    detached: detached.filter(({ ownerId }) => ownerId === caller.user.id),
  }
}

/**
 * Emits `update_message` about a changed message to all users who may read it.
 *
 * @param idsFor the ids of the event's messages that a user may read, if users may read different
 * ones: then each user gets an event about those that they may read
 */
export function emitUpdate(
  tx: Tx,
  message: Message,
  event: Omit<Parameters<typeof updateMessageEvent>[0], 'message_id'>,
  idsFor?: (userId: number) => readonly number[],
): void {
  tx.announce(messagesChanged, { ids: [message.id] })
  const audience = messageAudience(tx, message)
  const reads = (userId: number) =>
    typeof audience === 'function' ? audience(userId) : audience.includes(userId)
  const own = new Map<number, UpdatedMessages>()
  /** The users who get an event, by the message that it names. */
  const recipients = new Map<number, number[]>([[message.id, []]])
  for (const userId of tx.liveUsers) {
    const ids = idsFor?.(userId)
    if (!findUser(tx, userId) || !(ids ? ids.length > 0 : reads(userId))) continue
    const about = ids && !ids.includes(message.id) ? (ids[0] ?? 0) : message.id
    if (ids) own.set(userId, { message_id: about, message_ids: ids })
    const others = recipients.get(about)
    if (others) others.push(userId)
    else recipients.set(about, [userId])
  }
  const flags = new Map<number, readonly Flag[]>()
  for (const [id, userIds] of recipients) {
    const about = id === message.id ? message : findMessage(tx, id)
    if (!about) continue
    for (const [userId, names] of flagsOfUsers(tx, about, userIds)) flags.set(userId, names)
  }
  tx.emit(
    updateMessageEvent(
      { ...event, message_id: message.id },
      flags,
      realmSetting(tx, 'empty_topic_display_name'),
      own,
    ),
    [...flags.keys()],
  )
}

/**
 * A message whose content the caller may edit now, and its recipient.
 *
 * @throws BAD_REQUEST the caller may not read the message, is not its sender, editing is turned
 * off, the time limit has passed, or the message has a poll or a to-do list
 */
export function accessEditable(
  read: Read,
  caller: Caller,
  messageId: number,
): { message: Message; recipient: Recipient } {
  const message = accessMessage(read, caller, messageId)
  const recipient = recipientOf(read, message.recipientId)
  if (recipient.channel?.isArchived) {
    throw badRequest(sentSentence("You don't have permission to edit this message"))
  }
  requireEditable(read, caller, message)
  if (submessageExtent(read, message.id).count > 0) {
    throw badRequest(sentSentence('Messages with polls or to-do lists cannot be edited'))
  }
  return { message, recipient }
}

function requireEditable(read: Read, caller: Caller, message: Message): void {
  if (message.senderId !== caller.user.id) {
    throw badRequest(sentSentence("You don't have permission to edit this message"))
  }
  if (!realmSetting(read, 'allow_message_editing')) {
    throw badRequest(sentSentence('Your organization has turned off message editing'))
  }
  const limit = realmSetting(read, 'message_content_edit_limit_seconds')
  if (limit !== null && seconds(read.clock) > message.sentAt + limit + graceSeconds) {
    throw badRequest(sentSentence('The time limit for editing this message has passed'))
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
