import type { SenderFacts } from '#features/foundation/users/json.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { VariantEvent, WireEvent } from '#platform/events/types.ts'
import type { Reaction } from './queries.ts'

/**
 * A user added or removed an emoji reaction.
 *
 * @source Zulip API, "Get events", type "reaction"; `user` is gone from feature level 484 on
 */
export interface ReactionEvent extends WireEvent {
  type: 'reaction'
  op: 'add' | 'remove'
  message_id: number
  user_id: number
  user: { user_id: number; email: string; full_name: string }
  emoji_name: string
  emoji_code: string
  reaction_type: Reaction['reactionType']
}

/**
 * @param user the one who reacted
 * @param instead who is shown in their place to a viewer who may not see them
 */
export function reactionEvent(
  op: ReactionEvent['op'],
  reaction: Reaction,
  user: User,
  instead: (viewerId: number) => SenderFacts | undefined,
): VariantEvent {
  return {
    type: 'reaction',
    variant: ({ traits }) => (instead(traits.userId) ? 'unknown' : 'known'),
    build(_key, { traits }): ReactionEvent {
      const hidden = instead(traits.userId)
      return {
        type: 'reaction',
        op,
        message_id: reaction.messageId,
        user_id: user.id,
        user: {
          user_id: user.id,
          email: hidden?.sender_email ?? user.apiEmail,
          full_name: hidden?.sender_full_name ?? user.fullName,
        },
        emoji_name: reaction.emojiName,
        emoji_code: reaction.emojiCode,
        reaction_type: reaction.reactionType,
      }
    },
  }
}
