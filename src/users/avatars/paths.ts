/**
 * Where a user's picture is, relative to the server. The name ends in `.png` because apps put
 * `-medium` before that for the larger one.
 *
 * @source clients.md §4, "Avatars"
 */
export function avatarPath(userId: number, version: number): string {
  return `/user_avatars/${userId}.png?version=${version}`
}

/** The same picture, larger. */
export function mediumAvatarPath(userId: number, version: number): string {
  return `/user_avatars/${userId}-medium.png?version=${version}`
}
