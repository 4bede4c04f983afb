import {
  accessUser,
  accessUserByAddress,
  listAccessibleUsers,
} from '#features/foundation/users/access.ts'
import { publicUsersJson, userJson, usersJson } from '#features/foundation/users/json.ts'
import { ownUserMembers, userShape } from '#features/foundation/users/shapes.ts'
import { newestReceivedId } from '#features/messaging/narrow/window.queries.ts'
import { endpoint, spectatorEndpoint } from '#platform/http/endpoint.ts'
import { bool, described, int, ints, optional, text, withDefault } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'

const form = {
  client_gravatar: withDefault(bool(), true),
  include_custom_profile_fields: withDefault(bool(), false),
}

/**
 * All users whom the caller may see, including deactivated users. No account is needed while the
 * server and the organization allow spectators (feature level 387).
 *
 * @source Zulip API, "Get users" (feature level 384)
 */
export const getUsers = spectatorEndpoint({
  method: 'get',
  path: '/users',
  summary: 'List the users that the caller may see.',
  description: 'Needs no account if the server and the organization allow spectators.',
  params: { ...form, user_ids: described(optional(ints(1000)), 'Only these.') },
  reply: { members: shape.list(userShape) },
  run(caller, p, { store }) {
    const wanted = p.user_ids && new Set(p.user_ids)
    const users = listAccessibleUsers(store, caller?.user ?? 'spectator').filter(
      (user) => !user.isSystemBot && (!wanted || wanted.has(user.id)),
    )
    const asked = {
      profileData: p.include_custom_profile_fields,
    }
    if (!caller) return { members: publicUsersJson(store, users, asked.profileData) }
    return { members: usersJson(caller.store, caller.user, users, asked) }
  },
})

/** @source Zulip API, "Get own user" */
export const getOwnUser = endpoint({
  method: 'get',
  path: '/users/me',
  summary: 'Get the caller.',
  forWebhookBots: true,
  params: {},
  reply: {
    ...ownUserMembers,
    max_message_id: shape.noted(
      shape.integer,
      'Deprecated: the ID of the newest message that the user received.',
    ),
  },
  run: ({ store, user }) => ({
    ...userJson(store, user, user, { profileData: true }),
    max_message_id: newestReceivedId(store, user),
  }),
})

/** @source Zulip API, "Get a user" */
export const getUser = endpoint({
  method: 'get',
  path: '/users/:user_id{-?[0-9]+}',
  summary: 'Get a user, by id or by email.',
  params: { ...form, user_id: int() },
  reply: { user: userShape },
  run: ({ store, user }, p) => ({
    user: userJson(store, user, accessUser(store, user, p.user_id), {
      profileData: p.include_custom_profile_fields,
    }),
  }),
})

/** @source Zulip API, "Get a user by email" (feature level 302) */
export const getUserByEmail = endpoint({
  method: 'get',
  path: '/users/:email',
  summary: 'Get a user, by id or by email.',
  params: { ...form, email: text(1000) },
  reply: { user: userShape },
  run: ({ store, user }, p) => ({
    user: userJson(store, user, accessUserByAddress(store, user, p.email), {
      profileData: p.include_custom_profile_fields,
    }),
  }),
})
