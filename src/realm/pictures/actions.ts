import type { Context } from '#context.ts'
import { noteFile } from '#files/actions.ts'
import type { Caller } from '#http/caller.ts'
import { type Target, thumbnail } from '#images/thumbnail.ts'
import { requireAdministrator } from '#permissions/can.ts'
import { realmUpdateEvent } from '#realm/events.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { pictureJson } from './json.ts'
import { findRealmPicture, type PictureKind, upsertRealmPicture } from './queries.ts'

/** Sizes in pixels: a square icon, and a logo as wide as the head of a page. */
const targets: Readonly<Record<PictureKind, Target>> = {
  icon: { width: 100, height: 100, fit: 'cover', format: 'png' },
  logo: { width: 800, height: 100, fit: 'inside', format: 'png' },
  night_logo: { width: 800, height: 100, fit: 'inside', format: 'png' },
}

/**
 * Makes one of the organization's pictures from an uploaded one.
 *
 * @returns its hash in the store of files
 * @throws BAD_IMAGE
 */
export async function makeRealmPicture(
  { files }: Context,
  kind: PictureKind,
  bytes: Uint8Array,
): Promise<string> {
  return await files.put(await thumbnail(bytes, targets[kind]))
}

/** @throws UNAUTHORIZED_PRINCIPAL the caller does not administer the organization */
export function requirePictureChange(read: Read, { user }: Pick<Caller, 'user'>): void {
  requireAdministrator(findUser(read, user.id) ?? user)
}

/**
 * Changes one of the organization's pictures, and tells everybody.
 *
 * @param fileHash null takes the uploaded one away
 * @returns the picture on the wire, as `pictureJson` has it
 * @throws UNAUTHORIZED_PRINCIPAL
 */
export function setRealmPicture(
  tx: Tx,
  caller: Pick<Caller, 'user'>,
  kind: PictureKind,
  fileHash: string | null,
): Record<string, string> {
  requirePictureChange(tx, caller)
  const before = findRealmPicture(tx, kind)
  if (fileHash === null && !before?.fileHash) return pictureJson(tx, kind)
  upsertRealmPicture(tx, { kind, fileHash, version: (before?.version ?? 0) + 1 })
  if (before?.fileHash) noteFile(tx, before.fileHash)
  const now = pictureJson(tx, kind)
  tx.emit(realmUpdateEvent(now), () => true)
  return now
}
