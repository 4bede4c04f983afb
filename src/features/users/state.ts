import { can } from '#features/permissions/rules.ts'
import { allowsSpectators } from '#features/realm/spectators.queries.ts'
import type { StateOptions, StatePart } from '#platform/events/state.ts'
import type { Caller } from '#platform/http/caller.ts'
import { arrayOf, JsonPieces, SharedText } from '#platform/shared-json.ts'
import { derived } from '#platform/store/derived.ts'
import type { Read } from '#platform/store/write.ts'
import { canAccessAllUsers, canAccessUser, canSeeEmail } from './access.ts'
import { mediumAvatarPath } from './avatar-paths.ts'
import {
  avatarUrl,
  publicUsersJson,
  type UserJson,
  unknownUserJson,
  userJson,
  usersJson,
} from './json.ts'
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
  return canAccessAllUsers(store, viewer)
    ? sharedLists(store, viewer, options.clientGravatar)
    : limitedLists(store, viewer, options)
}

/** The lists for a guest who may not see everybody. */
function limitedLists(store: Read, viewer: User, options: StateOptions) {
  const all = listUsers(store)
  const people = all.filter((user) => !user.isSystemBot)
  const bots = all.filter((user) => user.isSystemBot)
  const form = { clientGravatar: options.clientGravatar, profileData: true }
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
    cross_realm_bots: usersJson(store, viewer, bots, form),
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
const pieceSize = 200

/** Some users of a list, as everybody of one role sees them. */
interface Piece {
  readonly text: SharedText
  /** Where each user begins in it, in bytes, by user ID. */
  readonly starts: ReadonlyMap<number, number>
}

function pieceOf(people: readonly { user_id: number }[]): Piece {
  const texts = people.map((json) => JSON.stringify(json))
  const starts = new Map<number, number>()
  let at = 0
  for (const [i, text] of texts.entries()) {
    starts.set(people[i]?.user_id ?? 0, at)
    at += Buffer.byteLength(text) + 1
  }
  return { text: new SharedText(texts.join(',')), starts }
}

/** The text of a piece with the user as they see themselves. */
function withOwn({ text: { bytes }, starts }: Piece, own: { user_id: number }): string {
  const start = starts.get(own.user_id) ?? 0
  const [next = bytes.length + 1] = [...starts.values()].filter((other) => other > start)
  const rest = bytes.toString('utf8', next - 1)
  return bytes.toString('utf8', 0, start) + JSON.stringify(own) + rest
}

/** The forms in which users are listed: by the viewer's role, and by `clientGravatar`. */
const formsKept = 4

/** What everybody of a role sees alike, so that thousands can register at once. */
const sharedPieces = derived(
  userTables,
  (read, form: `${number} ${boolean}`) => {
    const [role, clientGravatar] = form.split(' ')
    const viewer = { id: 0, role: Number(role) }
    const isGravatar = clientGravatar === 'true'
    const all = listUsers(read)
    const people = all.filter((user) => !user.isSystemBot)
    const piecesOf = (list: readonly User[]): Piece[] => {
      const starts = Array.from({ length: Math.ceil(list.length / pieceSize) }, (_, i) => i)
      const json = listedJson(read, viewer, list, isGravatar)
      return starts.map((i) => pieceOf(json.slice(i * pieceSize, (i + 1) * pieceSize)))
    }
    const bots = all.filter((user) => user.isSystemBot)
    const botForm = { clientGravatar: isGravatar, profileData: true }
    return {
      active: piecesOf(people.filter((user) => user.isActive)),
      inactive: piecesOf(people.filter((user) => !user.isActive)),
      bots: new SharedText(JSON.stringify(usersJson(read, viewer, bots, botForm))),
    }
  },
  formsKept,
)

/** The lists for a viewer who may see everybody. Only they themselves may see their address. */
function sharedLists(store: Read, viewer: User, clientGravatar: boolean) {
  const { active, inactive, bots } = sharedPieces(store, `${viewer.role} ${clientGravatar}`)
  const isOwnHidden = !canSeeEmail(store, { id: 0, role: viewer.role }, viewer)
  const list = (pieces: readonly Piece[]) =>
    arrayOf(
      pieces.map((piece) => {
        const isOwn = isOwnHidden && piece.starts.has(viewer.id)
        return isOwn ? withOwn(piece, own()) : piece.text
      }),
    )
  const own = () => {
    const form = { clientGravatar, profileData: true }
    const { is_active: _, ...json } = userJson(store, viewer, viewer, form)
    return json
  }
  return {
    realm_users: list(active),
    realm_non_active_users: list(inactive),
    cross_realm_bots: new JsonPieces([bots]),
  }
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
