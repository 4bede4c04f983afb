import {
  accessChannel,
  canAccessContent,
  inHistory,
  opennessOf,
  visibleHistory,
} from '#features/foundation/channels/access.ts'
import type { Channel } from '#features/foundation/channels/queries.ts'
import {
  accessMessage,
  findMessage,
  isTopicOf,
  listPlaced,
  type Message,
  type MessagePlace,
  topicExists,
} from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { addArrival } from '#features/foundation/own-history/paths.queries.ts'
import { moveReadState, unreadBeforeMove } from '#features/foundation/read-state/actions.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { requireFittingTopic, topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import type { PropagateMode } from '#features/messaging/messages/choices.ts'
import { updateFirstMessage } from '#features/messaging/messages/deleting/actions.ts'
import { deleteMessageEvents } from '#features/messaging/messages/deleting/events.ts'
import { insertEdit, insertMoves } from '#features/messaging/messages/edit-history/queries.ts'
import { type ContentChange, emitUpdate } from '#features/messaging/messages/editing/actions.ts'
import { flagAddEvent } from '#features/messaging/messages/flags/events.ts'
import { listStarrers } from '#features/messaging/messages/flags/queries.ts'
import { trackStarsAmong } from '#features/messaging/messages/flags/stars.actions.ts'
import { topicLinker } from '#features/messaging/messages/lookups.queries.ts'
import { recheckPushesOf } from '#features/messaging/notifications/revoking.actions.ts'
import { setVisibilityPolicy } from '#features/messaging/user-topics/actions.ts'
import { policyAfterMerge } from '#features/messaging/user-topics/policies.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import { type VisibilityPolicy, visibilityPolicies } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { tidyName } from '#shared/names.ts'
import { resolvedPrefix, toggledResolved, unmarkedTopic } from '#shared/resolved-topics.ts'
import { sentSentence } from '#translations/translate.ts'
import { postMoveNotices } from './notices.actions.ts'
import {
  listTopicMessages,
  listTopicPolicies,
  type MovedMessage,
  relocateMessages,
} from './queries.ts'
import { type ChannelTopic, isResolving, requireInTime, requireMove } from './rules.ts'

export interface Move {
  /** As the client sent it; undefined to keep the topic. */
  readonly topic: string | undefined
  /** Undefined to keep the channel. */
  readonly channelId: number | undefined
  readonly mode: PropagateMode
  readonly notifyOldTopic: boolean
  readonly notifyNewTopic: boolean
}

/** How many messages move at a time. */
const mostAtOnce = 250

/** Nobody loses access if the channel stays the same. */
const none: ReadonlyMap<number, number[]> = new Map()

/**
 * Moves a message, or more of its topic, to another topic or channel, together with all users' read
 * state. Emits `update_message` to users who may read the messages afterwards, and `delete_message`
 * to users who lose access. Very many messages move part by part; messages that someone else has
 * deleted or moved meanwhile are left alone.
 *
 * @param change a change of the message's content in the same request: one entry in its history and
 *   one event hold both
 * @throws BAD_REQUEST also if the caller may no longer move the rest;
 *   MOVE_MESSAGES_TIME_LIMIT_EXCEEDED
 * @source Zulip API, "Edit a message"
 */
export function* moveMessages(
  tx: Tx,
  caller: Caller,
  messageId: number,
  move: Move,
  change?: ContentChange,
): LongWrite<void> {
  const asked = accessMessage(tx, caller, messageId)
  let places = topicMoveOf(tx, caller, asked, move)
  const selected = selectMessages(tx, caller, places.from, asked, move.mode)
  requireInTime(tx, caller.user, asked, selected, places)
  const merges = topicExists(tx, places.to.channel.recipientId, topicKey(places.to.topic))
  // The message that the client named goes first: its change of content is already written.
  const all = [asked, ...selected.filter(({ id }) => id !== asked.id)]
  let moved = Math.min(all.length, mostAtOnce)
  movePart(tx, caller, all.slice(0, mostAtOnce), { ...places, mode: move.mode, change })
  let now = tx
  for (let at = mostAtOnce; at < all.length; at += mostAtOnce) {
    now = yield
    places = placesNow(now, caller, places)
    const part = stillThere(now, places.from, all.slice(at, at + mostAtOnce))
    movePart(now, caller, part, { ...places, mode: move.mode })
    moved += part.length
  }
  const { from, to } = places
  const stays = topicExists(now, from.channel.recipientId, topicKey(from.topic))
  if (!stays) movePolicies(now, from, to, merges)
  postMoveNotices(now, caller, { ...move, from, to, moved, messageId, stays })
}

interface TopicMove {
  readonly from: ChannelTopic
  readonly to: ChannelTopic
}

/** @throws BAD_REQUEST */
function topicMoveOf(tx: Tx, caller: Caller, asked: Message, move: Move): TopicMove {
  const { channel } = recipientOf(tx, asked.recipientId)
  if (!channel)
    throw badRequest(sentSentence('Direct messages cannot be moved to channels or topics.'), {
      parameter: 'message_id',
    })
  const from: ChannelTopic = { channel, topic: asked.topic }
  const goal = move.channelId === undefined ? channel : accessChannel(tx, caller, move.channelId)
  // Resolving a topic leaves its name as it is.
  const isKnown = (name: string) =>
    unmarkedTopic(name) === unmarkedTopic(from.topic) || isTopicOf(tx, goal)(name)
  const to: ChannelTopic = {
    channel: goal,
    topic: move.topic === undefined ? asked.topic : newTopic(tx, asked.topic, move.topic, isKnown),
  }
  if (from.channel.id === to.channel.id && from.topic === to.topic) {
    throw badRequest(sentSentence('Nothing to change'))
  }
  requireMove(tx, caller.user, from, to)
  return { from, to }
}

