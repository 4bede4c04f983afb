import { createHmac } from 'node:crypto'
import { type Attachment, findAttachmentById } from '#features/files/attachments/queries.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { seconds } from '#platform/clock.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Read } from '#platform/store/store.ts'
import { pathName } from './names.ts'

/** How long a temporary URL works, in seconds. */
const lifetimeSeconds = 60

/**
 * The path of a URL from which anyone may fetch the file for a minute.
 *
 * @source Zulip API, "Get public temporary URL"
 */
export function temporaryPath(read: Read, file: Attachment): string {
  const expires = seconds(read.clock) + lifetimeSeconds
  const token = `${file.id}.${expires}.${signature(read, file.id, expires)}`
  return `/user_uploads/temporary/${token}/${encodeURIComponent(pathName(file.name))}`
}

/** The file of a temporary URL; undefined if the URL is invalid or expired. */
export function findByToken(read: Read, token: string): Attachment | undefined {
  const [, id, expires, given] = /^(\d{1,15})\.(\d{1,15})\.([0-9a-f]{64})$/.exec(token) ?? []
  if (!id || !expires || !given) return undefined
  const isOurs = constantTimeEqual(given, signature(read, Number(id), Number(expires)))
  if (!isOurs || seconds(read.clock) >= Number(expires)) return undefined
  return findAttachmentById(read, Number(id))
}

function signature(read: Read, id: number, expires: number): string {
  return createHmac('sha256', Buffer.from(requireRealm(read).secret, 'hex'))
    .update(`temporary upload ${id} ${expires}`)
    .digest('hex')
}
