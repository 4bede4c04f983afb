import { createHmac } from 'node:crypto'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Read } from '#platform/store/store.ts'

/** The path of pictures from other sites; a digest and the URL in hex follow. */
export const externalContentPath = '/external_content'

/** The longest URL that gets a link, in UTF-8 bytes: the link is twice as long. */
const longestAddress = 2000

/**
 * The path at which this server serves a picture from another site, so that readers need not
 * connect to that site. The server fetches only URLs that it signed itself. Undefined for videos,
 * which would have to be streamed, and if the operator turned this off.
 */
export function externalContentLink(
  read: Read,
  url: string,
  kind: 'picture' | 'video',
): string | undefined {
  const address = Buffer.from(url)
  if (kind === 'video' || !read.config.externalContent || address.byteLength > longestAddress) {
    return undefined
  }
  return `${externalContentPath}/${digestOf(read, url)}/${address.toString('hex')}`
}

/** The URL in a link; undefined if this server did not make the link. */
export function addressOfLink(read: Read, digest: string, hex: string): string | undefined {
  const url = Buffer.from(hex, 'hex').toString()
  return constantTimeEqual(digest, digestOf(read, url)) ? url : undefined
}

/** 160 bits in hex, the length that clients expect. */
function digestOf(read: Read, url: string): string {
  return createHmac('sha256', Buffer.from(requireRealm(read).secret, 'hex'))
    .update(`external content ${url}`)
    .digest('hex')
    .slice(0, 40)
}
