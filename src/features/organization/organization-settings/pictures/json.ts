import type { Read } from '#platform/store/store.ts'
import { findRealmPicture, type PictureKind } from './queries.ts'

/** The paths of the pictures that are shown until the organization uploads its own. */
export const defaultPictures: Readonly<Record<PictureKind, string>> = {
  icon: '/static/icon.png',
  logo: '/static/logo.svg',
  night_logo: '/static/logo-night.svg',
}

/** The path of the folder with uploaded pictures. */
export const pictureFolder = '/user_avatars/1/realm'

/**
 * One of the organization's pictures on the wire, by names without `realm_`: its URL, and its
 * source, `U` for uploaded, else `G` for the icon and `D` for logos.
 *
 * @source Zulip API, "Register an event queue": `realm_icon_source`, `realm_logo_source`
 */
export function pictureJson(read: Read, kind: PictureKind): Record<string, string> {
  const picture = findRealmPicture(read, kind)
  const uploaded = picture?.fileHash ? picture : undefined
  return {
    [`${kind}_url`]: uploaded
      ? `${pictureFolder}/${kind}.png?version=${uploaded.version}`
      : defaultPictures[kind],
    [`${kind}_source`]: uploaded ? 'U' : kind === 'icon' ? 'G' : 'D',
  }
}

/** The URL of the organization's icon. */
export function iconUrl(read: Read): string {
  return pictureJson(read, 'icon').icon_url ?? defaultPictures.icon
}
