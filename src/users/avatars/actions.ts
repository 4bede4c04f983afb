import type { Context } from '#context.ts'
import { badRequest } from '#errors.ts'
import { noteFile } from '#files/actions.ts'
import { type Target, thumbnail } from '#images/thumbnail.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read, Tx } from '#store/write.ts'
import { emitUserUpdate } from '#users/events.ts'
import { findUser, roles, type User, updateUser } from '#users/queries.ts'
import { avatarPath, mediumAvatarPath } from './paths.ts'
import { avatarSizes } from './sizes.ts'

/** An uploaded picture in the store of files, in both sizes. */
export interface Avatar {
  readonly hash: string
  readonly mediumHash: string
}

/**
 * Makes the pictures of a user from an uploaded one, and puts them into the store.
 *
 * @param bytes as uploaded, by anybody
 * @throws BAD_IMAGE
 */
export async function makeAvatar(server: Context, bytes: Uint8Array): Promise<Avatar> {
  const keep = async (size: number) => {
    const target: Target = { width: size, height: size, fit: 'cover', format: 'png' }
    return await server.files.put(await thumbnail(bytes, target))
  }
  return { hash: await keep(avatarSizes.small), mediumHash: await keep(avatarSizes.medium) }
}

/**
 * Whether somebody may change their own picture.
 *
 * @throws BAD_REQUEST only administrators may
 * @source the API description's `realm_avatar_changes_disabled`
 */
export function requireAvatarChange(read: Read, user: User): void {
  const now = findUser(read, user.id) ?? user
  if (now.role > roles.admin && realmSetting(read, 'avatar_changes_disabled')) {
    throw badRequest('Avatar changes are disabled in this organization.')
  }
}

/**
 * Gives a user a picture, and tells all who may know of that user. Who may is the caller's to ask.
 *
 * @param avatar undefined takes the uploaded one away, so that the server draws one again
 * @returns the user as they are now; the same if there was none to take away
 */
export function setAvatar(tx: Tx, userId: number, avatar: Avatar | undefined): User | undefined {
  const before = findUser(tx, userId)
  if (!before || (!avatar && before.avatarHash === null)) return before
  const user = updateUser(tx, userId, {
    avatarSource: avatar ? 'U' : 'G',
    avatarVersion: before.avatarVersion + 1,
    avatarHash: avatar?.hash ?? null,
    mediumAvatarHash: avatar?.mediumHash ?? null,
  })
  for (const hash of [before.avatarHash, before.mediumAvatarHash]) if (hash) noteFile(tx, hash)
  emitUserUpdate(tx, user, {
    avatar_url: avatarPath(user),
    avatar_source: user.avatarSource,
    avatar_url_medium: mediumAvatarPath(user),
    avatar_version: user.avatarVersion,
  })
  return user
}
