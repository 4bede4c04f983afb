import type { User } from '#users/queries.ts'

type Shown = Pick<User, 'avatarHash' | 'avatarVersion' | 'id'>

/**
 * Where a user's picture is, relative to the server. The name ends in `.png` because apps put
 * `-medium` before that for the larger one. An uploaded picture is called by its contents, which
 * nobody knows who has not seen it: who has the address may fetch it, as apps do without
 * credentials.
 *
 * @source clients.md §4, "Avatars"
 */
export function avatarPath(user: Shown): string {
  return path(user, '')
}

/** The same picture, larger. */
export function mediumAvatarPath(user: Shown): string {
  return path(user, '-medium')
}

function path({ id, avatarHash, avatarVersion }: Shown, size: string): string {
  const name = avatarHash === null ? id : `${avatarFolder}/${avatarHash}`
  return `/user_avatars/${name}${size}.png?version=${avatarVersion}`
}

/** Of uploaded pictures. */
export const avatarFolder = 'uploaded'
