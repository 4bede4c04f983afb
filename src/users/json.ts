import type { Shaped } from '#shape.ts'
import type { Read } from '#store/write.ts'
import { canSeeEmail } from './access.ts'
import { placeholderAddress } from './addresses.ts'
import { avatarPath } from './avatars/paths.ts'
import { listProfileData, type ProfileData, profileData } from './profile/queries.ts'
import { roles, type User } from './queries.ts'
import type { userShape } from './shapes.ts'

/** In which form a client wants users. */
export interface UserForm {
  /** Whether `avatar_url` may be null for a client that computes gravatars itself. */
  readonly clientGravatar: boolean
  readonly profileData: boolean
}

/** A user on the wire. @source contract, "User (GET /users/{user_id})"; api-changes §6 */
export type UserJson = Shaped<typeof userShape>

/** A user as the viewer may see them; whether at all is not checked here. */
export function userJson(read: Read, viewer: User, user: User, form: UserForm): UserJson {
  const profile = form.profileData ? profileData(read, user.id) : undefined
  return describeUser(user, canSeeEmail(read, viewer, user), form.clientGravatar, profile)
}

/** Many users, as `userJson` has each. */
export function usersJson(
  read: Read,
  viewer: User,
  users: readonly User[],
  form: UserForm,
): UserJson[] {
  const profiles = form.profileData ? listProfileData(read) : undefined
  return users.map((user) =>
    describeUser(
      user,
      canSeeEmail(read, viewer, user),
      form.clientGravatar,
      profiles && (profiles.get(user.id) ?? {}),
    ),
  )
}

/** Users as somebody without an account sees them: without any real address of a person. */
export function publicUsersJson(
  read: Read,
  users: readonly User[],
  withProfiles: boolean,
): UserJson[] {
  const profiles = withProfiles ? listProfileData(read) : undefined
  return users.map((user) => {
    const isBot = user.botType !== null
    return {
      ...describeUser(user, isBot, false, profiles && (profiles.get(user.id) ?? {})),
      ...(!isBot && { email: placeholderAddress(read, user.id) }),
    }
  })
}

/** A user as those see them who may see the real address, or those who may not. */
export function describeUser(
  user: User,
  seesEmail: boolean,
  clientGravatar: boolean,
  profile: ProfileData | undefined,
): UserJson {
  const isBot = user.botType !== null
  return {
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
    ...(user.isSystemBot && { is_system_bot: true }),
    is_imported_stub: false,
    bot_type: user.botType as UserJson['bot_type'],
    bot_owner_id: user.botOwnerId,
    role: user.role as UserJson['role'],
    timezone: user.timezone,
    avatar_url: avatarUrl(user, clientGravatar, seesEmail),
    avatar_version: user.avatarVersion,
    ...(profile && !isBot && { profile_data: profile }),
  }
}

/**
 * Where a user's picture is. Null leaves it to a client that computes gravatars: only when the
 * user has no own picture and the viewer sees the real address.
 *
 * @param seesEmail whether the viewer does; without it, only when everyone does
 */
export function avatarUrl(
  user: User,
  clientGravatar: boolean,
  seesEmail = user.apiEmail === user.email,
): string | null {
  if (clientGravatar && seesEmail && user.avatarSource === 'G') return null
  return avatarPath(user)
}

/** What a limited guest's client gets in place of somebody it may not know of. */
export function unknownUserJson(read: Read, userId: number): UserJson {
  return {
    user_id: userId,
    delivery_email: null,
    email: placeholderAddress(read, userId),
    full_name: 'Unknown user',
    date_joined: isoTime(0),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    is_imported_stub: false,
    bot_type: null,
    bot_owner_id: null,
    role: roles.member,
    timezone: '',
    avatar_url: avatarPath({ id: 0, avatarHash: null, avatarVersion: 1 }),
    avatar_version: 1,
    profile_data: {},
  }
}

/** @param time seconds since the epoch */
function isoTime(time: number): string {
  return new Date(time * 1000).toISOString().replace('.000Z', '+00:00')
}
