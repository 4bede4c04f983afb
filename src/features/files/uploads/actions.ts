import { randomBytes } from 'node:crypto'
import { addFile } from '#features/files/attachments/actions.ts'
import type { Attachment } from '#features/files/attachments/queries.ts'
import { addPicture, mayBePicture, pictureIn } from '#features/files/thumbnails/actions.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { ReceivedFile } from '#platform/http/receive-file.ts'
import type { Picture } from '#platform/pictures/probe.ts'
import * as shape from '#platform/shape.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { cleanFileName, contentTypeOf, pathName } from './names.ts'

/** A received file, examined but not yet stored as an upload. */
export interface UploadedFile extends ReceivedFile {
  readonly contentType: string
  /** Undefined if the file is not an image with thumbnails. */
  readonly picture: Picture | undefined
}

/** Determines a received file's name and type, and whether it is an image. */
export async function examine(files: FileStore, received: ReceivedFile): Promise<UploadedFile> {
  const name = cleanFileName(received.name)
  const contentType = contentTypeOf(name)
  const isPicture = mayBePicture(contentType, received.size)
  const picture = isPicture ? await pictureIn(files, received) : undefined
  return { ...received, name, contentType, picture }
}

/**
 * Stores an upload for its owner.
 *
 * @param reserved how many of its bytes already count, as received or announced
 * @throws BAD_REQUEST the file is empty or exceeds the quota
 */
export function addUpload(
  tx: Tx,
  owner: User,
  arrived: UploadedFile,
  reserved: number,
): Attachment {
  const { name, contentType, hash, size, picture } = arrived
  if (size === 0) throw badRequest(sentSentence('The file is empty.'))
  const pathId = uploadPath(tx, name)
  const file = addFile(tx, owner, { pathId, name, contentType, fileHash: hash, size }, reserved)
  if (picture) addPicture(tx, file.id, picture)
  return file
}

/** A new path for an upload of this name, which nobody can guess. */
export function uploadPath(read: Read, name: string): string {
  return `${requireRealm(read).id}/${randomPart()}/${pathName(name)}`
}

/** The reply to an upload. */
export const uploadReply = {
  url: shape.noted(shape.string, 'The URL of the file, relative to the server.'),
  uri: shape.noted(shape.string, 'Deprecated: the same as `url`.'),
  filename: shape.noted(shape.string, "The file's name, for the text of a link."),
}

export function uploadJson({ pathId, name }: Attachment) {
  const url = `/user_uploads/${pathId}`
  return { url, uri: url, filename: name }
}

/**
 * Makes the path unguessable, and splits it into two levels, as a flat folder would grow too large.
 */
function randomPart(): string {
  const random = randomBytes(13).toString('hex')
  return `${random.slice(0, 2)}/${random.slice(2)}`
}
