import type { Shaped } from '#platform/shape.ts'
import type { UserStatus } from './queries.ts'
import type { userStatusShape } from './shapes.ts'

/**
 * A status on the wire, without the parts that are unset.
 *
 * @source Zulip API, "Get a user's status"
 */
export type UserStatusJson = Shaped<typeof userStatusShape>

/** @param isExtended whether the client knows that a status can end */
export function statusJson(
  status: UserStatus | undefined,
  isAway: boolean,
  isExtended: boolean,
): UserStatusJson {
  const { statusText, emojiName, emojiCode, reactionType, endsAt } = status ?? {}
  return {
    ...(statusText && { status_text: statusText }),
    ...(emojiName &&
      emojiCode &&
      reactionType && {
        emoji_name: emojiName,
        emoji_code: emojiCode,
        reaction_type: reactionType,
      }),
    ...(isAway && { away: true }),
    ...(isExtended && endsAt && { scheduled_end_time: endsAt }),
  }
}
