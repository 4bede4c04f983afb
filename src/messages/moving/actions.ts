import { accessChannel, inHistory, mayReadMessage, visibleHistory } from '#channels/access.ts'
import type { Channel } from '#channels/queries.ts'
import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { updateFirstMessage } from '#messages/deleting/actions.ts'
import { deleteMessageEvents } from '#messages/deleting/events.ts'
import { emitUpdate } from '#messages/editing/actions.ts'
import type { PropagateMode } from '#messages/editing/events.ts'
import { withEntry } from '#messages/editing/queries.ts'
import { flagAddEvent } from '#messages/flags/events.ts'
import { topicLinker } from '#messages/lookups.ts'
import { placeOf } from '#messages/place.ts'
import { accessMessage, findMessage, type Message, topicExists } from '#messages/queries.ts'
import { carryOver } from '#read-state/actions.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read, Tx } from '#store/write.ts'
import { requireTopic, topicKey } from '#topics/names.ts'
import { setVisibilityPolicy } from '#user-topics/actions.ts'
import { visibilityPolicy } from '#user-topics/queries.ts'
import { findUser } from '#users/queries.ts'
import { tellOfMove } from './notices.ts'
import { listTopicMessages, listTopicPolicies, moveMessage } from './queries.ts'
import { isResolving, requireInTime, requireMove, type Target } from './rules.ts'

export interface Move {
  /** As the client sent it; undefined keeps the topic. */
  readonly topic: string | undefined
  /** Undefined keeps the channel. */
  readonly channelId: number | undefined
  readonly mode: PropagateMode
  readonly tellOldTopic: boolean
  readonly tellNewTopic: boolean
}

/**
 * Moves a message, or more of its topic, to another topic or channel. Everybody's read state moves
 * along, and `update_message` goes to all who may still read them; who may not any more gets
 * `delete_message`.
 *
 * @throws BAD_REQUEST; MOVE_MESSAGES_TIME_LIMIT_EXCEEDED
 * @source the API description's "Edit a message"
 */
export function moveMessages(tx: Tx, caller: Caller, messageId: number, move: Move): void {
  const asked = accessMessage(tx, caller, messageId)
  const { channel } = placeOf(tx, asked.recipientId)
  if (!channel) throw badRequest('Direct messages cannot be moved to channels or topics.')
  const from: Target = { channel, topic: asked.topic }
  const to: Target = {
    channel: move.channelId === undefined ? channel : accessChannel(tx, caller, move.channelId),
    topic: move.topic === undefined ? asked.topic : requireTopic(tx, move.topic),
  }
  if (from.channel.id === to.channel.id && from.topic === to.topic) {
    throw badRequest('Nothing to change')
  }
  requireMove(tx, caller.user, from, to)
  const moved = chosen(tx, caller, from, asked, move.mode)
  requireInTime(tx, caller.user, asked, moved, { from, to })
  const readers = readersOf(tx, caller, from, moved)
  relocate(tx, caller, moved, from, to)
  const stays = topicExists(tx, from.channel.recipientId, topicKey(from.topic))
  if (!stays) movePolicies(tx, from, to)
  emitMove(tx, caller, asked, moved, { from, to, mode: move.mode })
  takeAway(tx, moved, { from, to }, readers)
  tellOfMove(tx, caller, { from, to, moved, stays, ...move })
}

/** The messages that a mode means, as far as the caller may read them. */
function chosen(
  read: Read,
  { user }: Caller,
  { channel }: Target,
  asked: Message,
  mode: PropagateMode,
): Message[] {
  if (mode === 'change_one') return [asked]
  const first = mode === 'change_all' ? 0 : asked.id
  return listTopicMessages(read, asked.recipientId, asked.topicKey, first).filter(({ id }) =>
    mayReadMessage(read, user, channel, id),
  )
}

