import type { Read } from '#store/write.ts'
import { findRealmPicture, type PictureKind } from './queries.ts'

/** What the organization shows while it has uploaded nothing of its own. */
export const defaultPictures: Readonly<Record<PictureKind, string>> = {
  icon: '/static/icon.png',
  logo: '/static/logo.svg',
  night_logo: '/static/logo-night.svg',
}

/** Where uploaded pictures are. */
export const pictureFolder = '/user_avatars/1/realm'

/**
 * One of the organization's pictures on the wire, under its names without `realm_`.
 *
 * @source the API description of `POST /register`: `realm_icon_source` and the like
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

/** Where the icon is, for those who have not logged in. */
export function iconUrl(read: Read): string {
  return pictureJson(read, 'icon').icon_url ?? defaultPictures.icon
}
