import { randomBytes } from 'node:crypto'
import { addFile } from '#attachments/actions.ts'
import type { Attachment } from '#attachments/queries.ts'
import type { FileStore } from '#files/store.ts'
import type { Caller } from '#http/caller.ts'
import type { ReceivedFile } from '#http/receive-file.ts'
import type { Picture } from '#images/probe.ts'
import { requireRealm } from '#realm/queries.ts'
import { noted, string } from '#shape.ts'
import type { Tx } from '#store/write.ts'
import { addPicture, mayBePicture, pictureIn } from '#thumbnails/actions.ts'
import { cleanFileName, contentTypeOf, pathName } from './names.ts'

/** A file whose contents have come, with what has to be found out before it can be kept. */
export interface Arrived extends ReceivedFile {
  readonly contentType: string
  /** Undefined for what is no picture with thumbnails. */
  readonly picture: Picture | undefined
}

/** Looks at a file that has come: what to call it, and whether it is a picture. */
export async function examine(files: FileStore, received: ReceivedFile): Promise<Arrived> {
  const name = cleanFileName(received.name)
  const contentType = contentTypeOf(name)
  const isPicture = mayBePicture(contentType, received.size)
  const bytes = isPicture ? await files.read(received.hash) : undefined
  return { ...received, name, contentType, picture: bytes && pictureIn(bytes) }
}

/** Keeps a file for its owner. @throws BAD_REQUEST no room */
export function addUpload(tx: Tx, caller: Caller, arrived: Arrived): Attachment {
  const { name, contentType, hash, size, picture } = arrived
  const file = addFile(tx, caller, {
    pathId: `${requireRealm(tx).id}/${randomPart()}/${pathName(name)}`,
    name,
    contentType,
    fileHash: hash,
    size,
  })
  if (picture) addPicture(tx, file.id, picture)
  return file
}

/** What whoever uploads is told of the file. */
export const uploadReply = {
  url: noted(string, 'Where it is, below the address of the server.'),
  uri: noted(string, 'The same under its old name.'),
  filename: noted(string, 'What to call it, such as in the text of a link.'),
}

export function uploadJson({ pathId, name }: Attachment) {
  const url = `/user_uploads/${pathId}`
  return { url, uri: url, filename: name }
}

/** Nobody guesses it, and a folder of all files would not hold them all at one level. */
function randomPart(): string {
  const random = randomBytes(13).toString('hex')
  return `${random.slice(0, 2)}/${random.slice(2)}`
}