function relocate(
  tx: Tx,
  { user }: Caller,
  moved: readonly Message[],
  from: Target,
  to: Target,
): void {
  const now = seconds(tx.clock)
  const entry = {
    user_id: user.id,
    timestamp: now,
    ...(from.topic !== to.topic && { prev_topic: from.topic, topic: to.topic }),
    ...(from.channel.id !== to.channel.id && {
      prev_stream: from.channel.id,
      stream: to.channel.id,
    }),
  }
  for (const message of moved) {
    moveMessage(tx, {
      id: message.id,
      recipientId: to.channel.recipientId,
      topic: to.topic,
      topicKey: topicKey(to.topic),
      editHistory: withEntry(message, entry),
      movedAt: isResolving(from, to) ? null : now,
    })
  }
  if (from.channel.id === to.channel.id) return
  const ids = moved.map(({ id }) => id)
  const lost = carryOver(tx, from.channel.recipientId, to.channel.recipientId, ids)
  for (const { userId, messageIds } of lost) {
    tx.emit(flagAddEvent('read', messageIds), [userId])
  }
  updateFirstMessage(tx, from.channel)
  updateFirstMessage(tx, to.channel)
}

/** What people wanted of a topic that moved as a whole, they want of where it went. */
function movePolicies(tx: Tx, from: Target, to: Target): void {
  for (const { userId, policy } of listTopicPolicies(tx, from.channel.id, topicKey(from.topic))) {
    const known = visibilityPolicy(tx, userId, to.channel.id, topicKey(to.topic))
    const isSame = from.channel.id === to.channel.id && topicKey(from.topic) === topicKey(to.topic)
    if (!isSame) setVisibilityPolicy(tx, userId, from.channel, from.topic, 0)
    if (isSame || known === 0) {
      setVisibilityPolicy(tx, userId, to.channel, to.topic, policy as 1 | 2 | 3)
    }
  }
}

interface Described {
  readonly from: Target
  readonly to: Target
  readonly mode: PropagateMode
}

function emitMove(
  tx: Tx,
  { user }: Caller,
  asked: Message,
  moved: readonly Message[],
  { from, to, mode }: Described,
): void {
  const message = findMessage(tx, asked.id)
  if (!message) return
  const update = {
    user_id: user.id,
    edit_timestamp: seconds(tx.clock),
    message_ids: moved.map(({ id }) => id),
    stream_id: from.channel.id,
    stream_name: from.channel.name,
    propagate_mode: mode,
    orig_subject: from.topic,
    ...(from.topic !== to.topic && { subject: to.topic, topic_links: topicLinker(tx)(to.topic) }),
    ...(from.channel.id !== to.channel.id && { new_stream_id: to.channel.id }),
  }
  // Of a protected history, everybody may read a part of their own.
  const isShared = to.channel.historyPublic
  const idsFor = (userId: number) => readable(tx, userId, to.channel, moved)
  emitUpdate(tx, message, update, isShared ? undefined : idsFor)
}

/** Which of the messages each user with a live queue may read in a channel, by user id. */
function readersOf(
  read: Read,
  { server }: Caller,
  { channel }: Target,
  moved: readonly Message[],
): Map<number, number[]> {
  const readers = new Map<number, number[]>()
  for (const userId of server.queues.liveUsers()) {
    readers.set(userId, readable(read, userId, channel, moved))
  }
  return readers
}

function readable(
  read: Read,
  userId: number,
  channel: Channel,
  messages: readonly Message[],
): number[] {
  const user = findUser(read, userId)
  if (!user) return []
  const history = visibleHistory(read, user, channel)
  return messages.map(({ id }) => id).filter((id) => inHistory(history, id))
}

/** For those who could read messages and cannot where they are now, these are gone. */
function takeAway(
  tx: Tx,
  moved: readonly Message[],
  { from, to }: Pick<Described, 'from' | 'to'>,
  readers: ReadonlyMap<number, number[]>,
): void {
  if (from.channel.id === to.channel.id) return
  const emptyTopicName = realmSetting(tx, 'empty_topic_display_name')
  for (const [userId, before] of readers) {
    const left = new Set(readable(tx, userId, to.channel, moved))
    const gone = before.filter((id) => !left.has(id))
    if (gone.length === 0) continue
    const place = { channelId: from.channel.id, topic: from.topic }
    for (const event of deleteMessageEvents(gone, place, emptyTopicName)) tx.emit(event, [userId])
  }
}
