import type { AskedEmoji } from '#emoji/queries.ts'
import { understoodType } from '#http/dialect.ts'
import { endpoint } from '#http/endpoint.ts'
import { int, oneOf, optional, type Values, word } from '#http/params.ts'
import * as actions from './actions.ts'
import { reactionTypes } from './queries.ts'

const reactionParams = {
  message_id: int(),
  emoji_name: word(200),
  emoji_code: optional(word(200)),
  reaction_type: optional(oneOf([...reactionTypes, 'service_extra_emoji'])),
}

export const addReaction = endpoint({
  method: 'post',
  path: '/messages/:message_id/reactions',
  params: reactionParams,
  run: (caller, p) =>
    caller.store.write((tx) => actions.addReaction(tx, caller, p.message_id, asked(p))),
})

export const removeReaction = endpoint({
  method: 'delete',
  path: '/messages/:message_id/reactions',
  params: { ...reactionParams, emoji_name: optional(word(200)) },
  run: (caller, p) =>
    caller.store.write((tx) => actions.removeReaction(tx, caller, p.message_id, asked(p))),
})

function asked(p: Partial<Values<typeof reactionParams>>): AskedEmoji {
  return {
    emojiName: p.emoji_name ?? '',
    emojiCode: p.emoji_code,
    reactionType: p.reaction_type && understoodType(p.reaction_type),
  }
}
