import type { SenderFacts } from '#features/foundation/users/json.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { messageEventShapes } from '#features/messaging/messages/shapes.ts'
import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import type { Reaction } from './queries.ts'

/**
 * A user added or removed an emoji reaction.
 *
 * @source Zulip API, "Get events", type "reaction"; `user` is gone from feature level 484 on
 */
export type ReactionEvent = EventOf<typeof messageEventShapes, 'reaction', 'add' | 'remove'>

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
