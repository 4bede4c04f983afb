import { createHmac } from 'node:crypto'
import { type Attachment, findAttachmentById } from '#attachments/queries.ts'
import { seconds } from '#clock.ts'
import { requireRealm } from '#realm/queries.ts'
import { sameText } from '#same-text.ts'
import type { Read } from '#store/write.ts'
import { pathName } from './names.ts'

/** How long a temporary address works, in seconds. */
const lifetime = 60

/**
 * An address that anyone may fetch the file from for a minute.
 *
 * @source the API description's "Get public temporary URL"
 */
export function temporaryPath(read: Read, file: Attachment): string {
  const expires = seconds(read.clock) + lifetime
  const token = `${file.id}.${expires}.${signature(read, file.id, expires)}`
  return `/user_uploads/temporary/${token}/${encodeURIComponent(pathName(file.name))}`
}

/** The file that a temporary address is for, while it works. */
export function findByToken(read: Read, token: string): Attachment | undefined {
  const [, id, expires, given] = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]{64})$/.exec(token) ?? []
  if (!id || !expires || !given) return undefined
  const isOurs = sameText(given, signature(read, Number(id), Number(expires)))
  if (!isOurs || seconds(read.clock) >= Number(expires)) return undefined
  return findAttachmentById(read, Number(id))
}

function signature(read: Read, id: number, expires: number): string {
  return createHmac('sha256', Buffer.from(requireRealm(read).secret, 'hex'))
    .update(`temporary upload ${id} ${expires}`)
    .digest('hex')
}
