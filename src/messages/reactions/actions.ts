import { type AskedEmoji, lookUpEmoji, requireUsableEmoji } from '#emoji/queries.ts'
import { ApiError } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { placeOf } from '#messages/place.ts'
import { followOnParticipation } from '#messages/policies.ts'
import { accessMessage, messageAudience } from '#messages/queries.ts'
import type { Tx } from '#store/write.ts'
import { reactionEvent } from './events.ts'
import { deleteReaction, insertReaction, listReactionsOf, type Reaction } from './queries.ts'

/**
 * Adds the caller's emoji reaction to a message, and emits `reaction`/`add` to all who have it.
 *
 * @param messageId any integer a client sent; access is checked here
 * @param asked the emoji; a missing code or type is looked up from the name
 * @throws BAD_REQUEST "Invalid message(s)", or an emoji that is not usable
 * @throws REACTION_ALREADY_EXISTS (feature level 193)
 * @source contract, "Add an emoji reaction"
 */
export function addReaction(tx: Tx, caller: Caller, messageId: number, asked: AskedEmoji): void {
  const message = accessMessage(tx, caller, messageId)
  const emoji = lookUpEmoji(tx, asked)
  const votes = votesFor(listReactionsOf(tx, [message]).get(message.id), emoji)
  if (votes.some(({ userId }) => userId === caller.user.id)) {
    throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
  }
  // Later votes join the first under its name, even if that emoji was deactivated since.
  const [first] = votes
  if (!first) requireUsableEmoji(tx, emoji)
  const reaction = insertReaction(tx, {
    ...emoji,
    emojiName: first?.emojiName ?? emoji.emojiName,
    messageId: message.id,
    userId: caller.user.id,
  })
  tx.emit(reactionEvent('add', reaction), messageAudience(tx, message))
  const { channel } = placeOf(tx, message.recipientId)
  if (channel) followOnParticipation(tx, caller.user, channel, message.topic)
}

/**
 * Takes the caller's emoji reaction back, and emits `reaction`/`remove` to all who have the message.
 *
 * @throws BAD_REQUEST "Invalid message(s)"
 * @throws REACTION_DOES_NOT_EXIST the caller has no such reaction there
 */
export function removeReaction(tx: Tx, caller: Caller, messageId: number, asked: AskedEmoji): void {
  const message = accessMessage(tx, caller, messageId)
  const own = (listReactionsOf(tx, [message]).get(message.id) ?? []).filter(
    ({ userId }) => userId === caller.user.id,
  )
  // By its code if the client sent one: the emoji's name may have changed hands since.
  const wanted =
    asked.emojiCode === undefined
      ? own.filter(({ emojiName }) => emojiName === asked.emojiName)
      : votesFor(own, lookUpEmoji(tx, asked))
  const [reaction] = wanted.filter(
    ({ reactionType }) => reactionType === (asked.reactionType ?? reactionType),
  )
  if (!reaction) throw new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
  deleteReaction(tx, reaction.id)
  tx.emit(reactionEvent('remove', reaction), messageAudience(tx, message))
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
