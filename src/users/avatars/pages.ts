import type { App } from '#http/mount.ts'
import { identicon } from './identicon.ts'

const sizes = { small: 100, medium: 500 } as const

/**
 * The pictures of users, under the two kinds of address that clients know. They need no
 * credentials: apps and browsers fetch them as images.
 *
 * @source clients.md §0.2 and §4
 */
export function mountAvatars(app: App): void {
  app.get('/user_avatars/:file{[0-9]+(-medium)?\\.png}', (c) => {
    const { file } = c.req.param() as { file: string }
    return answer(Number.parseInt(file, 10), file.includes('-') ? 'medium' : 'small')
  })
  app.get('/avatar/:id{[0-9]+}', (c) => answer(Number(c.req.param('id')), 'small'))
  app.get('/avatar/:id{[0-9]+}/medium', (c) => answer(Number(c.req.param('id')), 'medium'))
}

function answer(userId: number, size: keyof typeof sizes): Response {
  return new Response(new Uint8Array(identicon(userId, sizes[size])), {
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' },
  })
}
