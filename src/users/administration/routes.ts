import { badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { int, oneOfInts, optional, text, withDefault, word, wordOrNull } from '#http/params.ts'
import { requireAdministrator } from '#permissions/can.ts'
import { integer } from '#shape.ts'
import { accessUser, accessUserByAddress } from '#users/access.ts'
import { hashPassword } from '#users/passwords.ts'
import { profileChanges } from '#users/profile/param.ts'
import { roles, type User } from '#users/queries.ts'
import { requireNewAccount } from '#users/rules.ts'
import * as actions from './actions.ts'

const longText = 1000

const changes = {
  full_name: optional(word(longText)),
  role: optional(oneOfInts(Object.values(roles))),
  profile_data: optional(profileChanges),
  new_email: optional(word(longText)),
}

/** @source the API description of `PATCH /users/{user_id}`; contract, "Update a user by email" */
export const updateUser = endpoint({
  method: 'patch',
  path: '/users/:user_id{-?[0-9]+}',
  summary: 'Change a user: name, role, profile and address.',
  description: 'For administrators of the organization.',
  params: { user_id: int(), ...changes },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'CANNOT_DEACTIVATE_LAST_USER'],
  reply: {},
  run: (caller, { user_id, ...p }, { origin }) =>
    caller.store.write((tx) => {
      requireAdministrator(caller.user)
      const user = accessUser(tx, caller.user, user_id)
      actions.updateUser(tx, caller, user, named(p), origin)
    }),
})

/** @source contract, "Update a user by email" */
export const updateUserByEmail = endpoint({
  method: 'patch',
  path: '/users/:email',
  summary: 'Change a user: name, role, profile and address.',
  description: 'For administrators of the organization.',
  params: { email: text(longText), ...changes },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'CANNOT_DEACTIVATE_LAST_USER'],
  reply: {},
  run: (caller, { email, ...p }, { origin }) =>
    caller.store.write((tx) => {
      requireAdministrator(caller.user)
      const user = accessUserByAddress(tx, caller.user, email)
      actions.updateUser(tx, caller, user, named(p), origin)
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
 * Creates an account, which starts in the default channels.
 *
 * @source the API description of `POST /users`
 */
export const createUser = endpoint({
  method: 'post',
  path: '/users',
  summary: 'Create an account.',
  params: { email: word(longText), password: text(longText), full_name: word(longText) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { user_id: integer },
  async run(caller, { email, password, full_name }) {
    requireAdministrator(caller.user)
    requireNewAccount({ email, fullName: full_name, password })
    const passwordHash = await hashPassword(password)
    const created = await caller.store.write((tx) =>
      actions.createMember(tx, caller, { email, fullName: full_name, passwordHash }),
    )
    return { user_id: created.id }
  },
})

/** @source the API description of `DELETE /users/{user_id}` */
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

/** @source the API description of `POST /users/{user_id}/reactivate` */
export const reactivateUser = endpoint({
  method: 'post',
  path: '/users/:user_id{-?[0-9]+}/reactivate',
  summary: 'Reactivate a user.',
  params: { user_id: int() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.reactivate(tx, caller, p.user_id)),
})

/** @source the API description of `DELETE /users/me` */
export const deactivateOwnUser = endpoint({
  method: 'delete',
  path: '/users/me',
  summary: 'Deactivate the caller.',
  params: {},
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
  reply: {},
  run(caller) {
    if (caller.user.botType !== null) {
      throw badRequest('This endpoint does not accept bot requests.')
    }
    return caller.store.write((tx) => actions.deactivateOwn(tx, caller))
  },
})
