import { findChannelByRecipient } from '#features/foundation/channels/queries.ts'
import type { Message } from '#features/foundation/core/queries.ts'
import { listOwners, ownReader } from '#features/foundation/own-history/access.ts'
import { listNonReaders, readChecker } from '#features/foundation/read-state/queries.ts'
import { listNewestReadings } from '#features/foundation/read-state/readers.queries.ts'
import type { User, Viewer } from '#features/foundation/users/queries.ts'
import type { flagShape } from '#features/messaging/messages/shapes.ts'
import { listReadable } from '#features/messaging/narrow/window.queries.ts'
import { memo } from '#platform/memo.ts'
import type { Shaped } from '#platform/shape.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { flagBits } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** A user's flag of a message. */
export type Flag = Shaped<typeof flagShape>

const ofMessages = preparedSql<{ messageId: number; flags: number }>(`
  SELECT message_id AS messageId, flags FROM message_flags
  WHERE user_id = @userId AND message_id IN (SELECT value FROM json_each(@ids))
`)

/** A user's stored flag bits by message id, of messages that have any. */
export function storedFlags(
  read: Read,
  userId: number,
  messageIds: readonly number[],
): Map<number, number> {
  const rows = ofMessages(read).all({ userId, ids: JSON.stringify(messageIds) })
  return new Map(rows.map(({ messageId, flags }) => [messageId, flags]))
}

const upsert = preparedSql(`
  INSERT INTO message_flags (user_id, message_id, flags)
  SELECT @userId, value, @bits FROM json_each(@ids) WHERE true
  ON CONFLICT (user_id, message_id) DO UPDATE SET flags = flags | @bits
`)

/** Sets flag bits of a user's messages, in addition to those already set. */
export function insertFlags(
  tx: Tx,
  userId: number,
  messageIds: readonly number[],
  bits: number,
): void {
  upsert(tx).run({ userId, ids: JSON.stringify(messageIds), bits })
}

const upsertOne = preparedSql(`
  INSERT INTO message_flags (user_id, message_id, flags)
  SELECT value, @messageId, @bits FROM json_each(@userIds) WHERE true
  ON CONFLICT (user_id, message_id) DO UPDATE SET flags = flags | @bits
`)

/** Sets flag bits of one message for its recipients, in addition to those already set. */
export function insertFlagsOf(
  tx: Tx,
  messageId: number,
  bitsOf: ReadonlyMap<number, number>,
): void {
  const alike = new Map<number, number[]>()
  for (const [userId, bits] of bitsOf) {
    const userIds = alike.get(bits)
    if (userIds) userIds.push(userId)
    else alike.set(bits, [userId])
  }
  for (const [bits, userIds] of alike) {
    upsertOne(tx).run({ messageId, bits, userIds: JSON.stringify(userIds) })
  }
}

const clear = preparedSql(`
  UPDATE message_flags SET flags = flags & ~@bits
  WHERE user_id = @userId AND message_id IN (SELECT value FROM json_each(@ids))
`)
const tidy = preparedSql(`
  DELETE FROM message_flags WHERE user_id = @userId AND flags = 0
    AND message_id IN (SELECT value FROM json_each(@ids))
`)

/** Clears flag bits of a user's messages. */
export function deleteFlags(
  tx: Tx,
  userId: number,
  messageIds: readonly number[],
  bits: number,
): void {
  const ids = JSON.stringify(messageIds)
  clear(tx).run({ userId, ids, bits })
  tidy(tx).run({ userId, ids })
}

const starred = preparedSql<{ messageId: number }>(`
  SELECT message_id AS messageId FROM message_flags
  WHERE user_id = @userId AND flags & ${flagBits.starred} ORDER BY message_id
`)

/** Ids of all messages that a user starred, ascending; some perhaps can no longer be read. */
export function listStarredAnywhere(read: Read, userId: number): number[] {
  return starred(read)
    .all({ userId })
    .map(({ messageId }) => messageId)
}

/** Ids of a user's starred messages, ascending: those that the user can read. */
export function listStarred(read: Read, user: User): number[] {
  const ids = listStarredAnywhere(read, user.id)
  return ids.length === 0
    ? ids
    : listReadable(
        read,
        user,
        ids.map((id) => ({ id })),
      )
}

const starredIn = preparedSql<{ messageId: number }>(`
  SELECT f.message_id AS messageId
  FROM message_flags f JOIN messages m ON m.id = f.message_id
  WHERE f.user_id = @userId AND f.flags & ${flagBits.starred}
    AND m.recipient_id IN (SELECT value FROM json_each(@recipientIds))
  ORDER BY f.message_id
`)

/** Ids of all messages of these recipients that a user starred, ascending. */
export function listStarredIn(
  read: Read,
  userId: number,
  recipientIds: readonly number[],
): number[] {
  return starredIn(read)
    .all({ userId, recipientIds: JSON.stringify(recipientIds) })
    .map(({ messageId }) => messageId)
}

