import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { accessUser, accessUserByAddress } from '#features/foundation/users/access.ts'
import { longestFullName } from '#features/foundation/users/full-names.ts'
import { hashCost, hashPassword, passwordLengths } from '#features/foundation/users/passwords.ts'
import { roles, type User } from '#features/foundation/users/queries.ts'
import { requireNewAccount } from '#features/foundation/users/rules.ts'
import { profileChanges } from '#features/people/profile-fields/values/params.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  int,
  oneOfInts,
  optional,
  text,
  tidied,
  withDefault,
  word,
  wordOrNull,
} from '#platform/http/params.ts'
import { passwordTokens } from '#platform/http/rate-limit.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { newAccountQuota } from './quotas.ts'

const longText = 1000

const changes = {
  full_name: optional(tidied(word(longText), longestFullName)),
  role: optional(oneOfInts(Object.values(roles))),
  profile_data: optional(profileChanges),
  new_email: optional(word(longText)),
}

/** @source Zulip API, "Update a user" */
export const updateUser = endpoint({
  method: 'patch',
  path: '/users/:user_id{-?[0-9]+}',
  summary: 'Change a user: name, role, profile and address.',
  description: 'For administrators of the organization.',
  params: { user_id: int(), ...changes },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'CANNOT_DEACTIVATE_LAST_USER'],
  reply: {},
  run: (caller, { user_id, ...p }) =>
    caller.store.write((tx) => {
      requireAdministrator(caller.user)
      const user = accessUser(tx, caller.user, user_id)
      actions.updateUser(tx, caller, user, named(p), caller.server.realmUrl)
    }),
})

/** @source Zulip API, "Update a user by email" */
export const updateUserByEmail = endpoint({
  method: 'patch',
  path: '/users/:email',
  summary: 'Change a user: name, role, profile and address.',
  description: 'For administrators of the organization.',
  params: { email: text(longText), ...changes },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'CANNOT_DEACTIVATE_LAST_USER'],
  reply: {},
  run: (caller, { email, ...p }) =>
    caller.store.write((tx) => {
      requireAdministrator(caller.user)
      const user = accessUserByAddress(tx, caller.user, email)
      actions.updateUser(tx, caller, user, named(p), caller.server.realmUrl)
    }),
})

function named(p: {
  full_name: string | undefined
  role: User['role'] | undefined
  profile_data: actions.UserChanges['profile']
  new_email: string | undefined
}): actions.UserChanges {
  return { fullName: p.full_name, role: p.role, profile: p.profile_data, email: p.new_email }
}

/**
 * Creates an account that is subscribed to the default channels.
 *
 * @source Zulip API, "Create a user"
 */
export const createUser = endpoint({
  method: 'post',
  path: '/users',
  summary: 'Create an account.',
  description: limitsText(newAccountQuota),
  params: {
    email: word(longText),
    password: text(longText),
    full_name: tidied(word(longText), longestFullName),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { user_id: shape.integer },
  async run(caller, { email, password, full_name }, { charge }) {
    requireAdministrator(caller.user)
    const lengths = passwordLengths(caller.server.config)
    requireNewAccount({ email, fullName: full_name, password }, lengths)
    charge(passwordTokens)
    const passwordHash = await hashPassword(password, hashCost(caller.server.config))
    const created = await caller.store.write((tx) =>
      actions.createMember(tx, caller, { email, fullName: full_name, passwordHash }),
    )
    return { user_id: created.id }
  },
})

/** @source Zulip API, "Deactivate a user" */
export const deactivateUser = endpoint({
  method: 'delete',
  path: '/users/:user_id{-?[0-9]+}',
  summary: 'Deactivate a user.',
  params: {
    user_id: int(),
    deactivation_notification_comment: withDefault(wordOrNull(longText), null),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'CANNOT_DEACTIVATE_LAST_USER'],
  reply: {},
  run: (caller, { user_id, deactivation_notification_comment: comment }) =>
    caller.store.write((tx) => actions.deactivate(tx, caller, user_id, comment)),
})

/** @source Zulip API, "Reactivate a user" */
export const reactivateUser = endpoint({
  method: 'post',
  path: '/users/:user_id{-?[0-9]+}/reactivate',
  summary: 'Reactivate a user.',
  params: { user_id: int() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.reactivate(tx, caller, p.user_id)),
})

/** @source Zulip API, "Deactivate own user" */
export const deactivateOwnUser = endpoint({
  method: 'delete',
  path: '/users/me',
  summary: 'Deactivate the caller.',
  params: {},
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
  reply: {},
  run(caller) {
    if (caller.user.botType !== null) {
      throw badRequest(sentSentence('This endpoint does not accept bot requests.'))
    }
    return caller.store.write((tx) => actions.deactivateOwn(tx, caller))
  },
})
