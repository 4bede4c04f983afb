import { allSubscriberIds } from '#features/foundation/channels/subscriptions.queries.ts'
import { newestMessageId } from '#features/foundation/core/queries.ts'
import { listOwnMessages } from '#features/foundation/own-history/access.ts'
import { listStates } from '#features/foundation/read-state/states.queries.ts'
import { directMemberIds } from '#features/foundation/recipients/queries.ts'
import { contains, everything, intersect, type Ranges, span, subtract } from '#platform/ranges.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { flagBits } from '#platform/store/schema.ts'
import { flagsMask } from './format.ts'
import type { Plan } from './plan.queries.ts'
import type { Row } from './tables.queries.ts'

/** A message as the flags need it. */
export interface FlaggedMessage {
  readonly id: number
  readonly recipientId: number
  readonly sentAt: number
  readonly channelWildcard: boolean
}

/** A person who has messages of a recipient, and which. */
interface Reader {
  readonly userId: number
  /** Their own messages; `all`: a direct conversation. */
  readonly own: Ranges | 'all'
  readonly read: Ranges
  /** Whether they are in the channel now. */
  readonly isSubscribed: boolean
  /** Whether they are idle, and have access to the messages of the channel without rows. */
  readonly mayLackRows: boolean
}

/** The people who have messages of a recipient, and the read state of current subscribers. */
interface Readers {
  /** Those for whom every message may take a row. */
  readonly all: readonly Reader[]
  /** Idle people who have read everything, by ID: only other flags take a row. */
  readonly idle: ReadonlyMap<number, Reader>
  readonly states: ReadonlyMap<number, Ranges>
}

const flagsOf = preparedSql<{ userId: number; messageId: number; flags: number }>(`
  SELECT user_id AS userId, message_id AS messageId, flags FROM message_flags
  WHERE message_id IN (SELECT value FROM json_each(@ids)) ORDER BY message_id, user_id`)

/** The bits that Zulip also has. */
const bits: readonly (readonly [number, number])[] = [
  [flagBits.starred, flagsMask.starred],
  [flagBits.mentioned, flagsMask.mentioned],
  [flagBits.topic_wildcard_mentioned, flagsMask.topicWildcard],
  [flagBits.has_alert_word, flagsMask.alertWord],
  [flagBits.collapsed, flagsMask.collapsed],
]

/**
 * Makes the rows of flags of messages, for everyone who has them in their history and whose private
 * data are exported.
 *
 * @param leaveReadBefore in seconds since the epoch: rows of older messages in public channels are
 * left   out where they only say that someone has read them; undefined: all rows are made
 * @returns makes `undefined` after each message, even if all of its rows are left out
 */
export function flagRows(
  plan: Plan,
  leaveReadBefore: number | undefined,
): (messages: readonly FlaggedMessage[]) => Generator<Row | undefined> {
  const readersOf = keptReaders(plan)

  return function* rows(messages) {
    const ids = JSON.stringify(messages.map(({ id }) => id))
    const rare = new Map<number, Map<number, number>>()
    for (const { flags, messageId, userId } of flagsOf(plan.read).all({ ids })) {
      const ofMessage = rare.get(messageId) ?? new Map<number, number>()
      rare.set(messageId, ofMessage.set(userId, flags))
    }
    // By recipient, so that the people of each are read once for all of these messages.
    const inTurn = [...messages].sort((a, b) => a.recipientId - b.recipientId || a.id - b.id)
    for (const message of inTurn) {
      const left = rare.get(message.id) ?? new Map<number, number>()
      const channel = plan.channelTargets.get(message.recipientId)
      const isPublic = channel && !plan.channels.get(channel.typeId)?.isPrivate
      const isOld = leaveReadBefore !== undefined && message.sentAt < leaveReadBefore
      let leftOut = 0
      const { states, ...readers } = readersOf(message.recipientId)
      for (const { isSubscribed, mayLackRows, own, read, userId } of readersFor(
        message,
        readers,
        left,
      )) {
        const isRead = contains(read, message.id)
        const isInHistory = own === 'all' || contains(own, message.id)
        // Earlier messages can also be unread, if the history is shared.
        if (!isInHistory && (isRead || !isSubscribed || !isPublic)) continue
        const flags = left.get(userId) ?? 0
        left.delete(userId)
        if (isRead && flags === 0 && !message.channelWildcard) {
          if (mayLackRows) continue
          if (isOld && isPublic) {
            leftOut += 1
            continue
          }
        }
        const more = own === 'all' ? flagsMask.private : isInHistory ? 0 : flagsMask.historical
        yield row(message, userId, flags, isRead, more)
      }
      plan.notes.count('lean', leftOut)
      yield undefined
      if (!isPublic) continue
      // Messages that someone starred or collapsed in a public channel without being subscribed at
      // the time.
      for (const [userId, flags] of left) {
        if (!plan.selection.hasPrivateDataOf(userId)) continue
        const isRead = contains(states.get(userId) ?? everything, message.id)
        yield row(message, userId, flags, isRead, flagsMask.historical)
      }
    }
  }
}

