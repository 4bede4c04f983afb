import { type Channel, isSubscribed } from '#features/foundation/channels/queries.ts'
import { listPlaced, listReadable, type MessagePlace } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { markEverything, markRead, markUnread } from '#features/foundation/read-state/actions.ts'
import { unreadIds } from '#features/foundation/read-state/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import type { EditableFlag } from '#features/messaging/messages/choices.ts'
import { recheckPushes } from '#features/messaging/notifications/revoking.actions.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import { slices } from '#platform/slices.ts'
import { flagBits } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { countingFor } from './counting.queries.ts'
import { flagAddEvent, flagRemoveEvent, type UnreadDetails, unreadEvent } from './events.ts'
import { deleteFlags, insertFlags, storedFlags } from './queries.ts'

export interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: EditableFlag
}

interface FlagResult {
  /** Ids of the messages that changed, ascending. */
  readonly messageIds: number[]
  /** Channels whose messages stayed read because the caller is not subscribed (level 355). */
  readonly ignoredChannelIds: number[]
}

/** The result of a request. */
export interface FlaggedAll extends FlagResult {
  /** Ids of the messages that the caller could read, ascending. */
  readonly processedIds: number[]
}

/** How many messages are flagged at a time. */
const mostAtOnce = 500

/**
 * Adds or removes one of the caller's flags of messages, as far as the caller may read them, and
 * emits `update_message_flags` to the caller if anything changed. Very many change part by part.
 *
 * @source Zulip API, "Update personal message flags"
 */
export function* changeFlags(
  tx: Tx,
  caller: Caller,
  ids: readonly number[],
  change: FlagChange,
): LongWrite<FlaggedAll> {
  const all: FlaggedAll = { messageIds: [], ignoredChannelIds: [], processedIds: [] }
  const ignored = new Set<number>()
  const ascending = [...new Set(ids)].sort((a, b) => a - b)
  let now = tx
  for (const some of slices(ascending, mostAtOnce)) {
    const messages = listFlaggable(now, caller, some, change)
    const flagged = changeSome(now, caller, messages, change)
    all.processedIds.push(...messages.map(({ id }) => id))
    all.messageIds.push(...flagged.messageIds)
    for (const id of flagged.ignoredChannelIds) ignored.add(id)
    now = yield
  }
  return { ...all, ignoredChannelIds: [...ignored].sort((a, b) => a - b) }
}

/**
 * The messages among these whose flags the caller may change: those that they may read, and to remove
 * a flag, those that have it. What is gone for them can still be unstarred.
 */
function listFlaggable(
  read: Read,
  caller: Pick<Caller, 'user'>,
  ids: readonly number[],
  { op, flag }: FlagChange,
): MessagePlace[] {
  const readable = listReadable(read, caller, ids)
  if (op === 'add' || flag === 'read' || readable.length === ids.length) return readable
  const known = new Set(readable.map(({ id }) => id))
  const stored = storedFlags(read, caller.user.id, ids)
  const flagged = ids.filter((id) => known.has(id) || (stored.get(id) ?? 0) & flagBits[flag])
  return listPlaced(read, flagged)
}

/** @throws BAD_REQUEST "Invalid message(s)" unless the caller may change the flags of all of these */
export function requireFlaggable(
  read: Read,
  caller: Pick<Caller, 'user'>,
  ids: readonly number[],
  change: FlagChange,
): void {
  const flaggable = listFlaggable(read, caller, ids, change)
  if (flaggable.length < new Set(ids).size)
    throw badRequest(sentSentence('Invalid message(s)'), { parameter: 'messages' })
}

function changeSome(
  tx: Tx,
  caller: Caller,
  messages: readonly MessagePlace[],
  { op, flag }: FlagChange,
): FlagResult {
  if (flag === 'read') {
    if (op === 'remove') return makeUnread(tx, caller, messages)
    return { messageIds: markAsRead(tx, caller, messages), ignoredChannelIds: [] }
  }
  const messageIds = changeBits(tx, caller.user.id, messages, op, flagBits[flag])
  if (messageIds.length > 0) {
    const event = op === 'add' ? flagAddEvent(flag, messageIds) : flagRemoveEvent(flag, messageIds)
    tx.emit(event, [caller.user.id])
  }
  return { messageIds, ignoredChannelIds: [] }
}

