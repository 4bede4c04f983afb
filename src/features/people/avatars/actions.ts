import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { avatarPath, mediumAvatarPath } from '#features/foundation/users/avatar-paths.ts'
import { emitUserUpdate } from '#features/foundation/users/events.ts'
import { findUser, roles, type User, updateUser } from '#features/foundation/users/queries.ts'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { releaseFile } from '#platform/files/actions.ts'
import { makePicture, type Source } from '#platform/pictures/make.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { avatarSizes } from './sizes.ts'

/** The hashes of an uploaded avatar in the file store, in both sizes. */
export interface Avatar {
  readonly hash: string
  readonly mediumHash: string
}

/**
 * Makes both sizes of an avatar from an uploaded image and stores them while `use` sets the avatar.
 *
 * @throws BAD_IMAGE; RATE_LIMIT_HIT as `makePicture`
 */
export async function makeAvatar<T>(
  { files }: Pick<Context, 'files'>,
  source: Source,
  use: (avatar: Avatar) => Promise<T>,
): Promise<T> {
  const made = async (size: number) =>
    await makePicture(files, source, { width: size, height: size, fit: 'cover', format: 'png' })
  const small = await made(avatarSizes.small)
  const medium = await made(avatarSizes.medium)
  return await files.putAllFor([small, medium], async ([hash = '', mediumHash = '']) =>
    use({ hash, mediumHash }),
  )
}

/**
 * Checks that a user may change their own avatar.
 *
 * @throws BAD_REQUEST only administrators may
 * @source Zulip API, "Register an event queue", "realm_avatar_changes_disabled"
 */
export function requireAvatarChange(read: Read, user: User): void {
  if (user.role > roles.admin && realmSetting(read, 'avatar_changes_disabled')) {
    throw badRequest(sentSentence('Avatar changes are disabled in this organization.'))
  }
}

/**
 * Sets a user's avatar, and emits it to all users who may see the user. The caller checks
 * permission.
 *
 * @param avatar undefined: remove the uploaded avatar
 * @returns the updated user; unchanged if there was no avatar to remove
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
  for (const hash of [before.avatarHash, before.mediumAvatarHash]) if (hash) releaseFile(tx, hash)
  emitUserUpdate(tx, user, {
    avatar_url: avatarPath(user),
    avatar_source: user.avatarSource,
    avatar_url_medium: mediumAvatarPath(user),
    avatar_version: user.avatarVersion,
  })
  return user
}
