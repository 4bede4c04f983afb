import { can } from '#features/permissions/rules.ts'
import { allowsSpectators } from '#features/realm/spectators.queries.ts'
import type { StateOptions, StatePart } from '#platform/events/state.ts'
import type { Caller } from '#platform/http/caller.ts'
import { JsonPieces, SharedText } from '#platform/shared-json.ts'
import { derived } from '#platform/store/derived.ts'
import type { Read } from '#platform/store/write.ts'
import { canAccessAllUsers, canAccessUser, canSeeEmail } from './access.ts'
import { mediumAvatarPath } from './avatar-paths.ts'
import { avatarUrl, publicUsersJson, type UserJson, unknownUserJson, usersJson } from './json.ts'
import { listUsers, roles, type User, userTables } from './queries.ts'
import { ownStateMembers, registeredUsersMembers } from './shapes.ts'

/**
 * All users, the caller, and the caller's permissions; for spectators only the users.
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
  readPublic: ({ store }) => publicUsers(store),
} satisfies StatePart

function publicUsers(read: Read) {
  const all = listUsers(read)
  const json = (users: readonly User[]) =>
    publicUsersJson(read, users, true).map(({ is_active: _, ...one }) => one)
  const people = all.filter((user) => !user.isSystemBot)
  return {
    realm_users: json(people.filter((user) => user.isActive)),
    realm_non_active_users: json(people.filter((user) => !user.isActive)),
    cross_realm_bots: publicUsersJson(
      read,
      all.filter((user) => user.isSystemBot),
      true,
    ),
  }
}

function allUsers({ store, user: viewer }: Caller, options: StateOptions) {
  const form = { clientGravatar: options.clientGravatar, profileData: true }
  const people = listUsers(store)
  const bots = people.filter((user) => user.isSystemBot)
  const lists = canAccessAllUsers(store, viewer)
    ? sharedLists(store, viewer, options.clientGravatar)
    : limitedLists(store, viewer, options)
  return { ...lists, cross_realm_bots: usersJson(store, viewer, bots, form) }
}

/** The lists for a guest who may not see everybody. */
function limitedLists(store: Read, viewer: User, options: StateOptions) {
  const people = listUsers(store).filter((user) => !user.isSystemBot)
  const isKnown = (user: User) => canAccessUser(store, viewer, user)
  const known = (users: readonly User[]) =>
    listedJson(store, viewer, users.filter(isKnown), options.clientGravatar)
  const active = people.filter((user) => user.isActive)
  const unknown = options.capabilities.has('user_list_incomplete')
    ? []
    : active.filter((user) => !isKnown(user)).map(({ id }) => unknownUser(store, id))
  return {
    realm_users: [...known(active), ...unknown],
    realm_non_active_users: known(people.filter((user) => !user.isActive)),
  }
}

function listedJson(
  read: Read,
  viewer: Pick<User, 'id' | 'role'>,
  people: readonly User[],
  clientGravatar: boolean,
) {
  const form = { clientGravatar, profileData: true }
  return usersJson(read, viewer, people, form).map(({ is_active: _, ...json }) => json)
}

/** How many users a piece of a list has. */
const pieceSize = 500

/** Some users of a list, as everybody of one role sees them. */
interface Piece {
  readonly people: readonly User[]
  readonly text: SharedText
}

/** The forms in which users are listed: by the viewer's role, and by `clientGravatar`. */
const formsKept = 4

/** What everybody of a role sees alike, so that thousands can register at once. */
const sharedPieces = derived(
  userTables,
  (read, form: `${number} ${boolean}`) => {
    const [role, clientGravatar] = form.split(' ')
    const viewer = { id: 0, role: Number(role) }
    const people = listUsers(read).filter((user) => !user.isSystemBot)
    const piecesOf = (list: readonly User[]): Piece[] => {
      const starts = Array.from({ length: Math.ceil(list.length / pieceSize) }, (_, i) => i)
      const lists = starts.map((i) => list.slice(i * pieceSize, (i + 1) * pieceSize))
      return lists.map((some) => ({
        people: some,
        text: new SharedText(elements(listedJson(read, viewer, some, clientGravatar === 'true'))),
      }))
    }
    return {
      active: piecesOf(people.filter((user) => user.isActive)),
      inactive: piecesOf(people.filter((user) => !user.isActive)),
    }
  },
  formsKept,
)

/** The lists for a viewer who may see everybody. Only they themselves may see their address. */
function sharedLists(store: Read, viewer: User, clientGravatar: boolean) {
  const { active, inactive } = sharedPieces(store, `${viewer.role} ${clientGravatar}`)
  const isOwnHidden = !canSeeEmail(store, { id: 0, role: viewer.role }, viewer)
  const list = (pieces: readonly Piece[]) => {
    const texts = pieces.flatMap(({ people, text }, i) => {
      const isOwn = isOwnHidden && people.some(({ id }) => id === viewer.id)
      const shown = isOwn ? elements(listedJson(store, viewer, people, clientGravatar)) : text
      return i === 0 ? [shown] : [',', shown]
    })
    return new JsonPieces(['[', ...texts, ']'])
  }
  return { realm_users: list(active), realm_non_active_users: list(inactive) }
}

/** A JSON array without its brackets. */
function elements(list: readonly object[]): string {
  return JSON.stringify(list).slice(1, -1)
}

function unknownUser(store: Read, id: number): Omit<UserJson, 'is_active'> {
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
