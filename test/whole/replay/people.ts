import assert from 'node:assert/strict'
import {
  type Group,
  type Json,
  type Person,
  type Reduce,
  type State,
  withAll,
  without,
} from './state.ts'

const standing = (role: number) => ({
  role,
  is_owner: role === 100,
  is_admin: role <= 200,
  is_guest: role === 600,
})

/** Members of the state that are copies of what the user's own entry says. */
const ownMembers = ['full_name', 'email', 'delivery_email', 'avatar_url', 'avatar_url_medium']

const all = (state: State) => [...state.realm_users, ...state.realm_non_active_users]

function update(state: State, change: Json & { user_id: number }): void {
  const { user_id, new_email, role, custom_profile_field, is_active, ...plain } = change
  const person = all(state).find((one) => one.user_id === user_id)
  assert.ok(person, `user ${user_id} is known`)
  const changes: Json = {
    // Only the user's own members have these.
    ...Object.fromEntries(
      Object.entries(plain).filter(([name]) => name in person && name !== 'email'),
    ),
    ...(new_email !== undefined && { email: new_email }),
    ...(role !== undefined && standing(role as number)),
  }
  const presences = state.presences as Json
  if (new_email !== undefined && presences[person.email]) {
    presences[new_email as string] = presences[person.email]
    delete presences[person.email]
  }
  Object.assign(person, changes)
  if (custom_profile_field) changeField(person, custom_profile_field as Json)
  if (is_active !== undefined) {
    state.realm_users = state.realm_users.filter((one) => one !== person)
    state.realm_non_active_users = state.realm_non_active_users.filter((one) => one !== person)
    state[is_active ? 'realm_users' : 'realm_non_active_users'].push(person)
    if (!is_active) forgetState(state, person)
  }
  if (user_id === state.user_id) changeOwn(state, change, changes)
}

/** What is sent about people who exist, and about nobody else. */
function forgetState({ user_status, presences }: State, { user_id, email }: Person): void {
  delete (user_status as Json)[String(user_id)]
  delete (presences as Json)[String(user_id)]
  delete (presences as Json)[email]
}

function changeOwn(state: State, change: Json, changes: Json): void {
  for (const name of ownMembers) {
    if (name in changes) state[name] = changes[name]
    else if (name in change && name !== 'email') state[name] = change[name]
  }
  if (change.avatar_source !== undefined) state.avatar_source = change.avatar_source
  const role = change.role as number | undefined
  if (role === undefined) return
  const { is_owner, is_admin, is_guest } = standing(role)
  Object.assign(state, { is_owner, is_admin, is_guest, is_moderator: role <= 300 })
}

function changeField(person: Person, { id, value, rendered_value }: Json): void {
  const fields = person.profile_data ?? {}
  if (value === null) delete fields[String(id)]
  else fields[String(id)] = { value, ...(rendered_value !== undefined && { rendered_value }) }
  person.profile_data = fields
}

function groupOf(state: State, id: unknown): Group {
  const group = state.realm_user_groups.find((one) => one.id === id)
  assert.ok(group, `group ${id} is known`)
  return group
}

const bots = (state: State) => state.realm_bots as Person[]

