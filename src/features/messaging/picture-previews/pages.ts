import { findReadable } from '#features/files/attachments/access.ts'
import { findThumbnail } from '#features/files/thumbnails/queries.ts'
import { viewerOf } from '#features/files/uploads/pages.ts'
import { matchesTag } from '#features/files/uploads/ranges.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { placeholderPath } from '#platform/markdown/previews.ts'
import { sentSentence } from '#translations/translate.ts'

/** Serves the placeholder that messages show until thumbnails are ready. */
export function mountPlaceholder(app: App): void {
  app.get(placeholderPath, () => {
    return new LightReply(spinner, {
      headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' },
    })
  })
}

/** Serves thumbnails to users who may read the uploaded pictures. */
export function mountThumbnails(app: App, server: SystemContext): void {
  app.get('/user_uploads/thumbnail/:realm{[0-9]+}/:path{.+}', async (c) => {
    const viewer = viewerOf(c, server)
    const { realm, path } = c.req.param()
    const name = path.lastIndexOf('/')
    const file =
      viewer && findReadable(server.store, viewer, `${realm}/${path.slice(0, Math.max(0, name))}`)
    const hash = file && thumbnailHash(server, file.id, path.slice(name + 1))
    const bytes = hash && (await server.files.read(hash))
    if (!bytes) throw new ApiError('NOT_FOUND', sentSentence('File not found'))
    const tag = `"${hash.slice(0, 32)}"`
    const headers = {
      'Content-Type': 'image/webp',
      'X-Content-Type-Options': 'nosniff',
      // Browsers revalidate each time, because the viewer may have lost access.
      'Cache-Control': 'private, no-cache',
      ETag: tag,
    }
    if (matchesTag(c.req.header('if-none-match'), tag))
      return new LightReply(null, { status: 304, headers })
    return new LightReply(new Uint8Array(bytes), { headers })
  })
}

/** Still pictures have no thumbnail in the animated format, so its URL serves the still one. */
function thumbnailHash({ store }: SystemContext, id: number, format: string): string | undefined {
  return findThumbnail(store, id, format) ?? findThumbnail(store, id, format.replace('-anim.', '.'))
}

const spinner = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" viewBox="0 0 60 60">
<circle cx="30" cy="30" r="16" fill="none" stroke="#999" stroke-width="4" stroke-dasharray="70 40">
<animateTransform attributeName="transform" type="rotate" from="0 30 30" to="360 30 30" dur="1s" repeatCount="indefinite"/>
</circle>
</svg>
`
