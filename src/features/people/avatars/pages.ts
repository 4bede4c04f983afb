import type { Context as HonoContext } from 'hono'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { canAccessUser } from '#features/foundation/users/access.ts'
import { avatarFolder } from '#features/foundation/users/avatar-paths.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { authenticateReader } from '#platform/http/authenticate.ts'
import type { App } from '#platform/http/mount.ts'
import { servedPicture } from '#platform/http/served-picture.ts'
import { drawnAvatar } from './drawn.ts'
import { mediumOf } from './queries.ts'
import { type AvatarSize, avatarSizes } from './sizes.ts'

/**
 * Serves avatars under both of their URLs. Apps and browsers fetch them as images, without
 * credentials. By user ID, only users who may see the user get the uploaded avatar.
 */
export function mountAvatars(app: App, server: SystemContext): void {
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

async function ofUser(c: HonoContext, server: SystemContext, size: AvatarSize): Promise<Response> {
  const id = Number(c.req.param('id'))
  const hash = findRealm(server.store) && uploadedBy(c, server, id, size)
  const bytes = hash ? await server.files.read(hash) : undefined
  if (!bytes) return drawn(id, size)
  const response = servedPicture(bytes, 'image/png')
  // The response depends on the viewer, and the URL stays the same when the avatar changes.
  response.headers.set('Cache-Control', 'private, max-age=300')
  return response
}

function uploadedBy(
  c: HonoContext,
  server: SystemContext,
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
  return servedPicture(drawnAvatar(userId, avatarSizes[size]), 'image/png')
}
