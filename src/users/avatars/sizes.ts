/** Width and height of the pictures of users, in pixels. */
export const avatarSizes = { small: 100, medium: 500 } as const
export type AvatarSize = keyof typeof avatarSizes
