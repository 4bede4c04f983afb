import { can } from '#features/permissions/rules.ts'
import { allowsSpectators } from '#features/realm/spectators.queries.ts'
import type { StateOptions, StatePart } from '#platform/events/state.ts'
import type { Caller } from '#platform/http/caller.ts'
import { canAccessAllUsers, canAccessUser } from './access.ts'
import { mediumAvatarPath } from './avatar-paths.ts'
import { avatarUrl, type UserJson, unknownUserJson, usersJson } from './json.ts'
import { listUsers, roles, type User } from './queries.ts'
import { ownStateMembers, registeredUsersMembers } from './shapes.ts'

/**
 * All users, the caller, and the caller's permissions.
 *
 * @source Zulip API, "Register an event queue", type "realm_user"
 */
export const usersState = {
  types: ['realm_user'],
  members: { ...registeredUsersMembers, ...ownStateMembers },
  read: (caller, options) => ({
    ...allUsers(caller, options),
    ...ownState(caller),
  }),
} satisfies StatePart

function allUsers({ store, user: viewer }: Caller, options: StateOptions) {
  const form = { clientGravatar: options.clientGravatar, profileData: true }
  const known = (users: readonly User[]) =>
    usersJson(store, viewer, users, form).map(({ is_active: _, ...json }) => json)
  const people = listUsers(store)
  const isKnown = canAccessAllUsers(store, viewer)
    ? () => true
    : (user: User) => canAccessUser(store, viewer, user)
  const active = people.filter((user) => user.isActive && !user.isSystemBot)
  const inactive = people.filter((user) => !user.isActive && !user.isSystemBot)
  const unknown = options.capabilities.has('user_list_incomplete')
    ? []
    : active.filter((user) => !isKnown(user)).map(({ id }) => unknownUser(store, id))
  return {
    realm_users: [...known(active.filter(isKnown)), ...unknown],
    realm_non_active_users: known(inactive.filter(isKnown)),
    cross_realm_bots: usersJson(
      store,
      viewer,
      people.filter((user) => user.isSystemBot),
      form,
    ),
  }
}

function unknownUser(store: Caller['store'], id: number): Omit<UserJson, 'is_active'> {
  const { is_active: _, ...json } = unknownUserJson(store, id)
  return json
}

function ownState({ store, user, server }: Caller) {
  const canCreatePublic = can(store, user, 'can_create_public_channel_group')
  const canCreatePrivate = can(store, user, 'can_create_private_channel_group')
  return {
    user_id: user.id,
    email: user.apiEmail,
    delivery_email: user.email,
    full_name: user.fullName,
    avatar_source: user.avatarSource,
    avatar_url: avatarUrl(user, false),
    avatar_url_medium: mediumAvatarPath(user),
    is_owner: user.role === roles.owner,
    is_admin: user.role <= roles.admin,
    is_moderator: user.role <= roles.moderator,
    is_guest: user.role === roles.guest,
    can_create_streams: canCreatePublic || canCreatePrivate,
    can_create_public_streams: canCreatePublic,
    can_create_private_streams: canCreatePrivate,
    can_create_web_public_streams:
      allowsSpectators(store, server.config) &&
      can(store, user, 'can_create_web_public_channel_group'),
    can_subscribe_other_users: can(store, user, 'can_add_subscribers_group'),
    can_invite_others_to_realm: can(store, user, 'can_invite_users_group'),
  }
}
