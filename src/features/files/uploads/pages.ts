import type { Context as HonoContext } from 'hono'
import { findReadable } from '#features/files/attachments/access.ts'
import type { Attachment } from '#features/files/attachments/queries.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { allowsSpectators } from '#features/foundation/realm/spectators.queries.ts'
import type { Viewer } from '#features/foundation/users/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { authenticateReader, requireAllowed } from '#platform/http/authenticate.ts'
import { streamFile } from '#platform/http/downloads.ts'
import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { sentSentence } from '#translations/translate.ts'
import { findByToken } from './links.queries.ts'
import { contentDisposition, isHarmless, servedType } from './names.ts'
import { matchesTag, rangeOf } from './ranges.ts'

/**
 * Serves uploaded files to users who may read them. A forbidden file gets the same reply as a
 * missing one. Apps fetch files as images, with their API credentials or by a temporary URL.
 *
 * @source Zulip API, "Get public temporary URL"
 */
export function mountUploads(app: App, server: SystemContext): void {
  app.get('/user_uploads/temporary/:token/:name', async (c) => {
    const file = findRealm(server.store) && findByToken(server.store, c.req.param('token'))
    return await reply(c, server, file)
  })
  app.get('/user_uploads/download/:realm{[0-9]+}/:path{.+}', async (c) =>
    reply(c, server, asked(c, server), 'attachment'),
  )
  app.get('/user_uploads/:realm{[0-9]+}/:path{.+}', async (c) => reply(c, server, asked(c, server)))
}

function asked(c: HonoContext, server: SystemContext): Attachment | undefined {
  const viewer = viewerOf(c, server)
  const { realm, path } = c.req.param() as { realm: string; path: string }
  return viewer && findReadable(server.store, viewer, `${realm}/${path}`)
}

/**
 * The user who requests a file or its preview; undefined for visitors if spectators are not
 * allowed.
 *
 * @throws as `authenticateReader`
 */
export function viewerOf(c: HonoContext, server: SystemContext): Viewer | undefined {
  if (!findRealm(server.store)) return undefined
  const caller = authenticateReader(c, server)
  if (caller) {
    requireAllowed(caller)
    return caller.user
  }
  return allowsSpectators(server.store) ? 'spectator' : undefined
}

/** Keeps an opened file from running scripts and from making requests to other sites. */
const sandbox =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"

async function reply(
  c: HonoContext,
  server: SystemContext,
  file: Attachment | undefined,
  asAttachment?: 'attachment',
): Promise<Response> {
  if (!file) throw fileNotFound()
  const size = await server.files.size(file.fileHash)
  if (size === undefined) {
    server.log.error({ attachment: file.id }, 'the contents of an upload are missing')
    throw fileNotFound()
  }
  const tag = `"${file.fileHash.slice(0, 32)}"`
  const kind = asAttachment ?? (isHarmless(file.contentType) ? 'inline' : 'attachment')
  const type = servedType(file.contentType)
  const headers: Record<string, string> = {
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'Content-Disposition': contentDisposition(kind, file.name),
    'Content-Security-Policy': sandbox,
    'X-Content-Type-Options': 'nosniff',
    // Browsers revalidate each time, because the viewer may have lost access.
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ETag: tag,
  }
  if (matchesTag(c.req.header('if-none-match'), tag))
    return new LightReply(null, { status: 304, headers })
  const isSame = (c.req.header('if-range') ?? tag) === tag
  const range = isSame ? rangeOf(c.req.header('range'), size) : undefined
  if (range === 'unsatisfiable') {
    return new LightReply(null, {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${size}` },
    })
  }
  headers['Content-Length'] = String(range ? range.end - range.start + 1 : size)
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${size}`
  const body = streamFile(c, server, file.fileHash, range ?? { start: 0, end: size - 1 })
  return new LightReply(body, { status: range ? 206 : 200, headers })
}

function fileNotFound(): ApiError {
  return new ApiError('NOT_FOUND', sentSentence('File not found'))
}
