import * as v from 'valibot'
import { limits } from '#features/foundation/realm/limits.ts'
import { badRequest } from '#platform/errors.ts'
import { parseEmojiType } from '#platform/http/dialect.ts'
import { described, json, optional, tidied, type Values, word } from '#platform/http/params.ts'
import { reactionTypes } from '#platform/store/schema.ts'
import { sentSentence } from '#translations/translate.ts'
import type { RequestedStatus } from './actions.ts'

const longText = 1000
/** Far enough, and within what clients can show. */
const latest = 2 ** 40

/** A status as clients ask for it. */
export const statusParams = {
  status_text: optional(tidied(word(longText), limits.statusLength)),
  emoji_name: optional(word(longText)),
  emoji_code: optional(word(longText)),
  /** Empty if there is no emoji. */
  reaction_type: optional(word(longText)),
  scheduled_end_time: described(
    optional(json(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(latest))))),
    'When the status clears itself, in seconds since the epoch; null: never, which is also what a new text or emoji without this parameter means.',
  ),
}

/** Whether a client asked for any change. */
export function isAsked({ text, emoji, endsAt }: RequestedStatus): boolean {
  return text !== undefined || emoji !== undefined || endsAt !== undefined
}

/**
 * The status that a client asked for.
 *
 * @throws BAD_REQUEST an incomplete emoji, or an unknown emoji type
 */
export function requestedStatus(p: Values<typeof statusParams>): RequestedStatus {
  const { status_text: text, emoji_name, emoji_code, reaction_type, scheduled_end_time: endsAt } = p
  if (emoji_name === undefined) {
    if (emoji_code === undefined && reaction_type === undefined) return { text, endsAt }
    throw badRequest(
      sentSentence('Client must pass emoji_name if they pass either emoji_code or reaction_type.'),
      { parameter: 'emoji_name' },
    )
  }
  const wanted = reaction_type && parseEmojiType(reaction_type)
  const reactionType = reactionTypes.find((type) => type === wanted)
  if (wanted && !reactionType)
    throw badRequest(sentSentence('Invalid reaction_type'), { parameter: 'reaction_type' })
  return {
    text,
    endsAt,
    emoji: { emojiName: emoji_name, emojiCode: emoji_code || undefined, reactionType },
  }
}
