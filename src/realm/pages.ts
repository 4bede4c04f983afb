import type { Context } from '#context.ts'
import type { App } from '#http/mount.ts'
import { servedPicture } from '#images/served.ts'
import { iconPng } from './icon.ts'
import { defaultPictures, pictureFolder } from './pictures/json.ts'
import { findRealmPicture } from './pictures/queries.ts'
import { findRealm } from './queries.ts'

/** The pictures that clients show before anybody has logged in: no credentials are needed. */
export function mountRealmPictures(app: App, server: Context): void {
  const { icon, logo, night_logo } = defaultPictures
  const svg = (color: string) => servedPicture(Buffer.from(logoSvg(color)), 'image/svg+xml')
  app.get(icon, () => servedPicture(iconPng(128), 'image/png'))
  app.get(logo, () => svg('#23262d'))
  app.get(night_logo, () => svg('#f2f3f5'))
  app.get(`${pictureFolder}/:file{(icon|logo|night_logo)\\.png}`, async (c) => {
    const kind = c.req.param('file').slice(0, -'.png'.length) as keyof typeof defaultPictures
    const hash = findRealm(server.store) && findRealmPicture(server.store, kind)?.fileHash
    const bytes = hash ? await server.files.read(hash) : undefined
    return bytes ? servedPicture(bytes, 'image/png') : await c.notFound()
  })
}

/** A wide picture: the bubble and the product's name in the given colour. */
function logoSvg(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50" viewBox="0 0 200 50">
<path fill="#4a6cf7" d="M12 8h26a8 8 0 0 1 8 8v10a8 8 0 0 1-8 8H20l-8 8v-8a8 8 0 0 1-8-8V16a8 8 0 0 1 8-8z"/>
<text x="58" y="34" font-family="system-ui, sans-serif" font-size="28" font-weight="600" fill="${color}">Parley</text>
</svg>
`
}