const starrers = preparedSql<{ userId: number; messageId: number }>(`
  SELECT user_id AS userId, message_id AS messageId FROM message_flags
  WHERE message_id IN (SELECT value FROM json_each(@ids)) AND flags & ${flagBits.starred}
  ORDER BY message_id
`)

/** The users who starred any of these messages, each with the IDs of theirs, ascending. */
export function listStarrers(read: Read, messageIds: readonly number[]): Map<number, number[]> {
  const users = new Map<number, number[]>()
  for (const { messageId, userId } of starrers(read).all({ ids: JSON.stringify(messageIds) })) {
    const own = users.get(userId)
    if (own) own.push(messageId)
    else users.set(userId, [messageId])
  }
  return users
}

/**
 * Reads the wire flags of a user's messages. Messages of a channel's shared history that the user
 * never received are `historical`, and read until the user marks them as unread. So are all messages
 * for spectators.
 *
 * @source Zulip API, "Update personal message flags", "Available flags"
 */
export function flagReader(
  read: Read,
  user: Viewer,
  page: readonly Message[],
): (message: Message) => Flag[] {
  if (user === 'spectator') return () => ['read', 'historical']
  const stored = storedFlags(
    read,
    user.id,
    page.map(({ id }) => id),
  )
  const recipientIds = [...new Set(page.map(({ recipientId }) => recipientId))]
  const isRead = readChecker(read, user.id, recipientIds)
  const isOwn = historyReader(read, user.id, page)
  return (message) =>
    wireFlags(message, {
      isRead: isRead(message.recipientId, message.id),
      bits: stored.get(message.id) ?? 0,
      isOwn: isOwn(message),
    })
}

const ofMessage = preparedSql<{ userId: number; flags: number }>(
  'SELECT user_id AS userId, flags FROM message_flags WHERE message_id = @messageId',
)

/**
 * The wire flags of one message for many users, by their IDs: for each as `flagReader` has them.
 * Users with the same flags get the same list.
 */
export function flagsOfUsers(
  read: Read,
  message: Message,
  userIds: readonly number[],
): Map<number, readonly Flag[]> {
  const { id, recipientId } = message
  const rows = ofMessage(read).all({ messageId: id })
  const stored = new Map(rows.map(({ userId, flags }) => [userId, flags]))
  const channel = findChannelByRecipient(read, recipientId)
  const known = channel && listNewestReadings(read, channel.id, id, userIds)
  const others = known ? userIds.filter((userId) => !known.has(userId)) : userIds
  const unread = listNonReaders(read, recipientId, id, others)
  const owners = channel && listOwners(read, { id, channelId: channel.id }, others)
  const listed = new Map<number, readonly Flag[]>()
  const flags = new Map<number, readonly Flag[]>()
  for (const userId of userIds) {
    const isKnownRead = known?.get(userId)
    const isRead = isKnownRead ?? !unread.has(userId)
    const isOwn = isKnownRead !== undefined || !owners || owners.has(userId)
    const bits = stored.get(userId) ?? 0
    const key = bits * 4 + Number(isRead) * 2 + Number(isOwn)
    const list = listed.get(key) ?? wireFlags(message, { isRead, bits, isOwn })
    listed.set(key, list)
    flags.set(userId, list)
  }
  return flags
}

interface FlagFacts {
  readonly isRead: boolean
  /** As they are stored. */
  readonly bits: number
  /** Whether the message is in the user's own history. */
  readonly isOwn: boolean
}

function wireFlags({ channelWildcard }: Message, { isRead, bits, isOwn }: FlagFacts): Flag[] {
  const flags: Flag[] = isRead ? ['read'] : []
  flags.push(...flagNames(bits, isOwn && channelWildcard))
  if (!isOwn) flags.push('historical')
  return flags
}

/** The flag names of stored bits, with the deprecated `wildcard_mentioned` (feature level 224). */
export function flagNames(bits: number, channelWildcard: boolean): Flag[] {
  if (bits === 0 && !channelWildcard) return []
  const stored = Object.keys(flagBits) as (keyof typeof flagBits)[]
  const names: Flag[] = stored.filter((name) => bits & flagBits[name])
  if (channelWildcard) names.push('stream_wildcard_mentioned')
  if (channelWildcard || bits & flagBits.topic_wildcard_mentioned) names.push('wildcard_mentioned')
  return names
}

type LocatedMessage = Pick<Message, 'id' | 'recipientId'>

/** A predicate for the messages of a page: whether they are in the user's own history. */
export function historyReader(
  read: Read,
  userId: number,
  page: readonly LocatedMessage[],
): (message: LocatedMessage) => boolean {
  const channelIdOf = memo((recipientId) => findChannelByRecipient(read, recipientId)?.id)
  const ofChannels = page.flatMap(({ id, recipientId }) => {
    const channelId = channelIdOf(recipientId)
    return channelId === undefined ? [] : [{ id, channelId }]
  })
  const isOwn = ownReader(read, userId, ofChannels)
  return ({ id, recipientId }) => {
    const channelId = channelIdOf(recipientId)
    return channelId === undefined || isOwn({ id, channelId })
  }
}
