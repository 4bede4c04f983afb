import { endpoint } from '#http/endpoint.ts'
import { pictureBodyLimit, receivedPicture } from '#images/received.ts'
import { pictureLimits } from '#realm/limits.ts'
import { noted, string } from '#shape.ts'
import type { User } from '#users/queries.ts'
import { makeAvatar, requireAvatarChange, setAvatar } from './actions.ts'
import { avatarPath } from './paths.ts'

const reply = { avatar_url: noted(string, 'Where the picture is now, below the server’s address.') }

/** @source api-changes §2b; the API description's `max_avatar_file_size_mib` */
export const uploadAvatar = endpoint({
  method: 'post',
  path: '/users/me/avatar',
  summary: "Replace the caller's picture by an uploaded one.",
  params: {},
  file: `PNG, JPEG, GIF or WebP, at most ${pictureLimits.avatar} MiB.`,
  bodyLimit: pictureBodyLimit(pictureLimits.avatar),
  errors: ['BAD_IMAGE'],
  reply,
  async run({ store, server, user }, _p, { files }) {
    requireAvatarChange(store, user)
    const avatar = await makeAvatar(
      server,
      await receivedPicture(files, 'avatar', pictureLimits.avatar),
    )
    return await store.write((tx) => {
      requireAvatarChange(tx, user)
      return urlOf(setAvatar(tx, user.id, avatar) ?? user)
    })
  },
})

/** @source api-changes §2b: without an uploaded picture nothing changes */
export const removeAvatar = endpoint({
  method: 'delete',
  path: '/users/me/avatar',
  summary: "Remove the caller's uploaded picture.",
  params: {},
  reply,
  run: ({ store, user }) =>
    store.write((tx) => {
      requireAvatarChange(tx, user)
      return urlOf(setAvatar(tx, user.id, undefined) ?? user)
    }),
})

function urlOf(user: User): { avatar_url: string } {
  return { avatar_url: avatarPath(user) }
}
