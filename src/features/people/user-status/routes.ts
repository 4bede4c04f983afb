import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { accessUser } from '#features/foundation/users/access.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int } from '#platform/http/params.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { statusJson } from './json.ts'
import { isAsked, requestedStatus, statusParams } from './params.ts'
import { findStatus } from './queries.ts'
import { userStatusShape } from './shapes.ts'

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
    const status = requestedStatus(p)
    if (!isAsked(status)) throw badRequest(sentSentence('Client did not pass any new values.'))
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
      status: statusJson(findStatus(store, id), !userSetting(store, id, 'presence_enabled'), false),
    }
  },
})
