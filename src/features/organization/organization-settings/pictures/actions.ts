import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { realmUpdateEvent } from '#features/foundation/realm/events.ts'
import type { Context } from '#platform/context.ts'
import { releaseFile } from '#platform/files/actions.ts'
import type { Caller } from '#platform/http/caller.ts'
import { makePicture, type Source } from '#platform/pictures/make.ts'
import type { ThumbnailOptions } from '#platform/pictures/thumbnail.ts'
import type { Tx } from '#platform/store/store.ts'
import { pictureJson } from './json.ts'
import { findRealmPicture, type PictureKind, upsertRealmPicture } from './queries.ts'

/** Sizes in pixels. */
const targets: Readonly<Record<PictureKind, ThumbnailOptions>> = {
  icon: { width: 100, height: 100, fit: 'cover', format: 'png' },
  logo: { width: 800, height: 100, fit: 'inside', format: 'png' },
  night_logo: { width: 800, height: 100, fit: 'inside', format: 'png' },
}

/**
 * Scales an uploaded image to an icon or logo of the organization and stores the file while `use`
 * sets the picture.
 *
 * @throws BAD_IMAGE; RATE_LIMIT_HIT as `makePicture`
 */
export async function makeRealmPicture<T>(
  { files }: Pick<Context, 'files'>,
  kind: PictureKind,
  source: Source,
  use: (hash: string) => Promise<T>,
): Promise<T> {
  const made = await makePicture(files, source, targets[kind])
  return await files.putAllFor([made], async ([hash = '']) => use(hash))
}

/** @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator */
export function requirePictureChange({ user }: Pick<Caller, 'user'>): void {
  requireAdministrator(user)
}

/**
 * Changes one of the organization's pictures and emits the change to everyone.
 *
 * @param fileHash null removes the uploaded picture
 * @returns the picture on the wire, as from `pictureJson`
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 */
export function setRealmPicture(
  tx: Tx,
  caller: Pick<Caller, 'user'>,
  kind: PictureKind,
  fileHash: string | null,
): Record<string, string> {
  requirePictureChange(caller)
  const before = findRealmPicture(tx, kind)
  if (fileHash === null && !before?.fileHash) return pictureJson(tx, kind)
  upsertRealmPicture(tx, { kind, fileHash, version: (before?.version ?? 0) + 1 })
  if (before?.fileHash) releaseFile(tx, before.fileHash)
  const now = pictureJson(tx, kind)
  tx.emit(realmUpdateEvent(now), () => true)
  return now
}