/**
 * Marks messages as read, and emits `update_message_flags` if any was unread.
 *
 * @returns the ids of those that were unread, ascending
 */
export function markAsRead(
  tx: Tx,
  caller: Caller,
  messages: readonly { readonly id: number; readonly recipientId: number }[],
): number[] {
  const messageIds = markRead(tx, caller.user.id, messages)
  if (messageIds.length > 0) {
    recheckPushes(tx, caller.user.id, messageIds)
    tx.emit(flagAddEvent('read', messageIds), [caller.user.id])
  }
  return messageIds
}

/** Marks all messages of a channel or of one of its topics as read. */
export function markChannelRead(
  tx: Tx,
  caller: Caller,
  channel: Channel,
  topic: string | undefined,
): void {
  const { recipientId } = channel
  const where = { recipientId, ...(topic !== undefined && { topicKey: topicKey(topic) }) }
  const ids = unreadIds(tx, caller.user.id, where)
  markAsRead(
    tx,
    caller,
    ids.map((id) => ({ id, recipientId })),
  )
}

/** Marks all messages as read, and emits one event about all of them. */
export function markEverythingRead(tx: Tx, caller: Caller): void {
  if (!markEverything(tx, caller.user.id)) return
  recheckPushes(tx, caller.user.id)
  tx.emit(flagAddEvent('read', [], true), [caller.user.id])
}

function changeBits(
  tx: Tx,
  userId: number,
  messages: readonly MessagePlace[],
  op: FlagChange['op'],
  bit: number,
): number[] {
  const ids = messages.map(({ id }) => id)
  const stored = storedFlags(tx, userId, ids)
  const isSet = (id: number) => ((stored.get(id) ?? 0) & bit) !== 0
  const changed = ids.filter((id) => isSet(id) !== (op === 'add'))
  if (changed.length > 0) (op === 'add' ? insertFlags : deleteFlags)(tx, userId, changed, bit)
  return changed
}

/** A message that may become unread, and where it is. */
interface UnreadMessage extends MessagePlace {
  readonly channelId: number | null
  readonly topicKey: string
  readonly details: UnreadDetails
}

function makeUnread(tx: Tx, { user }: Caller, messages: readonly MessagePlace[]): FlagResult {
  const ignored = new Set<number>()
  const candidates: UnreadMessage[] = []
  for (const message of messages) {
    const { channel, people } = recipientOf(tx, message.recipientId)
    const place = { channelId: channel?.id ?? null, topicKey: topicKey(message.topic) }
    if (!channel) {
      const others = people.map(({ id }) => id).filter((id) => id !== user.id)
      candidates.push({ ...message, ...place, details: { type: 'private', user_ids: others } })
    } else if (isSubscribed(tx, user.id, channel.id)) {
      const where = { stream_id: channel.id, topic: message.topic }
      candidates.push({ ...message, ...place, details: { type: 'stream', ...where } })
    } else {
      ignored.add(channel.id)
    }
  }
  const messageIds = markUnread(tx, user.id, candidates)
  if (messageIds.length > 0) {
    const changed = new Set(messageIds)
    const event = unreadEvent(
      messageIds,
      withMentions(
        tx,
        user.id,
        candidates.filter(({ id }) => changed.has(id)),
      ),
      realmSetting(tx, 'empty_topic_display_name'),
    )
    tx.emit(event, [user.id])
  }
  return { messageIds, ignoredChannelIds: [...ignored].sort((a, b) => a - b) }
}

/** The details with `mentioned` for what `POST /register` then lists as mentions. */
function withMentions(
  tx: Tx,
  userId: number,
  messages: readonly UnreadMessage[],
): Map<number, UnreadDetails> {
  const mentions = new Set(
    countingFor(tx, userId).mentions(messages.map((each) => ({ ...each, messageIds: [each.id] }))),
  )
  return new Map(
    messages.map(({ id, details }) => [
      id,
      mentions.has(id) ? { ...details, mentioned: true } : details,
    ]),
  )
}