/**
 * The topic that a client asked for. If it only adds the mark of resolved topics, it is shortened
 * to have room for that.
 *
 * @throws BAD_REQUEST an invalid topic
 */
function newTopic(
  read: Read,
  topic: string,
  asked: string,
  isKnown: (name: string) => boolean,
): string {
  const isMarked = tidyName(asked) === tidyName(`${resolvedPrefix}${topic}`)
  const wanted = isMarked ? toggledResolved(topic, limits.topicLength) : asked
  return requireFittingTopic(read, wanted, isKnown)
}

/** @throws BAD_REQUEST the caller may no longer move messages there */
function placesNow(tx: Tx, caller: Caller, places: TopicMove): TopicMove {
  const from = { ...places.from, channel: accessChannel(tx, caller, places.from.channel.id) }
  const to = { ...places.to, channel: accessChannel(tx, caller, places.to.channel.id) }
  requireMove(tx, caller.user, from, to)
  return { from, to }
}

function stillThere(tx: Tx, from: ChannelTopic, messages: readonly MovedMessage[]): MovedMessage[] {
  const isThere = ({ recipientId, topic }: MessagePlace) =>
    recipientId === from.channel.recipientId && topicKey(topic) === topicKey(from.topic)
  const placed = listPlaced(
    tx,
    messages.map(({ id }) => id),
  )
  const there = new Set(placed.filter(isThere).map(({ id }) => id))
  return messages.filter(({ id }) => there.has(id))
}

interface PartOfMove extends TopicMove {
  readonly mode: PropagateMode
  readonly change?: ContentChange | undefined
}

/** @param part with the message first that the client named, if it is among them */
function movePart(
  tx: Tx,
  caller: Caller,
  part: readonly MovedMessage[],
  { from, to, mode, change }: PartOfMove,
): void {
  const [named] = part
  if (!named) return
  const moved = [...part].sort((a, b) => a.id - b.id)
  const readers = from.channel.id === to.channel.id ? none : readersOf(tx, caller, from, moved)
  const stars = movedStars(tx, from.channel.id === to.channel.id ? [] : moved)
  relocate(tx, caller, moved, { from, to, edited: change && { id: named.id, ...change.entry } })
  emitMove(tx, caller, named, moved, { from, to, mode, change })
  emitLostAccess(tx, moved, { from, to }, readers)
  stars.emitChanges()
}

/** Before messages move to another channel. */
function movedStars(tx: Tx, moved: readonly MovedMessage[]) {
  const starrers = listStarrers(
    tx,
    moved.map(({ id }) => id),
  )
  return trackStarsAmong(tx, starrers.keys(), (userId) => starrers.get(userId) ?? [])
}

/** The messages that a mode selects, of those that the caller may read. */
function selectMessages(
  read: Read,
  { user }: Caller,
  { channel }: ChannelTopic,
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
  readonly from: ChannelTopic
  readonly to: ChannelTopic
  /** The moved message whose content changed as well, with its part of the history. */
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
  const isElsewhere = from.channel.id !== to.channel.id
  const unread = isElsewhere ? unreadBeforeMove(tx, from.channel.recipientId, ids) : undefined
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
  recheckPushesOf(tx, ids)
  if (!unread) return
  addArrival(tx, ids, from.channel.id, {
    channelId: to.channel.id,
    openness: opennessOf(to.channel),
  })
  const lost = moveReadState(tx, from.channel.recipientId, to.channel.recipientId, ids, unread)
  for (const { userId, messageIds } of lost) {
    tx.emit(flagAddEvent('read', messageIds), [userId])
  }
  updateFirstMessage(tx, from.channel)
  updateFirstMessage(tx, to.channel)
}

/**
 * Moves all users' visibility policies along with a topic that moved as a whole, as far as they may
 * read the new one.
 *
 * @param merges whether the new topic had messages before
 */
function movePolicies(tx: Tx, from: ChannelTopic, to: ChannelTopic, merges: boolean): void {
  const moved = policiesOf(tx, from)
  const kept = policiesOf(tx, to)
  for (const userId of new Set([...moved.keys(), ...kept.keys()])) {
    const { none } = visibilityPolicies
    const before = kept.get(userId) ?? none
    const after = policyAfterMerge(moved.get(userId) ?? none, before, merges)
    if (moved.has(userId)) setVisibilityPolicy(tx, userId, from.channel, from.topic, none)
    const user = after === before ? undefined : findUser(tx, userId)
    if (user && canAccessContent(tx, user, to.channel)) {
      setVisibilityPolicy(tx, userId, to.channel, to.topic, after)
    }
  }
}

function policiesOf(read: Read, { channel, topic }: ChannelTopic): Map<number, VisibilityPolicy> {
  const rows = listTopicPolicies(read, channel.id, topicKey(topic))
  return new Map(rows.map(({ userId, policy }) => [userId, policy]))
}

interface MoveDetails {
  readonly from: ChannelTopic
  readonly to: ChannelTopic
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
  { channel }: ChannelTopic,
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
