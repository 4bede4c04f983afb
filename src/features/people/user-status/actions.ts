import {
  type Emoji,
  lookUpEmoji,
  type RequestedEmoji,
  requireUsableEmoji,
} from '#features/messaging/emoji/queries.ts'
import { requireLength } from '#features/organization/realm/limits.ts'
import type { User } from '#features/people/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Tx } from '#platform/store/write.ts'
import { emitUserStatus, type StatusChanges } from './events.ts'
import { deleteStatus, findStatus, upsertStatus } from './queries.ts'

/** In Unicode code points. */
const longestStatus = 60

export interface RequestedStatus {
  readonly text?: string | undefined
  /** An empty name removes the emoji. */
  readonly emoji?: RequestedEmoji | undefined
}

/**
 * Changes the given parts of a user's status, and emits them to all users who may see the user.
 *
 * @throws BAD_REQUEST a too long text, or an unusable emoji
 * @source Zulip API, "Update your status"
 */
export function changeStatus(tx: Tx, user: User, asked: RequestedStatus): void {
  const before = findStatus(tx, user.id)
  const text = asked.text?.trim()
  if (text !== undefined) requireLength('status_text', text, longestStatus)
  const emoji = asked.emoji && wantedEmoji(tx, asked.emoji)
  const none = { emojiName: null, emojiCode: null, reactionType: null }
  const status = {
    userId: user.id,
    statusText: text ?? before?.statusText ?? '',
    ...(asked.emoji ? (emoji ?? none) : pickEmoji(before ?? none)),
  }
  const isUnset = status.statusText === '' && status.emojiName === null
  if (isUnset) deleteStatus(tx, user.id)
  else upsertStatus(tx, status)
  const changes: StatusChanges = {
    ...(text !== undefined && { status_text: text }),
    ...(asked.emoji && {
      emoji_name: emoji?.emojiName ?? '',
      emoji_code: emoji?.emojiCode ?? '',
      reaction_type: emoji?.reactionType ?? '',
    }),
  }
  if (Object.keys(changes).length > 0) emitUserStatus(tx, user, changes)
}

type NullableEmoji = { readonly [K in keyof Emoji]: Emoji[K] | null }

function pickEmoji({ emojiName, emojiCode, reactionType }: NullableEmoji): NullableEmoji {
  return { emojiName, emojiCode, reactionType }
}

function wantedEmoji(tx: Tx, asked: RequestedEmoji): Emoji | undefined {
  if (asked.emojiName === '') {
    if (asked.emojiCode) throw badRequest('Invalid emoji name.')
    return undefined
  }
  const emoji = lookUpEmoji(tx, asked)
  requireUsableEmoji(tx, emoji)
  return emoji
}
