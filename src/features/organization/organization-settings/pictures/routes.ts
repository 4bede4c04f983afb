import { pictureLimits } from '#features/foundation/realm/limits.ts'
import type { Caller } from '#platform/http/caller.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import { bool } from '#platform/http/params.ts'
import { pictureBodyLimit, receivedPicture } from '#platform/pictures/received.ts'
import * as shape from '#platform/shape.ts'
import { makeRealmPicture, requirePictureChange, setRealmPicture } from './actions.ts'
import { iconUrl } from './json.ts'
import type { PictureKind } from './queries.ts'

const iconReply = { icon_url: shape.noted(shape.string, 'The URL of the new icon.') }

/** @source Zulip API, "Register an event queue": `max_icon_file_size_mib`, `realm_icon_url` */
export const uploadIcon = endpoint({
  method: 'post',
  path: '/realm/icon',
  summary: "Set the organization's icon to an uploaded image.",
  params: {},
  file: `PNG, JPEG, GIF or WebP, at most ${pictureLimits.icon} MiB.`,
  bodyLimit: pictureBodyLimit(pictureLimits.icon),
  errors: ['BAD_IMAGE', 'UNAUTHORIZED_PRINCIPAL'],
  reply: iconReply,
  async run(caller, _p, request) {
    await upload(caller, 'icon', request, pictureLimits.icon)
    return { icon_url: iconUrl(caller.store) }
  },
})

export const removeIcon = endpoint({
  method: 'delete',
  path: '/realm/icon',
  summary: "Remove the organization's uploaded icon.",
  params: {},
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: iconReply,
  async run(caller) {
    await caller.store.write((tx) => setRealmPicture(tx, caller, 'icon', null))
    return { icon_url: iconUrl(caller.store) }
  },
})

/** @source Zulip API, "Register an event queue": `max_logo_file_size_mib`, `realm_logo_url` */
export const uploadLogo = endpoint({
  method: 'post',
  path: '/realm/logo',
  summary: "Set the organization's logo, or its logo for dark themes, to an uploaded image.",
  params: { night: bool() },
  file: `PNG, JPEG, GIF or WebP, at most ${pictureLimits.logo} MiB.`,
  bodyLimit: pictureBodyLimit(pictureLimits.logo),
  errors: ['BAD_IMAGE', 'UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p, request) => upload(caller, logoKind(p.night), request, pictureLimits.logo),
})

export const removeLogo = endpoint({
  method: 'delete',
  path: '/realm/logo',
  summary: "Remove the organization's uploaded logo, or its logo for dark themes.",
  params: { night: bool() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  async run(caller, p) {
    await caller.store.write((tx) => setRealmPicture(tx, caller, logoKind(p.night), null))
  },
})

function logoKind(night: boolean): PictureKind {
  return night ? 'night_logo' : 'logo'
}

async function upload(
  caller: Caller,
  kind: PictureKind,
  request: RequestFacts,
  limitMib: number,
): Promise<void> {
  requirePictureChange(caller)
  const expected = { what: kind === 'icon' ? 'icon' : 'logo', limitMib }
  await receivedPicture(caller, request, expected, (source) =>
    makeRealmPicture(caller.server, kind, source, (hash) =>
      caller.store.write((tx) => setRealmPicture(tx, caller, kind, hash)),
    ),
  )
}
