import type { EventNamed } from '#client/api/wire.ts'
import { presenceFromWire, profileValue, statusFromWire, userFromWire } from './from-wire.ts'
import type { User } from './model.ts'
import { derivePermissions } from './permissions.ts'
import type { State } from './state.ts'
import type { Realm } from './store.ts'

type UserChanges = EventNamed<'realm_user/update'>['person']

export function addUser(state: State, { person }: EventNamed<'realm_user/add'>): void {
  state.users.set(person.user_id, userFromWire(person, person.is_active))
}

/** The user may not be seen anymore. */
export function removeUser(state: State, { person }: EventNamed<'realm_user/remove'>): void {
  state.users.delete(person.user_id)
  forgetTraces(state, person.user_id)
}

export function updateUser(state: State, { person }: EventNamed<'realm_user/update'>): void {
  const id = person.user_id
  state.users.update(id, (user) => changed(user, person))
  if (person.is_active === false) forgetTraces(state, id)
  if (id === state.selfId) changeOwn(state, person)
}

/** The server reports statuses and presences of active users that the user may see. */
function forgetTraces(state: State, userId: number): void {
  state.statuses.delete(userId)
  state.presences.delete(userId)
}

function changed(user: User, change: UserChanges): User {
  const { full_name, new_email, delivery_email, role, is_active, avatar_url } = change
  const { timezone, bot_owner_id, custom_profile_field } = change
  return {
    ...user,
    ...(full_name !== undefined && { name: full_name }),
    ...(new_email !== undefined && { email: new_email }),
    ...(delivery_email !== undefined && { deliveryEmail: delivery_email }),
    ...(role !== undefined && { role }),
    ...(is_active !== undefined && { isActive: is_active }),
    ...(avatar_url !== undefined && { avatarUrl: avatar_url }),
    ...(timezone !== undefined && { timezone }),
    ...(bot_owner_id !== undefined && { ownerId: bot_owner_id }),
    ...(custom_profile_field && { profile: withField(user.profile, custom_profile_field) }),
  }
}

function withField(
  profile: User['profile'],
  field: NonNullable<UserChanges['custom_profile_field']>,
): User['profile'] {
  const { [String(field.id)]: _, ...others } = profile
  const { value, rendered_value } = field
  if (value === null) return others
  return { ...others, [String(field.id)]: profileValue({ value, rendered_value }) }
}

/** The user's own account in the register reply. */
function changeOwn(state: State, change: UserChanges): void {
  const { full_name, new_email, delivery_email, role } = change
  const { avatar_source, avatar_url, avatar_url_medium } = change
  const realm: Realm = {
    ...state.realm.peek(),
    ...(full_name !== undefined && { full_name }),
    ...(new_email !== undefined && { email: new_email }),
    ...(typeof delivery_email === 'string' && { delivery_email }),
    ...(avatar_source !== undefined && { avatar_source }),
    ...(avatar_url !== undefined && { avatar_url }),
    ...(avatar_url_medium !== undefined && { avatar_url_medium }),
    ...(role !== undefined && {
      is_owner: role === 100,
      is_admin: role <= 200,
      is_moderator: role <= 300,
      is_guest: role === 600,
    }),
  }
  state.realm.value = realm
  if (role !== undefined) derivePermissions(state)
}

export function changeProfileFields(
  state: State,
  { fields }: EventNamed<'custom_profile_fields'>,
): void {
  state.realm.value = { ...state.realm.peek(), custom_profile_fields: fields }
  // Values go with their fields.
  const ids = new Set(fields.map(({ id }) => String(id)))
  for (const user of [...state.users.current.values()]) {
    const left = Object.entries(user.profile).filter(([id]) => ids.has(id))
    if (left.length < Object.keys(user.profile).length) {
      state.users.set(user.id, { ...user, profile: Object.fromEntries(left) })
    }
  }
}

export function changePresences(state: State, event: EventNamed<'presence'>): void {
  // The other form is for clients that do not know this one.
  if (!('presences' in event)) return
  for (const [id, presence] of Object.entries(event.presences)) {
    state.presences.set(Number(id), presenceFromWire(presence))
  }
}

export function changeStatus(state: State, event: EventNamed<'user_status'>): void {
  const { user_id } = event
  const status = statusFromWire(event, state.statuses.peek(user_id))
  if (status) state.statuses.set(user_id, status)
  else state.statuses.delete(user_id)
}

export function changeMutedUsers(state: State, event: EventNamed<'muted_users'>): void {
  state.mutedUsers.value = new Set(event.muted_users.map(({ id }) => id))
}

function changeBots(
  state: State,
  change: (bots: Realm['realm_bots']) => Realm['realm_bots'],
): void {
  const realm = state.realm.peek()
  state.realm.value = { ...realm, realm_bots: change(realm.realm_bots) }
}

export function addBot(state: State, { bot }: EventNamed<'realm_bot/add'>): void {
  changeBots(state, (bots) => [...bots.filter((one) => one.user_id !== bot.user_id), bot])
}

export function updateBot(state: State, { bot }: EventNamed<'realm_bot/update'>): void {
  changeBots(state, (bots) =>
    bots.map((one) => (one.user_id === bot.user_id ? Object.assign({ ...one }, bot) : one)),
  )
}

export function deleteBot(state: State, { bot }: EventNamed<'realm_bot/delete'>): void {
  changeBots(state, (bots) => bots.filter((one) => one.user_id !== bot.user_id))
}
