import { accessMessage, type Message, messageAudience } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import {
  lookUpEmoji,
  type RequestedEmoji,
  requireUsableEmoji,
} from '#features/messaging/emoji/queries.ts'
import { hiddenSender } from '#features/messaging/messages/json.ts'
import { followOnParticipation } from '#features/messaging/messages/policies.actions.ts'
import { ApiError } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { memo } from '#platform/memo.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { type ReactionEvent, reactionEvent } from './events.ts'
import { deleteReaction, insertReaction, listReactionsOf, type Reaction } from './queries.ts'
import { reactionQuota } from './quotas.ts'

/**
 * Adds the caller's emoji reaction to a message, and emits `reaction`/`add` to all users who may
 * read the message.
 *
 * @param messageId any integer that a client sent; this function checks access
 * @param asked the emoji; a missing code or type is looked up by name
 * @throws BAD_REQUEST "Invalid message(s)", an emoji that cannot be used, or too many reactions
 * @throws REACTION_ALREADY_EXISTS (feature level 193)
 * @source Zulip API, "Add an emoji reaction"
 */
export function addReaction(
  tx: Tx,
  caller: Caller,
  messageId: number,
  asked: RequestedEmoji,
): void {
  const message = accessMessage(tx, caller, messageId)
  const emoji = lookUpEmoji(tx, asked)
  const votes = votesFor(listReactionsOf(tx, [message]).get(message.id), emoji)
  if (votes.some(({ userId }) => userId === caller.user.id)) {
    throw new ApiError(
      'REACTION_ALREADY_EXISTS',
      sentSentence('Reaction already exists.'),
      {},
      { parameter: 'emoji_name' },
    )
  }
  // Later votes use the name of the first, even if that emoji has been deactivated since.
  const [first] = votes
  if (!first) requireUsableEmoji(tx, emoji)
  requireRoom(tx, reactionQuota, { messageId: message.id, userId: caller.user.id })
  const reaction = insertReaction(tx, {
    ...emoji,
    emojiName: first?.emojiName ?? emoji.emojiName,
    messageId: message.id,
    userId: caller.user.id,
  })
  emitReaction(tx, 'add', caller, message, reaction)
  const { channel } = recipientOf(tx, message.recipientId)
  if (channel) followOnParticipation(tx, caller.user, channel, message.topic)
}

/**
 * Removes the caller's emoji reaction, and emits `reaction`/`remove` to all users who may read the
 * message.
 *
 * @throws BAD_REQUEST "Invalid message(s)"
 * @throws REACTION_DOES_NOT_EXIST the caller has no such reaction to the message
 * @source Zulip API, "Remove an emoji reaction"
 */
export function removeReaction(
  tx: Tx,
  caller: Caller,
  messageId: number,
  asked: RequestedEmoji,
): void {
  const message = accessMessage(tx, caller, messageId)
  const own = (listReactionsOf(tx, [message]).get(message.id) ?? []).filter(
    ({ userId }) => userId === caller.user.id,
  )
  // Prefers the code if the client sent one: the name may belong to another emoji by now.
  const wanted =
    asked.emojiCode === undefined
      ? own.filter(({ emojiName }) => emojiName === asked.emojiName)
      : votesFor(own, lookUpEmoji(tx, asked))
  const [reaction] = wanted.filter(
    ({ reactionType }) => reactionType === (asked.reactionType ?? reactionType),
  )
  if (!reaction)
    throw new ApiError(
      'REACTION_DOES_NOT_EXIST',
      sentSentence("Reaction doesn't exist."),
      {},
      { parameter: 'emoji_name' },
    )
  deleteReaction(tx, reaction.id)
  emitReaction(tx, 'remove', caller, message, reaction)
}

/** Tells all users who may read the message, naming the caller to those who may see them. */
function emitReaction(
  tx: Tx,
  op: ReactionEvent['op'],
  { user }: Caller,
  message: Message,
  reaction: Reaction,
): void {
  const instead = memo((viewerId) => {
    const viewer = findUser(tx, viewerId)
    return viewer && hiddenSender(tx, viewer, user)
  })
  tx.emit(reactionEvent(op, reaction, user, instead), messageAudience(tx, message))
}

function votesFor(
  reactions: readonly Reaction[] = [],
  emoji: Pick<Reaction, 'emojiCode' | 'reactionType'>,
): Reaction[] {
  return reactions.filter(
    ({ emojiCode, reactionType }) =>
      emojiCode === emoji.emojiCode && reactionType === emoji.reactionType,
  )
}
