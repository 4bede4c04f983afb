import { accessChannel, inHistory, visibleHistory } from '#features/channels/access.ts'
import { userCanSeeChannel } from '#features/channels/actions.ts'
import type { Channel } from '#features/channels/queries.ts'
import { updateFirstMessage } from '#features/messages/deleting/actions.ts'
import { deleteMessageEvents } from '#features/messages/deleting/events.ts'
import { insertEdit, insertMoves } from '#features/messages/edit-history/queries.ts'
import { type ContentChange, emitUpdate } from '#features/messages/editing/actions.ts'
import type { PropagateMode } from '#features/messages/editing/events.ts'
import { flagAddEvent } from '#features/messages/flags/events.ts'
import { topicLinker } from '#features/messages/lookups.queries.ts'
import { placeOf } from '#features/messages/place.queries.ts'
import {
  accessMessage,
  findMessage,
  listPlaced,
  type Message,
  type Placed,
  topicExists,
} from '#features/messages/queries.ts'
import { moveReadState } from '#features/read-state/actions.ts'
import { realmSetting } from '#features/realm/settings.queries.ts'
import { requireTopic, topicKey } from '#features/topics/rules.ts'
import { setVisibilityPolicy } from '#features/user-topics/actions.ts'
import { visibilityPolicy } from '#features/user-topics/queries.ts'
import { findUser } from '#features/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import { postMoveNotices } from './notices.actions.ts'
import {
  listTopicMessages,
  listTopicPolicies,
  type MovedMessage,
  relocateMessages,
} from './queries.ts'
import { isResolving, requireInTime, requireMove, type Target } from './rules.ts'

export interface Move {
  /** As the client sent it; undefined to keep the topic. */
  readonly topic: string | undefined
  /** Undefined to keep the channel. */
  readonly channelId: number | undefined
  readonly mode: PropagateMode
  readonly notifyOldTopic: boolean
  readonly notifyNewTopic: boolean
}

/** What of a long move is still to be done. */
export interface RestOfMove extends Pick<Move, 'mode' | 'notifyOldTopic' | 'notifyNewTopic'> {
  readonly from: Target
  readonly to: Target
  /** Those that have not been moved yet, ascending. */
  readonly left: readonly MovedMessage[]
  /** How many have been. */
  readonly done: number
}

/** How many messages a transaction moves, as nobody else can write meanwhile. */
const mostAtOnce = 1000

/** Nobody loses access where the channel stays the same. */
const none: ReadonlyMap<number, number[]> = new Map()

/**
 * Moves a message, or more of its topic, to another topic or channel, together with all users' read
 * state. Emits `update_message` to users who may read the messages afterwards, and `delete_message`
 * to users who lose access. Of very many messages it moves a part; the caller of this function then
 * passes what it returns to `moveRest`, in another transaction.
 *
 * @param change a change of the message's content in the same request: one entry in its history and
 * one event hold both
 * @returns undefined if everything is moved
 * @throws BAD_REQUEST; MOVE_MESSAGES_TIME_LIMIT_EXCEEDED
 * @source Zulip API, "Edit a message"
 */
export function moveMessages(
  tx: Tx,
  caller: Caller,
  messageId: number,
  move: Move,
  change?: ContentChange,
): RestOfMove | undefined {
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
  const selected = selectMessages(tx, caller, from, asked, move.mode)
  requireInTime(tx, caller.user, asked, selected, { from, to })
  // The message that the client named goes first: its change of content is already written.
  const others = selected.filter(({ id }) => id !== asked.id)
  const all = [asked, ...others]
  const rest = { ...move, from, to, left: all.slice(mostAtOnce), done: 0 }
  return movePart(tx, caller, rest, all.slice(0, mostAtOnce), change)
}

/**
 * Moves the next part of a long move. What has meanwhile been deleted or moved by somebody else
 * stays as it is.
 *
 * @returns undefined if everything is moved
 * @throws BAD_REQUEST the caller may no longer move them; those moved before stay moved
 */
export function moveRest(tx: Tx, caller: Caller, rest: RestOfMove): RestOfMove | undefined {
  const from = { ...rest.from, channel: accessChannel(tx, caller, rest.from.channel.id) }
  const to = { ...rest.to, channel: accessChannel(tx, caller, rest.to.channel.id) }
  requireMove(tx, caller.user, from, to)
  const next = rest.left.slice(0, mostAtOnce)
  const ids = next.map(({ id }) => id)
  const isThere = ({ recipientId, topic }: Placed) =>
    recipientId === from.channel.recipientId && topicKey(topic) === topicKey(from.topic)
  const there = new Set(
    listPlaced(tx, ids)
      .filter(isThere)
      .map(({ id }) => id),
  )
  const part = next.filter(({ id }) => there.has(id))
  return movePart(tx, caller, { ...rest, from, to, left: rest.left.slice(mostAtOnce) }, part)
}

/** @param part to be moved now, with the message first that the client named, if it is among them */
function movePart(
  tx: Tx,
  caller: Caller,
  rest: RestOfMove,
  part: readonly MovedMessage[],
  change?: ContentChange,
): RestOfMove | undefined {
  const { from, to, mode, left } = rest
  const [named] = part
  const done = rest.done + part.length
  if (named) {
    const moved = [...part].sort((a, b) => a.id - b.id)
    const readers = from.channel.id === to.channel.id ? none : readersOf(tx, caller, from, moved)
    relocate(tx, caller, moved, { from, to, edited: change && { id: named.id, ...change.entry } })
    emitMove(tx, caller, named, moved, { from, to, mode, change })
    emitLostAccess(tx, moved, { from, to }, readers)
  }
  if (left.length > 0) return { ...rest, done }
  const stays = topicExists(tx, from.channel.recipientId, topicKey(from.topic))
  if (!stays) movePolicies(tx, from, to)
  postMoveNotices(tx, caller, { ...rest, moved: done, stays })
  return undefined
}

