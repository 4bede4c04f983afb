import { iconPng } from '#features/realm/icon.ts'
import { findRealm } from '#features/realm/queries.ts'
import type { Context } from '#platform/context.ts'
import type { App } from '#platform/http/mount.ts'
import { servedPicture } from '#platform/images/served.ts'
import { defaultPictures, pictureFolder } from './pictures/json.ts'
import { findRealmPicture } from './pictures/queries.ts'

/** The icon and logos of an organization that uploaded none. */
export function mountDefaultPictures(app: App): void {
  const { icon, logo, night_logo } = defaultPictures
  const svg = (color: string) => servedPicture(Buffer.from(logoSvg(color)), 'image/svg+xml')
  app.get(icon, () => servedPicture(iconPng(128), 'image/png'))
  app.get(logo, () => svg('#23262d'))
  app.get(night_logo, () => svg('#f2f3f5'))
}

/** The uploaded pictures, without authentication: clients show them before login. */
export function mountRealmPictures(app: App, server: Context): void {
  app.get(`${pictureFolder}/:file{(icon|logo|night_logo)\\.png}`, async (c) => {
    const kind = c.req.param('file').slice(0, -'.png'.length) as keyof typeof defaultPictures
    const hash = findRealm(server.store) && findRealmPicture(server.store, kind)?.fileHash
    const bytes = hash ? await server.files.read(hash) : undefined
    return bytes ? servedPicture(bytes, 'image/png') : await c.notFound()
  })
}

/** A wide logo: the bubble, and the product's name in the given color. */
function logoSvg(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50" viewBox="0 0 200 50">
<path fill="#4a6cf7" d="M12 8h26a8 8 0 0 1 8 8v10a8 8 0 0 1-8 8H20l-8 8v-8a8 8 0 0 1-8-8V16a8 8 0 0 1 8-8z"/>
<text x="58" y="34" font-family="system-ui, sans-serif" font-size="28" font-weight="600" fill="${color}">Parley</text>
</svg>
`
}
