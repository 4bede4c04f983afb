import { can } from '#features/foundation/permissions/rules.ts'
import { allowsSpectators } from '#features/foundation/realm/spectators.queries.ts'
import type { StateOptions, StatePart } from '#platform/events/state.ts'
import type { Caller } from '#platform/http/caller.ts'
import { CommonList, type ListSpan } from '#platform/shared-replies/lists.ts'
import { type JsonPieces, sharedValue } from '#platform/shared-replies/values.ts'
import { atOnce, type Steps } from '#platform/steps.ts'
import { derived } from '#platform/store/derived.ts'
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
import {
  listShownSpans,
  listShownUsers,
  type Role,
  readShownUsers,
  roles,
  type ShownUser,
  type User,
  userTables,
} from './queries.ts'
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
  const all = listShownUsers(read)
  const json = (users: readonly ShownUser[]) =>
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
  const all = listShownUsers(store)
  const people = all.filter((user) => !user.isSystemBot)
  const bots = all.filter((user) => user.isSystemBot)
  const isKnown = (user: ShownUser) => canAccessUser(store, viewer, user)
  const known = (users: readonly ShownUser[]) => knownJson(store, viewer, users.filter(isKnown))
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

function knownJson(read: Read, viewer: Pick<User, 'id' | 'role'>, people: readonly ShownUser[]) {
  const all = usersJson(read, viewer, people, { profileData: true })
  return all.map(({ is_active: _, ...json }) => json)
}

/** What else the JSON of users is made of, by their places in a span. */
type Details = [seesEmail: boolean[], profiles: (ProfileData | undefined)[]]
type Users = CommonList<ShownUser, Details>

/** For how many roles of viewers the lists are kept. */
const rolesKept = 4

/** The lists for a role, shared so that thousands of clients can register together. */
interface SharedLists {
  readonly active: Users
  readonly inactive: Users
  readonly bots: JsonPieces
}

interface SharedUsers {
  /** Made when they are first needed. */
  lists: SharedLists | undefined
  /** Earlier ones, most of which is the same. */
  before: SharedLists | undefined
}

const sharedUsers = derived(
  userTables,
  (_read, _role: string, known: SharedUsers | undefined): SharedUsers => ({
    lists: undefined,
    before: known?.lists ?? known?.before,
  }),
  rolesKept,
)

function* makeLists(read: Read, role: string, before?: SharedLists): Steps<SharedLists> {
  yield* readShownUsers(read)
  const bots = listShownUsers(read).filter(({ isSystemBot }) => isSystemBot)
  yield
  return {
    active: yield* CommonList.make(spansOf(read, role, true), listedJson, before?.active),
    inactive: yield* CommonList.make(spansOf(read, role, false), listedJson, before?.inactive),
    bots: sharedValue(usersJson(read, viewerOf(role), bots, { profileData: true })),
  }
}

const viewerOf = (role: string) => ({ id: 0, role: Number(role) as Role })

function* spansOf(
  read: Read,
  role: string,
  isActive: boolean,
): Iterable<ListSpan<ShownUser, Details>> {
  const viewer = viewerOf(role)
  const profiles = listProfileData(read)
  for (const span of listShownSpans(read)) {
    const elements = span.filter((user) => !user.isSystemBot && user.isActive === isActive)
    if (elements.length === 0) continue
    const seesEmail = elements.map((user) => canSeeEmail(read, viewer, user))
    yield { elements, details: [seesEmail, elements.map(({ id }) => profiles.get(id))] }
  }
}

function keepLists(shared: SharedUsers, lists: SharedLists): void {
  shared.lists = lists
  shared.before = undefined
}

/** Makes the lists for a role. If users change meanwhile, `sharedLists` has little left to do. */
function* prepareLists({ store, user: viewer }: Caller): Steps<void> {
  if (!canAccessAllUsers(store, viewer)) return
  const role = String(viewer.role)
  const shared = sharedUsers(store, role)
  if (shared.lists) return
  const lists = yield* makeLists(store, role, shared.before)
  const now = sharedUsers(store, role)
  if (now === shared) keepLists(shared, lists)
  else now.before = lists
}

function listedJson({ elements, details }: ListSpan<ShownUser, Details>): Partial<UserJson>[] {
  const [seesEmail, profiles] = details
  return elements.map((user, i) => {
    const json: Partial<UserJson> = describeUser(user, seesEmail[i] === true, profiles[i] ?? {})
    // Left out of the text; copying the others takes longer than everything else.
    json.is_active = undefined
    return json
  })
}

/** The lists for a viewer who may see everyone. Only they themselves may see their address. */
function sharedLists(store: Read, viewer: User) {
  const role = String(viewer.role)
  const shared = sharedUsers(store, role)
  const lists = shared.lists ?? atOnce(makeLists(store, role, shared.before))
  keepLists(shared, lists)
  const { active, inactive, bots } = lists
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
