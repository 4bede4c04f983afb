import { pictureLimits } from '#features/foundation/realm/limits.ts'
import { avatarPath } from '#features/foundation/users/avatar-paths.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { pictureBodyLimit, receivedPicture } from '#platform/pictures/received.ts'
import * as shape from '#platform/shape.ts'
import { makeAvatar, requireAvatarChange, setAvatar } from './actions.ts'

const reply = {
  avatar_url: shape.noted(shape.string, 'The URL of the new avatar, relative to the server.'),
}

/** @source Zulip API, "Register an event queue", "max_avatar_file_size_mib" */
export const uploadAvatar = endpoint({
  method: 'post',
  path: '/users/me/avatar',
  summary: "Set the caller's avatar to an uploaded image.",
  params: {},
  file: `PNG, JPEG, GIF or WebP, at most ${pictureLimits.avatar} MiB.`,
  bodyLimit: pictureBodyLimit(pictureLimits.avatar),
  errors: ['BAD_IMAGE'],
  reply,
  async run(caller, _p, request) {
    const { store, server } = caller
    requireAvatarChange(store, caller.user)
    const expected = { what: 'avatar', limitMib: pictureLimits.avatar }
    return await receivedPicture(caller, request, expected, (source) =>
      makeAvatar(server, source, (avatar) =>
        store.write((tx, user) => {
          requireAvatarChange(tx, user)
          return urlOf(setAvatar(tx, user.id, avatar) ?? user)
        }),
      ),
    )
  },
})

/** Does nothing if the caller has no uploaded avatar. */
export const removeAvatar = endpoint({
  method: 'delete',
  path: '/users/me/avatar',
  summary: "Remove the caller's uploaded avatar.",
  params: {},
  reply,
  run: ({ store }) =>
    store.write((tx, user) => {
      requireAvatarChange(tx, user)
      return urlOf(setAvatar(tx, user.id, undefined) ?? user)
    }),
})

function urlOf(user: User): { avatar_url: string } {
  return { avatar_url: avatarPath(user) }
}
