import { createHmac } from 'node:crypto'
import { requireRealm } from '#features/realm/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/write.ts'

/** The path of pictures from elsewhere; a digest and the address in hex follow. */
export const externalContentPath = '/external_content'

/** The longest address that gets a link, in UTF-8 bytes: the link is twice as long. */
const longestAddress = 2000

/** Whether this server shows pictures from elsewhere, as the operator configured it. */
const offering = perDatabase(() => ({ isOn: true }))

export function offerExternalContent(read: Read, isOn: boolean): void {
  offering(read).isOn = isOn
}

/**
 * The path under which this server shows a picture from elsewhere, so that its readers need not
 * connect to where it is. Only links that the server made itself work: it fetches nothing else.
 * Undefined for videos, which would have to be streamed, and where the operator wants no pictures.
 */
export function externalContentLink(
  read: Read,
  url: string,
  kind: 'picture' | 'video',
): string | undefined {
  const address = Buffer.from(url)
  if (kind === 'video' || !offering(read).isOn || address.byteLength > longestAddress) {
    return undefined
  }
  return `${externalContentPath}/${digestOf(read, url)}/${address.toString('hex')}`
}

/** The address in a link; undefined if this server did not make the link. */
export function addressOfLink(read: Read, digest: string, hex: string): string | undefined {
  const url = Buffer.from(hex, 'hex').toString()
  return constantTimeEqual(digest, digestOf(read, url)) ? url : undefined
}

/** 160 bits in hex, the length that clients know. */
function digestOf(read: Read, url: string): string {
  return createHmac('sha256', Buffer.from(requireRealm(read).secret, 'hex'))
    .update(`external content ${url}`)
    .digest('hex')
    .slice(0, 40)
}
