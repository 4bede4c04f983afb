import { findReadable } from '#attachments/access.ts'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import type { App } from '#http/mount.ts'
import { placeholderPath } from '#markdown/previews.ts'
import { viewerOf } from '#uploads/pages.ts'
import { matchesTag } from '#uploads/ranges.ts'
import { findThumbnail } from './queries.ts'

/**
 * Thumbnails of uploaded pictures, for those who may have the pictures, and what is shown until
 * they are there.
 *
 * @source clients.md §3.3 and §4
 */
export function mountThumbnails(app: App, server: Context): void {
  app.get(placeholderPath, (c) => {
    c.header('Cache-Control', 'public, max-age=86400')
    return c.body(spinner, 200, { 'Content-Type': 'image/svg+xml' })
  })
  app.get('/user_uploads/thumbnail/:realm{[0-9]+}/:path{.+}', async (c) => {
    const viewer = viewerOf(c, server)
    const { realm, path } = c.req.param()
    const name = path.lastIndexOf('/')
    const file =
      viewer && findReadable(server.store, viewer, `${realm}/${path.slice(0, Math.max(0, name))}`)
    const hash = file && thumbnailHash(server, file.id, path.slice(name + 1))
    const bytes = hash && (await server.files.read(hash))
    if (!bytes) throw new ApiError('NOT_FOUND', 'File not found')
    const tag = `"${hash.slice(0, 32)}"`
    const headers = {
      'Content-Type': 'image/webp',
      'X-Content-Type-Options': 'nosniff',
      // Asked again each time: whoever may not have it any more does not get it.
      'Cache-Control': 'private, no-cache',
      ETag: tag,
    }
    if (matchesTag(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
    return c.body(new Uint8Array(bytes), 200, headers)
  })
}

/** What does not move is the same in the form for what does. */
function thumbnailHash({ store }: Context, id: number, format: string): string | undefined {
  return findThumbnail(store, id, format) ?? findThumbnail(store, id, format.replace('-anim.', '.'))
}

const spinner = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" viewBox="0 0 60 60">
<circle cx="30" cy="30" r="16" fill="none" stroke="#999" stroke-width="4" stroke-dasharray="70 40">
<animateTransform attributeName="transform" type="rotate" from="0 30 30" to="360 30 30" dur="1s" repeatCount="indefinite"/>
</circle>
</svg>
`
