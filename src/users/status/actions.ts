import { type AskedEmoji, type Emoji, lookUpEmoji, requireUsableEmoji } from '#emoji/queries.ts'
import { badRequest } from '#errors.ts'
import { requireLength } from '#realm/limits.ts'
import type { Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { emitUserStatus, type StatusChanges } from './events.ts'
import { deleteStatus, findStatus, upsertStatus } from './queries.ts'

/** In Unicode code points. */
const longestStatus = 60

export interface AskedStatus {
  readonly text?: string | undefined
  /** An empty name takes the emoji away. */
  readonly emoji?: AskedEmoji | undefined
}

/**
 * Changes what is given of a user's status, and tells all who may know of the user.
 *
 * @throws BAD_REQUEST a text that is too long, an emoji that is not usable
 * @source the API description of `POST /users/me/status`
 */
export function changeStatus(tx: Tx, user: User, asked: AskedStatus): void {
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

function wantedEmoji(tx: Tx, asked: AskedEmoji): Emoji | undefined {
  if (asked.emojiName === '') {
    if (asked.emojiCode) throw badRequest('Invalid emoji name.')
    return undefined
  }
  const emoji = lookUpEmoji(tx, asked)
  requireUsableEmoji(tx, emoji)
  return emoji
}
