import type { Shaped } from '#shape.ts'
import type { UserStatus } from './queries.ts'
import type { userStatusShape } from './shapes.ts'

/** A status on the wire. What was not set is missing. @source the API's `UserStatus` */
export type UserStatusJson = Shaped<typeof userStatusShape>

export function statusJson(status: UserStatus | undefined, isAway: boolean): UserStatusJson {
  const { statusText, emojiName, emojiCode, reactionType } = status ?? {}
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
  }
}
