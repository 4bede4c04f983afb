import type { WireEvent } from '#platform/events/types.ts'
import type { Reaction } from './queries.ts'

/**
 * A user added or removed an emoji reaction.
 *
 * @source Zulip API, "Get events", type "reaction"; without `user` (feature level 484)
 */
export interface ReactionEvent extends WireEvent {
  type: 'reaction'
  op: 'add' | 'remove'
  message_id: number
  user_id: number
  emoji_name: string
  emoji_code: string
  reaction_type: Reaction['reactionType']
}

export function reactionEvent(op: ReactionEvent['op'], reaction: Reaction): ReactionEvent {
  return {
    type: 'reaction',
    op,
    message_id: reaction.messageId,
    user_id: reaction.userId,
    emoji_name: reaction.emojiName,
    emoji_code: reaction.emojiCode,
    reaction_type: reaction.reactionType,
  }
}
