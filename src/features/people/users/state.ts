import { can } from '#features/access/permissions/rules.ts'
import { allowsSpectators } from '#features/organization/realm/spectators.queries.ts'
import type { StateOptions, StatePart } from '#platform/events/state.ts'
import type { Caller } from '#platform/http/caller.ts'
import { arrayOf, JsonPieces, SharedText } from '#platform/shared-json.ts'
import { derived } from '#platform/store/derived.ts'
import type { Read } from '#platform/store/write.ts'
import { canAccessAllUsers, canAccessUser, canSeeEmail } from './access.ts'
import { mediumAvatarPath } from './avatar-paths.ts'
import {
  avatarUrl,
  describeUser,
  publicUsersJson,
  type UserJson,
  unknownUserJson,
  userJson,
  usersJson,
} from './json.ts'
import { listProfileData, type ProfileData } from './profile-values.queries.ts'
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

/** The lists for a guest who may not see everyone. */
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

/** How many IDs a piece of a list spans. */
const pieceSpan = 200

/** The inputs of a user's JSON, besides its form. */
interface Parts {
  readonly user: User
  readonly seesEmail: boolean
  readonly profile: ProfileData | undefined
}

/** Some users of a list, as everyone of one role sees them. */
interface Piece {
  readonly people: readonly Parts[]
  readonly text: SharedText
  /** Where each user begins in it, in bytes, by user ID. */
  readonly starts: ReadonlyMap<number, number>
}

/** The pieces of a list, by the quotient of their IDs and `pieceSpan`. */
type Pieces = ReadonlyMap<number, Piece>

/**
 * @param before the pieces of an earlier list, which are still valid if none of their users has
 *   changed
 */
function piecesOf(
  people: readonly Parts[],
  clientGravatar: boolean,
  before: Pieces | undefined,
): Pieces {
  const spans = new Map<number, Parts[]>()
  for (const one of people) {
    const at = Math.floor(one.user.id / pieceSpan)
    const span = spans.get(at)
    if (span) span.push(one)
    else spans.set(at, [one])
  }
  const pieces = new Map<number, Piece>()
  for (const [at, span] of spans) {
    const known = before?.get(at)
    const piece = known && isAlike(known.people, span) ? known : pieceOf(span, clientGravatar)
    pieces.set(at, piece)
  }
  return pieces
}

function isAlike(before: readonly Parts[], now: readonly Parts[]): boolean {
  if (before.length !== now.length) return false
  return now.every(({ user, seesEmail, profile }, i) => {
    const then = before[i]
    return then?.user === user && then.seesEmail === seesEmail && then.profile === profile
  })
}

function pieceOf(people: readonly Parts[], clientGravatar: boolean): Piece {
  const starts = new Map<number, number>()
  let at = 0
  const texts = people.map(({ user, seesEmail, profile = {} }) => {
    const json = describeUser(user, seesEmail, clientGravatar, profile)
    // Left out of the text; copying the others takes longer than everything else.
    const text = JSON.stringify({ ...json, is_active: undefined })
    starts.set(user.id, at)
    at += Buffer.byteLength(text) + 1
    return text
  })
  return { people, text: new SharedText(texts.join(',')), starts }
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

/** The lists for a role, shared so that thousands of clients can register at once. */
interface SharedUsers {
  readonly active: Pieces
  readonly inactive: Pieces
  readonly bots: SharedText
}

const sharedUsers = derived(
  userTables,
  (read, form: `${number} ${boolean}`, before: SharedUsers | undefined): SharedUsers => {
    const [role, clientGravatar] = form.split(' ')
    const viewer = { id: 0, role: Number(role) }
    const isGravatar = clientGravatar === 'true'
    const all = listUsers(read)
    const people = all.filter((user) => !user.isSystemBot)
    const profiles = listProfileData(read)
    const piecesOfAll = (isActive: boolean, known: Pieces | undefined) => {
      const some = people.filter((user) => user.isActive === isActive)
      const parts = some.map((user) => ({
        user,
        seesEmail: canSeeEmail(read, viewer, user),
        profile: profiles.get(user.id),
      }))
      return piecesOf(parts, isGravatar, known)
    }
    const bots = all.filter((user) => user.isSystemBot)
    const botForm = { clientGravatar: isGravatar, profileData: true }
    return {
      active: piecesOfAll(true, before?.active),
      inactive: piecesOfAll(false, before?.inactive),
      bots: new SharedText(JSON.stringify(usersJson(read, viewer, bots, botForm))),
    }
  },
  formsKept,
)

/** The lists for a viewer who may see everyone. Only they themselves may see their address. */
function sharedLists(store: Read, viewer: User, clientGravatar: boolean) {
  const { active, inactive, bots } = sharedUsers(store, `${viewer.role} ${clientGravatar}`)
  const isOwnHidden = !canSeeEmail(store, { id: 0, role: viewer.role }, viewer)
  const list = (pieces: Pieces) =>
    arrayOf(
      [...pieces.values()].map((piece) => {
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

function ownState({ store, user }: Caller) {
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
      allowsSpectators(store) && can(store, user, 'can_create_web_public_channel_group'),
    can_subscribe_other_users: can(store, user, 'can_add_subscribers_group'),
    can_invite_others_to_realm: can(store, user, 'can_invite_users_group'),
  }
}
