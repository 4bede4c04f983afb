import type { Context as HonoContext } from 'hono'
import { findReadable, type Viewer } from '#attachments/access.ts'
import type { Attachment } from '#attachments/queries.ts'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import { authenticateReader, requireAllowed } from '#http/authenticate.ts'
import type { App } from '#http/mount.ts'
import { findRealm } from '#realm/queries.ts'
import { realmSetting } from '#realm/settings.ts'
import { findByToken } from './links.ts'
import { contentDisposition, isHarmless } from './names.ts'
import { matchesTag, rangeOf } from './ranges.ts'

/**
 * Uploaded files, for those who may have them. What somebody may not have is answered as what does
 * not exist.
 *
 * @source clients.md §0.2 and §4; the API description's "Get public temporary URL"
 */
export function mountUploads(app: App, server: Context): void {
  app.get('/user_uploads/temporary/:token/:name', async (c) => {
    const file = findRealm(server.store) && findByToken(server.store, c.req.param('token'))
    return await answer(c, server, file)
  })
  app.get('/user_uploads/download/:realm{[0-9]+}/:path{.+}', async (c) =>
    answer(c, server, asked(c, server), 'attachment'),
  )
  app.get('/user_uploads/:realm{[0-9]+}/:path{.+}', async (c) =>
    answer(c, server, asked(c, server)),
  )
}

function asked(c: HonoContext, server: Context): Attachment | undefined {
  const viewer = viewerOf(c, server)
  const { realm, path } = c.req.param() as { realm: string; path: string }
  return viewer && findReadable(server.store, viewer, `${realm}/${path}`)
}

/**
 * Who asks for a file or its preview; undefined: nobody whom the organization lets in.
 *
 * @throws as `authenticateReader`
 */
export function viewerOf(c: HonoContext, server: Context): Viewer | undefined {
  if (!findRealm(server.store)) return undefined
  const caller = authenticateReader(c, server)
  if (caller) {
    requireAllowed(caller)
    return caller.user
  }
  const { webPublicChannels } = server.config
  const isOpen = webPublicChannels && realmSetting(server.store, 'enable_spectator_access')
  return isOpen ? 'spectator' : undefined
}

/** Whoever opens a file runs nothing in it, and nothing in it reaches anything else. */
const sandbox =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"

async function answer(
  c: HonoContext,
  { files, log }: Context,
  file: Attachment | undefined,
  asAttachment?: 'attachment',
): Promise<Response> {
  if (!file) throw notThere()
  const size = await files.size(file.fileHash)
  if (size === undefined) {
    log.error({ attachment: file.id }, 'the contents of an upload are missing')
    throw notThere()
  }
  const tag = `"${file.fileHash.slice(0, 32)}"`
  const kind = asAttachment ?? (isHarmless(file.contentType) ? 'inline' : 'attachment')
  const isText = file.contentType.startsWith('text/')
  const headers: Record<string, string> = {
    'Content-Type': isText ? `${file.contentType}; charset=utf-8` : file.contentType,
    'Content-Disposition': contentDisposition(kind, file.name),
    'Content-Security-Policy': sandbox,
    'X-Content-Type-Options': 'nosniff',
    // Asked again each time: whoever may not have it any more does not get it.
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ETag: tag,
  }
  if (matchesTag(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
  const isSame = (c.req.header('if-range') ?? tag) === tag
  const range = isSame ? rangeOf(c.req.header('range'), size) : undefined
  if (range === 'unsatisfiable') {
    return c.body(null, 416, { ...headers, 'Content-Range': `bytes */${size}` })
  }
  headers['Content-Length'] = String(range ? range.end - range.start + 1 : size)
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${size}`
  // No stream for HEAD: nobody would read it to its end.
  const body = c.req.method === 'HEAD' ? null : files.stream(file.fileHash, range)
  return new Response(body, { status: range ? 206 : 200, headers })
}

function notThere(): ApiError {
  return new ApiError('NOT_FOUND', 'File not found')
}
