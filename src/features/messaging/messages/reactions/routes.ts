import type { RequestedEmoji } from '#features/messaging/emoji/queries.ts'
import { badRequest } from '#platform/errors.ts'
import { parseEmojiType } from '#platform/http/dialect.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, int, oneOf, optional, type Values, word } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { reactionTypes } from './queries.ts'
import { reactionQuota } from './quotas.ts'

const reactionParams = {
  message_id: int(),
  emoji_name: word(200),
  emoji_code: described(
    optional(word(200)),
    'Identifies the emoji where several share a name. Needed to add to a reaction whose emoji has been renamed.',
  ),
  reaction_type: described(
    optional(oneOf([...reactionTypes, 'service_extra_emoji'])),
    '`service_extra_emoji` and `zulip_extra_emoji` are the same.',
  ),
}

/** @source Zulip API, "Add an emoji reaction" */
export const addReaction = endpoint({
  method: 'post',
  path: '/messages/:message_id/reactions',
  summary: 'Add an emoji reaction to a message.',
  description: limitsText(reactionQuota),
  params: reactionParams,
  errors: ['REACTION_ALREADY_EXISTS'],
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => actions.addReaction(tx, caller, p.message_id, askedEmoji(p))),
})

/** @source Zulip API, "Remove an emoji reaction" */
export const removeReaction = endpoint({
  method: 'delete',
  path: '/messages/:message_id/reactions',
  summary: 'Remove an emoji reaction.',
  params: { ...reactionParams, emoji_name: optional(word(200)) },
  errors: ['REACTION_DOES_NOT_EXIST'],
  reply: {},
  async run(caller, p) {
    if (p.emoji_name === undefined && p.emoji_code === undefined) {
      throw badRequest(
        sentSentence('At least one of the arguments emoji_name and emoji_code is required.'),
        { parameter: 'emoji_name' },
      )
    }
    await caller.store.write((tx) =>
      actions.removeReaction(tx, caller, p.message_id, askedEmoji(p)),
    )
  },
})

function askedEmoji(p: Partial<Values<typeof reactionParams>>): RequestedEmoji {
  return {
    emojiName: p.emoji_name ?? '',
    emojiCode: p.emoji_code,
    reactionType: p.reaction_type && parseEmojiType(p.reaction_type),
  }
}
