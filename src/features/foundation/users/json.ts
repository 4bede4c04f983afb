import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import { canSeeEmail } from './access.ts'
import { placeholderAddress } from './addresses.queries.ts'
import { avatarPath } from './avatar-paths.ts'
import { listProfileData, type ProfileData, profileData } from './profile-values.queries.ts'
import { roles, type ShownUser, type User } from './queries.ts'
import type { userShape } from './shapes.ts'

/** The form in which a client wants users. */
export interface UserForm {
  readonly profileData: boolean
}

/**
 * A user on the wire.
 *
 * @source Zulip API, "Get a user"
 */
export type UserJson = Shaped<typeof userShape>

/** A user as the viewer sees them. The caller checks that the viewer may see the user at all. */
export function userJson(read: Read, viewer: User, user: User, form: UserForm): UserJson {
  const profile = form.profileData ? profileData(read, user.id) : undefined
  return describeUser(user, canSeeEmail(read, viewer, user), profile)
}

/** Like `userJson`, for many users. */
export function usersJson(
  read: Read,
  viewer: Pick<User, 'id' | 'role'>,
  users: readonly ShownUser[],
  form: UserForm,
): UserJson[] {
  const profiles = form.profileData ? listProfileData(read) : undefined
  return users.map((user) =>
    describeUser(user, canSeeEmail(read, viewer, user), profiles && (profiles.get(user.id) ?? {})),
  )
}

/** Users as a spectator sees them: without the real addresses of people. */
export function publicUsersJson(
  read: Read,
  users: readonly ShownUser[],
  withProfiles: boolean,
): UserJson[] {
  const profiles = withProfiles ? listProfileData(read) : undefined
  return users.map((user) => ({
    ...describeUser(
      user,
      canSeeEmail(read, 'spectator', user),
      profiles && (profiles.get(user.id) ?? {}),
    ),
    email: publicAddress(read, user),
  }))
}

/** The address under which a spectator knows a user: a person's real one is hidden. */
function publicAddress(read: Read, user: ShownUser): string {
  return canSeeEmail(read, 'spectator', user) ? user.apiEmail : placeholderAddress(read, user.id)
}

/** A user on the wire, with or without the real address. */
export function describeUser(
  user: ShownUser,
  seesEmail: boolean,
  profile: ProfileData | undefined,
): UserJson {
  const isBot = user.botType !== null
  // Without spreads, which take as long as the rest: lists have tens of thousands of users.
  const json: UserJson = {
    user_id: user.id,
    delivery_email: seesEmail ? user.email : null,
    email: user.apiEmail,
    full_name: user.fullName,
    date_joined: isoTime(user.dateJoined),
    is_active: user.isActive,
    is_owner: user.role === roles.owner,
    is_admin: user.role <= roles.admin,
    is_guest: user.role === roles.guest,
    is_bot: isBot,
    bot_type: user.botType as UserJson['bot_type'],
    bot_owner_id: user.botOwnerId,
    role: user.role as UserJson['role'],
    timezone: user.timezone,
    avatar_url: avatarPath(user),
    avatar_version: user.avatarVersion,
  }
  if (user.isSystemBot) json.is_system_bot = true
  if (profile && !isBot) json.profile_data = profile
  return json
}

/** The sender's data in a message, besides the ID. */
export interface SenderFacts {
  readonly sender_email: string
  readonly sender_full_name: string
  readonly avatar_url: string
}

/** The sender of a message. */
export function senderFacts(user: User): SenderFacts {
  return {
    sender_email: user.apiEmail,
    sender_full_name: user.fullName,
    avatar_url: avatarPath(user),
  }
}

/** The sender of a message for a spectator. */
export function publicSenderFacts(read: Read, user: User): SenderFacts {
  return { ...senderFacts(user), sender_email: publicAddress(read, user) }
}

const unknownName = 'Unknown user'
const unknownAvatar = avatarPath({ id: 0, avatarHash: null, avatarVersion: 1 })

/** The sender of a message for a limited guest who may not see them. */
export function unknownSenderFacts(read: Read, userId: number): SenderFacts {
  return {
    sender_email: placeholderAddress(read, userId),
    sender_full_name: unknownName,
    avatar_url: unknownAvatar,
  }
}

/** The placeholder for a user whom a limited guest may not see. */
export function unknownUserJson(read: Read, userId: number): UserJson {
  return {
    user_id: userId,
    delivery_email: null,
    email: placeholderAddress(read, userId),
    full_name: unknownName,
    date_joined: isoTime(0),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: roles.member,
    timezone: '',
    avatar_url: unknownAvatar,
    avatar_version: 1,
    profile_data: {},
  }
}

const secondsOfDay = 86_400
/** Most people in a list joined on the day of the one before. */
let lastDay = { number: 0, date: '1970-01-01' }

/**
 * With microseconds, which some clients expect.
 *
 * @param time seconds since the epoch
 */
function isoTime(time: number): string {
  const number = Math.floor(time / secondsOfDay)
  if (number !== lastDay.number) {
    const [date = ''] = new Date(number * secondsOfDay * 1000).toISOString().split('T')
    lastDay = { number, date }
  }
  const second = Math.floor(time) - number * secondsOfDay
  const hours = twoDigits(Math.floor(second / 3600))
  const minutes = twoDigits(Math.floor(second / 60) % 60)
  return `${lastDay.date}T${hours}:${minutes}:${twoDigits(second % 60)}.000000+00:00`
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}