/** The messages that a mode selects, of those that the caller may read. */
function selectMessages(
  read: Read,
  { user }: Caller,
  { channel }: Target,
  asked: Message,
  mode: PropagateMode,
): MovedMessage[] {
  if (mode === 'change_one') return [asked]
  const first = mode === 'change_all' ? 0 : asked.id
  const history = visibleHistory(read, user, channel)
  return listTopicMessages(read, asked.recipientId, asked.topicKey, first).filter(({ id }) =>
    inHistory(history, id),
  )
}

interface Relocation {
  readonly from: Target
  readonly to: Target
  /** The moved message whose content changed, too, with its part of the history. */
  readonly edited: ({ readonly id: number } & ContentChange['entry']) | undefined
}

function relocate(
  tx: Tx,
  { user }: Caller,
  moved: readonly MovedMessage[],
  { from, to, edited }: Relocation,
): void {
  const now = seconds(tx.clock)
  const edit = {
    userId: user.id,
    editedAt: now,
    ...(from.topic !== to.topic && { prevTopic: from.topic, topic: to.topic }),
    ...(from.channel.id !== to.channel.id && {
      prevChannelId: from.channel.id,
      channelId: to.channel.id,
    }),
  }
  const ids = moved.map(({ id }) => id)
  relocateMessages(tx, ids, {
    recipientId: to.channel.recipientId,
    topic: to.topic,
    topicKey: topicKey(to.topic),
    movedAt: isResolving(from, to) ? null : now,
  })
  const unedited = ids.filter((id) => id !== edited?.id)
  insertMoves(tx, unedited, edit)
  if (edited) {
    const { id, ...contents } = edited
    insertEdit(tx, { messageId: id, ...edit, ...contents })
  }
  if (from.channel.id === to.channel.id) return
  const lost = moveReadState(tx, from.channel.recipientId, to.channel.recipientId, ids)
  for (const { userId, messageIds } of lost) {
    tx.emit(flagAddEvent('read', messageIds), [userId])
  }
  updateFirstMessage(tx, from.channel)
  updateFirstMessage(tx, to.channel)
}

/** Moves users' visibility policies along with a topic that moved as a whole. */
function movePolicies(tx: Tx, from: Target, to: Target): void {
  for (const { userId, policy } of listTopicPolicies(tx, from.channel.id, topicKey(from.topic))) {
    const known = visibilityPolicy(tx, userId, to.channel.id, topicKey(to.topic))
    const isSame = from.channel.id === to.channel.id && topicKey(from.topic) === topicKey(to.topic)
    if (!isSame) setVisibilityPolicy(tx, userId, from.channel, from.topic, 0)
    if (isSame || (known === 0 && userCanSeeChannel(tx, userId, to.channel))) {
      setVisibilityPolicy(tx, userId, to.channel, to.topic, policy as 1 | 2 | 3)
    }
  }
}

interface MoveDetails {
  readonly from: Target
  readonly to: Target
  readonly mode: PropagateMode
  readonly change: ContentChange | undefined
}

function emitMove(
  tx: Tx,
  { user }: Caller,
  named: MovedMessage,
  moved: readonly MovedMessage[],
  { from, to, mode, change }: MoveDetails,
): void {
  const message = findMessage(tx, named.id)
  if (!message) return
  const update = {
    user_id: user.id,
    edit_timestamp: seconds(tx.clock),
    message_ids: moved.map(({ id }) => id),
    stream_id: from.channel.id,
    stream_name: from.channel.name,
    propagate_mode: mode,
    orig_subject: from.topic,
    ...change?.update,
    ...(from.topic !== to.topic && { subject: to.topic, topic_links: topicLinker(tx)(to.topic) }),
    ...(from.channel.id !== to.channel.id && { new_stream_id: to.channel.id }),
  }
  // With protected history, each user may read a different part of the messages.
  const isShared = to.channel.historyPublic
  const idsFor = (userId: number) => readable(tx, userId, to.channel, moved)
  emitUpdate(tx, message, update, isShared ? undefined : idsFor)
}

/** For each user with a live queue, the ids of the messages that they may read in the channel. */
function readersOf(
  read: Read,
  { server }: Caller,
  { channel }: Target,
  moved: readonly MovedMessage[],
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
  messages: readonly MovedMessage[],
): number[] {
  const user = findUser(read, userId)
  if (!user) return []
  const history = visibleHistory(read, user, channel)
  return messages.map(({ id }) => id).filter((id) => inHistory(history, id))
}

/** Emits `delete_message` to `readers` who could read messages, but not in the new channel. */
function emitLostAccess(
  tx: Tx,
  moved: readonly MovedMessage[],
  { from, to }: Pick<MoveDetails, 'from' | 'to'>,
  readers: ReadonlyMap<number, number[]>,
): void {
  const emptyTopicName = realmSetting(tx, 'empty_topic_display_name')
  for (const [userId, before] of readers) {
    const after = new Set(readable(tx, userId, to.channel, moved))
    const lost = before.filter((id) => !after.has(id))
    if (lost.length === 0) continue
    const place = { channelId: from.channel.id, topic: from.topic }
    for (const event of deleteMessageEvents(lost, place, emptyTopicName)) tx.emit(event, [userId])
  }
}
