import { can } from '#features/foundation/permissions/rules.ts'
import { allowsSpectators } from '#features/foundation/realm/spectators.queries.ts'
import type { StateOptions, StatePart } from '#platform/events/state.ts'
import type { Caller } from '#platform/http/caller.ts'
import { CommonList, type ListElement } from '#platform/shared-replies/lists.ts'
import { type JsonPieces, sharedValue } from '#platform/shared-replies/values.ts'
import type { Steps } from '#platform/steps.ts'
import { derived } from '#platform/store/derived.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'
import { canAccessAllUsers, canAccessUser, canSeeEmail } from './access.ts'
import { avatarPath, mediumAvatarPath } from './avatar-paths.ts'
import {
  describeUser,
  publicUsersJson,
  type UserJson,
  unknownUserJson,
  userJson,
  usersJson,
} from './json.ts'
import { listProfileData, type ProfileData } from './profile-values.queries.ts'
import { listUsers, type Role, roles, type User, userTables } from './queries.ts'
import { ownStateMembers, registeredUsersMembers } from './shapes.ts'

/**
 * All users, the caller, and the caller's permissions; for spectators only the users.
 *
 * @source Zulip API, "Register an event queue", type "realm_user"
 */
export const usersState = {
  types: ['realm_user'],
  members: { ...registeredUsersMembers, ...ownStateMembers },
  prepare: prepareLists,
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
    ? sharedLists(store, viewer)
    : limitedLists(store, viewer, options)
}

/** The lists for a guest who may not see everyone. */
function limitedLists(store: Read, viewer: User, options: StateOptions) {
  const all = listUsers(store)
  const people = all.filter((user) => !user.isSystemBot)
  const bots = all.filter((user) => user.isSystemBot)
  const isKnown = (user: User) => canAccessUser(store, viewer, user)
  const known = (users: readonly User[]) => listedJson(store, viewer, users.filter(isKnown))
  const active = people.filter((user) => user.isActive)
  const unknown = options.capabilities.has('user_list_incomplete')
    ? []
    : active.filter((user) => !isKnown(user)).map(({ id }) => unknownUser(store, id))
  return {
    realm_users: [...known(active), ...unknown],
    realm_non_active_users: known(people.filter((user) => !user.isActive)),
    cross_realm_bots: usersJson(store, viewer, bots, { profileData: true }),
  }
}

function listedJson(read: Read, viewer: Pick<User, 'id' | 'role'>, people: readonly User[]) {
  const all = usersJson(read, viewer, people, { profileData: true })
  return all.map(({ is_active: _, ...json }) => json)
}

/** What the JSON of a user is made of. */
type Parts = [user: User, seesEmail: boolean, profile: ProfileData | undefined]

/** For how many roles of viewers the lists are kept. */
const rolesKept = 4

/** The lists for a role, shared so that thousands of clients can register together. */
interface SharedUsers {
  readonly active: CommonList<Parts>
  readonly inactive: CommonList<Parts>
  readonly bots: JsonPieces
}

const sharedUsers = derived(
  userTables,
  (read, role: string, before: SharedUsers | undefined): SharedUsers => {
    const bots = listUsers(read).filter((user) => user.isSystemBot)
    const known = before ?? listsMade(read).get(role)
    const { active, inactive } = elementsOf(read, role)
    return {
      active: listOf(active, known?.active),
      inactive: listOf(inactive, known?.inactive),
      bots: sharedValue(usersJson(read, viewerOf(role), bots, { profileData: true })),
    }
  },
  rolesKept,
)

const viewerOf = (role: string) => ({ id: 0, role: Number(role) as Role })

function elementsOf(read: Read, role: string) {
  const viewer = viewerOf(role)
  const profiles = listProfileData(read)
  const lists = { active: [] as ListElement<Parts>[], inactive: [] as ListElement<Parts>[] }
  for (const user of listUsers(read)) {
    if (user.isSystemBot) continue
    const parts: Parts = [user, canSeeEmail(read, viewer, user), profiles.get(user.id)]
    lists[user.isActive ? 'active' : 'inactive'].push({ id: user.id, parts })
  }
  return lists
}

const listOf = (elements: readonly ListElement<Parts>[], known: CommonList<Parts> | undefined) =>
  new CommonList(elements, (...parts) => listedText(parts), known)

/** The lists that were made in steps for roles whose first reply they will be in; none afterwards. */
const listsMade = perDatabase(
  () => new Map<string, Pick<SharedUsers, 'active' | 'inactive'> | undefined>(),
)

/** How many users are added to a list in one step; each takes about 20 µs. */
const usersAtOnce = 500

/** Makes the lists for the first reply to a role in this process: later ones are mostly the same. */
function* prepareLists({ store, user: viewer }: Caller): Steps<void> {
  const role = String(viewer.role)
  const own = listsMade(store)
  if (own.has(role) || !canAccessAllUsers(store, viewer)) return
  const elements = elementsOf(store, role)
  yield
  const active = yield* listInSteps(elements.active)
  const inactive = yield* listInSteps(elements.inactive)
  own.set(role, { active, inactive })
  sharedUsers(store, role)
  own.set(role, undefined)
}

function* listInSteps(elements: readonly ListElement<Parts>[]): Steps<CommonList<Parts>> {
  let list = listOf([], undefined)
  for (let count = usersAtOnce; count < elements.length; count += usersAtOnce) {
    list = listOf(elements.slice(0, count), list)
    yield
  }
  return listOf(elements, list)
}

function listedText([user, seesEmail, profile = {}]: Parts): string {
  const json: Partial<UserJson> = describeUser(user, seesEmail, profile)
  // Left out of the text; copying the others takes longer than everything else.
  json.is_active = undefined
  return JSON.stringify(json)
}

/** The lists for a viewer who may see everyone. Only they themselves may see their address. */
function sharedLists(store: Read, viewer: User) {
  const { active, inactive, bots } = sharedUsers(store, String(viewer.role))
  const isOwnHidden = !canSeeEmail(store, { id: 0, role: viewer.role }, viewer)
  const value = () => {
    const { is_active: _, ...json } = userJson(store, viewer, viewer, { profileData: true })
    return json
  }
  const own = isOwnHidden ? { id: viewer.id, value } : undefined
  return {
    realm_users: active.write(own),
    realm_non_active_users: inactive.write(own),
    cross_realm_bots: bots,
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
    avatar_url: avatarPath(user),
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
