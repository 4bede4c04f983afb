import type { User } from './queries.ts'

type AvatarOwner = Pick<User, 'avatarHash' | 'avatarVersion' | 'id'>

/**
 * The path of a user's avatar on this server. It ends in `.png` because apps insert `-medium`
 * before that for the larger size. The name of an uploaded avatar is a hash of its contents, so it
 * cannot be guessed; the mobile app fetches avatars without credentials.
 */
export function avatarPath(user: AvatarOwner): string {
  return path(user, '')
}

/** The path of the larger size. */
export function mediumAvatarPath(user: AvatarOwner): string {
  return path(user, '-medium')
}

function path({ id, avatarHash, avatarVersion }: AvatarOwner, size: string): string {
  const name = avatarHash === null ? id : `${avatarFolder}/${avatarHash}`
  return `/user_avatars/${name}${size}.png?version=${avatarVersion}`
}

/** The folder of uploaded avatars. */
export const avatarFolder = 'uploaded'
