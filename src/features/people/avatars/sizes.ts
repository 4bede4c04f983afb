/** Width and height of avatars, in pixels. */
export const avatarSizes = { small: 100, medium: 500 } as const
export type AvatarSize = keyof typeof avatarSizes
