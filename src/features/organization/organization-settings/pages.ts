import { findRealm } from '#features/foundation/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import type { App } from '#platform/http/mount.ts'
import { servedPicture } from '#platform/http/served-picture.ts'
import { organizationIconPath } from '#platform/pages/html.ts'
import { brandColor, iconPng, markPath } from '#platform/pages/mark.ts'
import { defaultPictures, pictureFolder } from './pictures/json.ts'
import { findRealmPicture } from './pictures/queries.ts'

/** The icon and logos of an organization that uploaded none. */
export function mountDefaultPictures(app: App): void {
  const { icon, logo, night_logo } = defaultPictures
  const svg = (color: string) => servedPicture(Buffer.from(logoSvg(color)), 'image/svg+xml')
  app.get(icon, () => servedPicture(iconPng(128), 'image/png'))
  app.get(logo, () => svg('#1b2223'))
  app.get(night_logo, () => svg('#eef2f1'))
}

/** The uploaded pictures, without authentication: clients show them before login. */
export function mountRealmPictures(app: App, server: SystemContext): void {
  app.get(organizationIconPath, async () => {
    const hash = findRealm(server.store) && findRealmPicture(server.store, 'icon')?.fileHash
    const bytes = hash ? await server.files.read(hash) : undefined
    const response = servedPicture(bytes ?? iconPng(128), 'image/png')
    // The address stays the same when the icon changes.
    response.headers.set('Cache-Control', 'public, max-age=300')
    return response
  })
  app.get(`${pictureFolder}/:file{(icon|logo|night_logo)\\.png}`, async (c) => {
    const kind = c.req.param('file').slice(0, -'.png'.length) as keyof typeof defaultPictures
    const hash = findRealm(server.store) && findRealmPicture(server.store, kind)?.fileHash
    const bytes = hash ? await server.files.read(hash) : undefined
    return bytes ? servedPicture(bytes, 'image/png') : await c.notFound()
  })
}

/** A wide logo: the mark, and the product's name in the given color. */
function logoSvg(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50" viewBox="0 0 200 50">
<rect x="3" y="3" width="44" height="44" rx="10" fill="${brandColor}"/>
<path transform="translate(3 3) scale(.44)" fill="#fff" fill-rule="evenodd" d="${markPath}"/>
<text x="58" y="34.5" font-family="Inter, system-ui, sans-serif" font-size="27" font-weight="650" letter-spacing="-.5" fill="${color}">Parley</text>
</svg>
`
}