/** Those for whom a message may take a row. @param flags of people, other than that they read it */
function readersFor(
  message: FlaggedMessage,
  { all, idle }: Omit<Readers, 'states'>,
  flags: ReadonlyMap<number, number>,
): readonly Reader[] {
  if (idle.size === 0) return all
  if (message.channelWildcard) return [...all, ...idle.values()]
  return [...all, ...[...flags.keys()].flatMap((userId) => idle.get(userId) ?? [])]
}

function row(
  message: FlaggedMessage,
  userId: number,
  flags: number,
  isRead: boolean,
  more: number,
): Row {
  let mask = more | (isRead ? flagsMask.read : 0)
  if (message.channelWildcard) mask |= flagsMask.channelWildcard
  for (const [ours, theirs] of bits) if (flags & ours) mask |= theirs
  return { user_profile: userId, message: message.id, flags_mask: mask }
}

/** How many people are kept in memory, counted once for each recipient. */
const mostKept = 50_000

/**
 * Reads the people who have messages of a recipient, and caches those of the latest recipients.
 */
function keptReaders(plan: Plan): (recipientId: number) => Readers {
  const kept = new Map<number, Readers>()
  let count = 0
  return (recipientId) => {
    const known = kept.get(recipientId)
    const readers = known ?? listReaders(plan, recipientId)
    if (!known) count += sizeOf(readers)
    kept.delete(recipientId)
    kept.set(recipientId, readers)
    for (const [oldest, each] of kept) {
      if (count <= mostKept || oldest === recipientId) break
      kept.delete(oldest)
      count -= sizeOf(each)
    }
    return readers
  }
}

const sizeOf = ({ all, idle }: Readers) => all.length + idle.size

function listReaders(plan: Plan, recipientId: number): Readers {
  const { channelTargets, read, selection, users } = plan
  const states = new Map(
    listStates(read, recipientId).map(({ userId, ranges }) => [userId, ranges]),
  )
  const isIncluded = (userId: number) => selection.hasPrivateDataOf(userId)
  const isOwnBot = (userId: number) => plan.shown(userId) !== userId
  const channel = channelTargets.get(recipientId)
  if (!channel) {
    const members = directMemberIds(read, recipientId).filter(
      (userId) => isIncluded(userId) && !isOwnBot(userId) && users.has(userId),
    )
    return {
      all: members.map((userId) => ({
        userId,
        own: 'all',
        read: states.get(userId) ?? [],
        isSubscribed: true,
        mayLackRows: false,
      })),
      idle: new Map(),
      states,
    }
  }
  const own = [...listOwnMessages(read, channel.typeId)].filter(
    ([userId]) => isIncluded(userId) && users.has(userId),
  )
  const current = new Set(allSubscriberIds(read, channel.typeId))
  // Nothing is unread in a channel that someone has left.
  for (const userId of states.keys()) if (!current.has(userId)) states.delete(userId)
  const { historyPublic, isPrivate } = plan.channels.get(channel.typeId) ?? { isPrivate: true }
  const all: Reader[] = []
  const idle = new Map<number, Reader>()
  const newest = newestMessageId(read)
  for (const [userId, ids] of own) {
    const isSubscribed = current.has(userId)
    const reader = {
      userId,
      own: ids,
      read: isSubscribed ? (states.get(userId) ?? []) : everything,
      isSubscribed,
      mayLackRows:
        plan.idle.has(userId) && (!isPrivate || (isSubscribed && historyPublic === true)),
    }
    const had = isSubscribed && !isPrivate ? everything : ids
    const hasUnread = intersect(subtract(had, reader.read), span(0, newest + 1)).length > 0
    if (reader.mayLackRows && !hasUnread) idle.set(userId, reader)
    else all.push(reader)
  }
  return { all, idle, states }
}
