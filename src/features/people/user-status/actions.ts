import { limits, requireLength } from '#features/foundation/realm/limits.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import {
  type Emoji,
  lookUpEmoji,
  type RequestedEmoji,
  requireUsableEmoji,
} from '#features/messaging/emoji/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { emitUserStatus, type StatusChanges } from './events.ts'
import { deleteStatus, findStatus, upsertStatus } from './queries.ts'

/** Asks for a status without an emoji. */
const noEmoji: RequestedEmoji = { emojiName: '', emojiCode: undefined, reactionType: undefined }

export interface RequestedStatus {
  readonly text?: string | undefined
  /** An empty name removes the emoji. */
  readonly emoji?: RequestedEmoji | undefined
  /** When the status clears itself, in seconds since the epoch; null: never. */
  readonly endsAt?: number | null | undefined
}

/**
 * Changes the given parts of a user's status, and emits them to all users who may see the user. A
 * new text or emoji removes the end unless it has one: the client may not know about ends.
 *
 * @throws BAD_REQUEST a too long text, an unusable emoji, or an end that is past, or without a
 *   status
 * @source Zulip API, "Update your status"
 */
export function changeStatus(tx: Tx, user: User, asked: RequestedStatus): void {
  const before = findStatus(tx, user.id)
  const text = asked.text?.trim()
  if (text !== undefined) requireLength('status_text', text, limits.statusLength)
  const emoji = asked.emoji && wantedEmoji(tx, asked.emoji)
  const none = { emojiName: null, emojiCode: null, reactionType: null }
  const status = {
    userId: user.id,
    statusText: text ?? before?.statusText ?? '',
    ...(asked.emoji ? (emoji ?? none) : pickEmoji(before ?? none)),
    endsAt: asked.endsAt ?? null,
  }
  const isUnset = status.statusText === '' && status.emojiName === null
  if (asked.endsAt !== undefined && asked.endsAt !== null) requireEnd(tx, asked.endsAt, isUnset)
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
  const isEndChanged = status.endsAt !== (before?.endsAt ?? null)
  const ends = isEndChanged ? { scheduled_end_time: isUnset ? null : status.endsAt } : {}
  emitUserStatus(tx, user, { ...changes, ...ends })
  if (status.endsAt !== null) wakeJobs(tx)
}

/** @throws BAD_REQUEST the end is past, or there is no status that could end */
function requireEnd(tx: Tx, endsAt: number, isUnset: boolean): void {
  if (isUnset)
    throw badRequest(sentSentence('A status without text and emoji has no end.'), {
      parameter: 'scheduled_end_time',
    })
  if (endsAt <= seconds(tx.clock))
    throw badRequest(sentSentence('The status must end in the future.'), {
      parameter: 'scheduled_end_time',
    })
}

/** Clears a status whose end has come, and emits that; one that was changed meanwhile stays. */
export function endStatus(tx: Tx, userId: number): void {
  const { endsAt } = findStatus(tx, userId) ?? {}
  if (endsAt === undefined || endsAt === null || endsAt > seconds(tx.clock)) return
  const user = findUser(tx, userId)
  if (user?.isActive) changeStatus(tx, user, { text: '', emoji: noEmoji })
  else deleteStatus(tx, userId)
}

type NullableEmoji = { readonly [K in keyof Emoji]: Emoji[K] | null }

function pickEmoji({ emojiName, emojiCode, reactionType }: NullableEmoji): NullableEmoji {
  return { emojiName, emojiCode, reactionType }
}

function wantedEmoji(tx: Tx, asked: RequestedEmoji): Emoji | undefined {
  if (asked.emojiName === '') {
    if (asked.emojiCode)
      throw badRequest(sentSentence('Invalid emoji name.'), { parameter: 'emoji_name' })
    return undefined
  }
  const emoji = lookUpEmoji(tx, asked)
  requireUsableEmoji(tx, emoji)
  return emoji
}
