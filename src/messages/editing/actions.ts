import { createHash } from 'node:crypto'
import { reclaimFiles } from '#attachments/claims.ts'
import type { Attachment } from '#attachments/queries.ts'
import { seconds } from '#clock.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import type { Rendered } from '#markdown/types.ts'
import { flagPeople, reachOf } from '#messages/actions.ts'
import { flagReader, listMentioned } from '#messages/flags/queries.ts'
import { type Place, placeOf } from '#messages/place.ts'
import { followOnMention } from '#messages/policies.ts'
import { accessMessage, findMessage, type Message, messageAudience } from '#messages/queries.ts'
import { requireMentions } from '#messages/rules.ts'
import { submessageExtent } from '#messages/submessages/queries.ts'
import { realmSetting } from '#realm/settings.ts'
import { flagBits } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import { awaitThumbnails } from '#thumbnails/actions.ts'
import { findUser } from '#users/queries.ts'
import { type UpdatedMessages, updateMessageEvent } from './events.ts'
import { clearFlagsOf, updateMessage, withEntry } from './queries.ts'

/** Seconds beyond the limit in which an edit that was begun in time is still taken. */
const graceSeconds = 20

export interface NewContent {
  readonly content: string
  readonly rendered: Rendered
  /** Hex SHA-256 of the text that the client started from (feature level 379). */
  readonly prevSha256: string | undefined
}

/**
 * Changes the text of one of the caller's own messages, flags it anew, and emits `update_message`.
 *
 * @returns the caller's files that only the text before linked to
 * @throws BAD_REQUEST not the caller's, editing is off, or too late
 * @throws EXPECTATION_MISMATCH somebody changed it in between
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 * @source the API description's "Edit a message"; api-changes §3a
 */
export function editContent(
  tx: Tx,
  caller: Caller,
  messageId: number,
  edit: NewContent,
): readonly Attachment[] {
  const { message, place } = accessEditable(tx, caller, messageId)
  const { channel } = place
  if (edit.prevSha256 !== undefined && edit.prevSha256 !== sha256(message.content)) {
    throw new ApiError('EXPECTATION_MISMATCH', 'The message was edited by somebody else meanwhile.')
  }
  if (edit.content === message.content) return []
  const { mentions, links } = edit.rendered
  requireMentions(tx, caller.user, channel, message.topic, edit.rendered)
  const now = seconds(tx.clock)
  const { hasAttachment, detached } = reclaimFiles(tx, caller.user, message.id, links.uploads)
  awaitThumbnails(tx, message.id, edit.rendered.html)
  const changed = updateMessage(tx, message.id, {
    content: edit.content,
    renderedContent: edit.rendered.html,
    hasLink: links.hasLink,
    hasImage: links.hasImage,
    hasAttachment,
    isMe: edit.rendered.isMe,
    channelWildcard: channel !== undefined && mentions.channelWildcard,
    lastEditAt: now,
    editHistory: withEntry(message, {
      user_id: caller.user.id,
      timestamp: now,
      prev_content: message.content,
      prev_rendered_content: message.renderedContent,
    }),
  })
  const mentionedBefore = new Set(listMentioned(tx, message.id))
  const { mentioned, topic_wildcard_mentioned, has_alert_word } = flagBits
  clearFlagsOf(tx, message.id, mentioned | topic_wildcard_mentioned | has_alert_word)
  const reach = reachOf(tx, place, changed, edit.rendered)
  flagPeople(tx, edit.rendered, changed, reach)
  emitUpdate(tx, changed, {
    user_id: caller.user.id,
    edit_timestamp: now,
    message_ids: [message.id],
    orig_content: message.content,
    orig_rendered_content: message.renderedContent,
    content: changed.content,
    rendered_content: changed.renderedContent,
    is_me_message: changed.isMe,
    ...(channel && { stream_id: channel.id, stream_name: channel.name }),
  })
  const isNew = (userId: number) => userId !== caller.user.id && !mentionedBefore.has(userId)
  for (const userId of mentions.userIds.filter(isNew)) {
    if (channel && reach.receives(userId)) followOnMention(tx, userId, channel, message.topic)
  }
  return detached.filter(({ ownerId }) => ownerId === caller.user.id)
}

/**
 * Emits `update_message` about a message as it is now to all who may read it.
 *
 * @param idsFor which of the event's messages each user may read, where that is not the same for
 * all: whoever may read any of them hears of those
 */
export function emitUpdate(
  tx: Tx,
  message: Message,
  event: Omit<Parameters<typeof updateMessageEvent>[0], 'message_id'>,
  idsFor?: (userId: number) => readonly number[],
): void {
  const audience = messageAudience(tx, message)
  const reads = (userId: number) =>
    typeof audience === 'function' ? audience(userId) : audience.includes(userId)
  const flags = new Map<number, string[]>()
  const own = new Map<number, UpdatedMessages>()
  const asked = (userId: number) => {
    const user = findUser(tx, userId)
    const ids = idsFor?.(userId)
    if (!user || !(ids ? ids.length > 0 : reads(userId))) return false
    const about = ids && !ids.includes(message.id) ? findMessage(tx, ids[0] ?? 0) : message
    if (!about) return false
    if (ids) own.set(userId, { message_id: about.id, message_ids: ids })
    flags.set(userId, flagReader(tx, user, [about])(about))
    return true
  }
  tx.emit(
    updateMessageEvent(
      { ...event, message_id: message.id },
      flags,
      realmSetting(tx, 'empty_topic_display_name'),
      own,
    ),
    asked,
  )
}

/**
 * A message whose text the caller may change now, and where it is.
 *
 * @throws BAD_REQUEST not there for the caller, not the caller's, editing is off, or too late
 */
export function accessEditable(
  read: Read,
  caller: Caller,
  messageId: number,
): { message: Message; place: Place } {
  const message = accessMessage(read, caller, messageId)
  const place = placeOf(read, message.recipientId)
  if (place.channel?.isArchived) {
    throw badRequest("You don't have permission to edit this message")
  }
  requireEditable(read, caller, message)
  if (submessageExtent(read, message.id).count > 0) {
    throw badRequest('Messages with polls or to-do lists cannot be edited')
  }
  return { message, place }
}

function requireEditable(read: Read, caller: Caller, message: Message): void {
  if (message.senderId !== caller.user.id) {
    throw badRequest("You don't have permission to edit this message")
  }
  if (!realmSetting(read, 'allow_message_editing')) {
    throw badRequest('Your organization has turned off message editing')
  }
  const limit = realmSetting(read, 'message_content_edit_limit_seconds')
  if (limit !== null && seconds(read.clock) > message.sentAt + limit + graceSeconds) {
    throw badRequest('The time limit for editing this message has passed')
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
