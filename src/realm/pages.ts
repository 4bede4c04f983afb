import type { App } from '#http/mount.ts'
import { iconPng } from './icon.ts'

/** Pictures of an organization that uploaded none of its own. */
export const iconPath = '/static/icon.png'
export const logoPath = '/static/logo.svg'
export const nightLogoPath = '/static/logo-night.svg'

/** The pictures that clients show before anybody has logged in: no credentials are needed. */
export function mountRealmPictures(app: App): void {
  app.get(iconPath, () => picture(new Uint8Array(iconPng(128)), 'image/png'))
  app.get(logoPath, () => picture(logoSvg('#23262d'), 'image/svg+xml'))
  app.get(nightLogoPath, () => picture(logoSvg('#f2f3f5'), 'image/svg+xml'))
}

function picture(body: Uint8Array<ArrayBuffer> | string, type: string): Response {
  return new Response(body, {
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' },
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
