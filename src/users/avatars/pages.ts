import type { Context as HonoContext } from 'hono'
import type { Context } from '#context.ts'
import { authenticateReader } from '#http/authenticate.ts'
import type { App } from '#http/mount.ts'
import { servedPicture } from '#images/served.ts'
import { findRealm } from '#realm/queries.ts'
import { canAccessUser } from '#users/access.ts'
import { findUser } from '#users/queries.ts'
import { identicon } from './identicon.ts'
import { avatarFolder } from './paths.ts'
import { mediumOf } from './queries.ts'
import { type AvatarSize, avatarSizes } from './sizes.ts'

/**
 * The pictures of users, under the two kinds of address that clients know. Apps and browsers fetch
 * them as images, without credentials; only by the id of a user, an uploaded picture is for those
 * alone who may know of that user.
 *
 * @source clients.md §0.2 and §4
 */
export function mountAvatars(app: App, server: Context): void {
  app.get('/user_avatars/:file{[0-9]+(-medium)?\\.png}', (c) => {
    const { file } = c.req.param() as { file: string }
    return drawn(Number.parseInt(file, 10), file.includes('-') ? 'medium' : 'small')
  })
  app.get(`/user_avatars/${avatarFolder}/:file{[0-9a-f]{64}(-medium)?\\.png}`, async (c) => {
    const { file } = c.req.param() as { file: string }
    const hash = file.slice(0, 64)
    const medium = findRealm(server.store) && mediumOf(server.store, hash)
    const bytes = medium && (await server.files.read(file.includes('-') ? medium : hash))
    return bytes ? servedPicture(bytes, 'image/png') : await c.notFound()
  })
  app.get('/avatar/:id{[0-9]+}', (c) => ofUser(c, server, 'small'))
  app.get('/avatar/:id{[0-9]+}/medium', (c) => ofUser(c, server, 'medium'))
}

async function ofUser(c: HonoContext, server: Context, size: AvatarSize): Promise<Response> {
  const id = Number(c.req.param('id'))
  const hash = findRealm(server.store) && uploadedBy(c, server, id, size)
  const bytes = hash ? await server.files.read(hash) : undefined
  if (!bytes) return drawn(id, size)
  const response = servedPicture(bytes, 'image/png')
  // Another user gets another answer, and another picture has the same address.
  response.headers.set('Cache-Control', 'private, max-age=300')
  return response
}

function uploadedBy(
  c: HonoContext,
  server: Context,
  id: number,
  size: AvatarSize,
): string | null | undefined {
  const user = findUser(server.store, id)
  if (!user?.avatarHash) return undefined
  const viewer = authenticateReader(c, server)?.user
  if (!viewer || !canAccessUser(server.store, viewer, user)) return undefined
  return size === 'medium' ? user.mediumAvatarHash : user.avatarHash
}

function drawn(userId: number, size: AvatarSize): Response {
  return servedPicture(identicon(userId, avatarSizes[size]), 'image/png')
}
