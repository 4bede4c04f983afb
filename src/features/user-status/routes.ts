import { changeOwnSettings } from '#features/accounts/own-settings/actions.ts'
import { requireAdministrator } from '#features/permissions/rules.ts'
import { accessUser } from '#features/users/access.ts'
import { userSetting } from '#features/users/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import { parseEmojiType } from '#platform/http/dialect.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { bool, int, optional, type Values, word } from '#platform/http/params.ts'
import { reactionTypes } from '#platform/store/schema.ts'
import * as actions from './actions.ts'
import { statusJson } from './json.ts'
import { findStatus } from './queries.ts'
import { userStatusShape } from './shapes.ts'

const longText = 1000

const statusParams = {
  status_text: optional(word(longText)),
  emoji_name: optional(word(longText)),
  emoji_code: optional(word(longText)),
  /** Empty if there is no emoji. */
  reaction_type: optional(word(longText)),
}

/** @throws BAD_REQUEST an incomplete emoji, or an unknown emoji type */
function asked(p: Values<typeof statusParams>): actions.RequestedStatus {
  const { status_text: text, emoji_name, emoji_code, reaction_type } = p
  if (emoji_name === undefined) {
    if (emoji_code === undefined && reaction_type === undefined) return { text }
    throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.')
  }
  const wanted = reaction_type && parseEmojiType(reaction_type)
  const reactionType = reactionTypes.find((type) => type === wanted)
  if (wanted && !reactionType) throw badRequest('Invalid reaction_type')
  return {
    text,
    emoji: { emojiName: emoji_name, emojiCode: emoji_code || undefined, reactionType },
  }
}

/** @source Zulip API, "Update your status" */
export const updateOwnStatus = endpoint({
  method: 'post',
  path: '/users/me/status',
  summary: "Change the caller's status.",
  params: { ...statusParams, away: optional(bool()) },
  reply: {},
  run({ store }, { away, ...p }) {
    const status = asked(p)
    if (away === undefined && status.text === undefined && !status.emoji) {
      throw badRequest('Client did not pass any new values.')
    }
    return store.write((tx, user) => {
      actions.changeStatus(tx, user, status)
      if (away === undefined) return
      changeOwnSettings(tx, user.id, { settings: { presence_enabled: !away } })
    })
  },
})

/**
 * For administrators.
 *
 * @source Zulip API, "Update user status" (feature level 407)
 */
export const updateStatus = endpoint({
  method: 'post',
  path: '/users/:user_id{-?[0-9]+}/status',
  summary: "Change a user's status.",
  description: 'For administrators of the organization.',
  params: { user_id: int(), ...statusParams },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run({ store }, { user_id, ...p }) {
    const status = asked(p)
    if (status.text === undefined && !status.emoji) {
      throw badRequest('Client did not pass any new values.')
    }
    return store.write((tx, user) => {
      requireAdministrator(user)
      actions.changeStatus(tx, accessUser(tx, user, user_id), status)
    })
  },
})

/** @source Zulip API, "Get a user's status" (feature level 262) */
export const getStatus = endpoint({
  method: 'get',
  path: '/users/:user_id{-?[0-9]+}/status',
  summary: "Get a user's status.",
  params: { user_id: int() },
  reply: { status: userStatusShape },
  run({ store, user }, p) {
    const { id } = accessUser(store, user, p.user_id)
    return {
      status: statusJson(findStatus(store, id), !userSetting(store, id, 'presence_enabled')),
    }
  },
})