export const peopleReducers: Record<string, Reduce> = {
  'realm_user/add'(state, event) {
    const person = event.person as Person
    const { is_active, ...rest } = person
    const isOther = (one: Person) => one.user_id !== person.user_id
    state.realm_users = state.realm_users.filter(isOther)
    state.realm_non_active_users = state.realm_non_active_users.filter(isOther)
    state[is_active === false ? 'realm_non_active_users' : 'realm_users'].push(rest as Person)
  },
  'realm_user/remove'(state, event) {
    const { user_id, full_name } = event.person as Person
    const gone = all(state).find((one) => one.user_id === user_id)
    state.realm_users = state.realm_users.filter((one) => one.user_id !== user_id)
    state.realm_non_active_users = state.realm_non_active_users.filter(
      (one) => one.user_id !== user_id,
    )
    const knowsGaps = state.capabilities.user_list_incomplete === true
    if (!knowsGaps) state.realm_users.push({ user_id, full_name } as unknown as Person)
    if (gone) forgetState(state, gone)
  },
  'realm_user/update': (state, event) => update(state, event.person as Person),
  'realm_bot/add'(state, event) {
    const bot = event.bot as Person
    assert.ok(!bots(state).some(({ user_id }) => user_id === bot.user_id), 'a new bot')
    state.realm_bots = [...bots(state), bot]
  },
  'realm_bot/update'(state, event) {
    const change = event.bot as Person
    const bot = bots(state).find(({ user_id }) => user_id === change.user_id)
    assert.ok(bot)
    Object.assign(bot, change)
  },
  'realm_bot/delete'(state, event) {
    const { user_id } = event.bot as Person
    state.realm_bots = bots(state).filter((bot) => bot.user_id !== user_id)
  },
  'user_group/add'(state, event) {
    const group = event.group as Group
    assert.ok(!state.realm_user_groups.some(({ id }) => id === group.id), 'a new group')
    state.realm_user_groups.push(group)
  },
  'user_group/remove'(state, event) {
    const isOther = ({ id }: Group) => id !== event.group_id
    state.realm_user_groups = state.realm_user_groups.filter(isOther)
  },
  'user_group/update'(state, event) {
    Object.assign(groupOf(state, event.group_id), event.data)
  },
  'user_group/add_members'(state, event) {
    const group = groupOf(state, event.group_id)
    group.members = withAll(group.members, event.user_ids as number[])
  },
  'user_group/remove_members'(state, event) {
    const group = groupOf(state, event.group_id)
    group.members = without(group.members, event.user_ids as number[])
  },
  'user_group/add_subgroups'(state, event) {
    const group = groupOf(state, event.group_id)
    const added = event.direct_subgroup_ids as number[]
    group.direct_subgroup_ids = withAll(group.direct_subgroup_ids, added)
  },
  'user_group/remove_subgroups'(state, event) {
    const group = groupOf(state, event.group_id)
    const gone = event.direct_subgroup_ids as number[]
    group.direct_subgroup_ids = without(group.direct_subgroup_ids, gone)
  },
  presence(state, event) {
    const presences = state.presences as Json
    if (event.presences) Object.assign(presences, event.presences)
    else {
      const { website } = event.presence as { website: Json }
      const { pushable: _, ...aggregated } = website
      presences[event.email as string] = { website, aggregated }
    }
  },
  user_status(state, event) {
    const { type: _, id: __, user_id, ...changes } = event
    const statuses = state.user_status as Record<string, Json>
    const status = { ...statuses[String(user_id)], ...changes }
    // A status says nothing of what is empty.
    const filled = Object.entries(status).filter(([, value]) => value !== '' && value !== false)
    const isEmpty =
      filled.length === 0 || (filled.length === 1 && filled[0]?.[0] === 'reaction_type')
    if (isEmpty) delete statuses[String(user_id)]
    else statuses[String(user_id)] = Object.fromEntries(filled)
  },
  has_zoom_token(state, event) {
    state.has_zoom_token = event.value
  },
  quiet_times(state, event) {
    state.quiet_times = event.quiet_times
  },
  muted_users(state, event) {
    state.muted_users = event.muted_users
  },
}

type GroupValue = number | { direct_members: number[]; direct_subgroups: number[] }

function holds(state: State, value: GroupValue): boolean {
  if (typeof value === 'object') {
    return (
      value.direct_members.includes(state.user_id) ||
      value.direct_subgroups.some((id) => holds(state, id))
    )
  }
  const group = state.realm_user_groups.find(({ id }) => id === value)
  if (!group) return false
  return (
    group.members.includes(state.user_id) ||
    group.direct_subgroup_ids.some((id) => holds(state, id))
  )
}

/** What a client works out for itself whenever roles, groups or permissions change. */
export function derivePermissions(state: State): void {
  const may = (name: string) =>
    !state.is_guest && holds(state, state[`realm_${name}`] as GroupValue)
  const isPublic = may('can_create_public_channel_group')
  const isPrivate = may('can_create_private_channel_group')
  Object.assign(state, {
    can_create_public_streams: isPublic,
    can_create_private_streams: isPrivate,
    can_create_streams: isPublic || isPrivate,
    can_create_web_public_streams:
      state.server_web_public_streams_enabled === true &&
      state.realm_enable_spectator_access === true &&
      may('can_create_web_public_channel_group'),
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  })
}
