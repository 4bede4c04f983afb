import type { UserStatus } from './queries.ts'

/** A status on the wire. What was not set is missing. @source the API's `UserStatus` */
export interface UserStatusJson {
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
  /** Deprecated: the user hides their presence. */
  away?: true
}

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
