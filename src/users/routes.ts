import { notLoggedIn } from '#http/authenticate.ts'
import { endpoint, publicEndpoint } from '#http/endpoint.ts'
import { bool, described, int, ints, optional, text, withDefault } from '#http/params.ts'
import { newestReceivedId } from '#narrow/window.ts'
import { realmSetting } from '#realm/settings.ts'
import { integer, list, noted } from '#shape.ts'
import { accessUser, accessUserByAddress, listAccessibleUsers } from './access.ts'
import { publicUsersJson, userJson, usersJson } from './json.ts'
import { ownUserMembers, userShape } from './shapes.ts'

const form = {
  client_gravatar: withDefault(bool(), true),
  include_custom_profile_fields: withDefault(bool(), false),
}

/**
 * Everybody the caller may know of, deactivated users among them. Where the organization lets
 * spectators in, without an account too (level 387).
 *
 * @source the API description of `GET /users`; `user_ids` is level 384
 */
export const getUsers = publicEndpoint({
  method: 'get',
  path: '/users',
  summary: 'List the users that the caller may know of.',
  description: 'Needs no account where the organization lets spectators in.',
  params: { ...form, user_ids: described(optional(ints(10_000)), 'Only these.') },
  errors: ['UNAUTHORIZED'],
  reply: { members: list(userShape) },
  run(caller, p, { server }) {
    if (!caller && !realmSetting(server.store, 'enable_spectator_access')) throw notLoggedIn()
    const wanted = p.user_ids && new Set(p.user_ids)
    const users = listAccessibleUsers(server.store, caller?.user).filter(
      (user) => !user.isSystemBot && (!wanted || wanted.has(user.id)),
    )
    const asked = {
      clientGravatar: p.client_gravatar,
      profileData: p.include_custom_profile_fields,
    }
    if (!caller) return { members: publicUsersJson(server.store, users, asked.profileData) }
    return { members: usersJson(caller.store, caller.user, users, asked) }
  },
})

/** @source the API description of `GET /users/me` */
export const getOwnUser = endpoint({
  method: 'get',
  path: '/users/me',
  summary: 'Get the caller.',
  forWebhookBots: true,
  params: {},
  reply: {
    ...ownUserMembers,
    max_message_id: noted(integer, 'Deprecated: the newest message that the user received.'),
  },
  run: ({ store, user }) => ({
    ...userJson(store, user, user, { clientGravatar: false, profileData: true }),
    max_message_id: newestReceivedId(store, user),
  }),
})

/** @source contract, "Get a user" */
export const getUser = endpoint({
  method: 'get',
  path: '/users/:user_id{-?[0-9]+}',
  summary: 'Get a user, by id or by email.',
  params: { ...form, user_id: int() },
  reply: { user: userShape },
  run: ({ store, user }, p) => ({
    user: userJson(store, user, accessUser(store, user, p.user_id), {
      clientGravatar: p.client_gravatar,
      profileData: p.include_custom_profile_fields,
    }),
  }),
})

/** @source the API description of `GET /users/{email}`; which addresses count is level 302 */
export const getUserByEmail = endpoint({
  method: 'get',
  path: '/users/:email',
  summary: 'Get a user, by id or by email.',
  params: { ...form, email: text(1000) },
  reply: { user: userShape },
  run: ({ store, user }, p) => ({
    user: userJson(store, user, accessUserByAddress(store, user, p.email), {
      clientGravatar: p.client_gravatar,
      profileData: p.include_custom_profile_fields,
    }),
  }),
})
